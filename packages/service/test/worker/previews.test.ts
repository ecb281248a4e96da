import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { type Finders, makeFinders, type Edit } from 'clip-engine';
import { sql } from 'kysely';
import { makeVideo } from 'clip-testkit/media-footage';
import { makePreview, previewRows } from '../../src/worker/previews.ts';
import { findPlayable } from '../../src/clips/queries.ts';
import { makeRowJob } from '../../src/worker/run-job.ts';
import { takeFilesToRemove } from '../../src/storage/queries.ts';
import { jobWorld } from '../support/job-world.ts';
import { spanEdit } from 'clip-testkit/span-edit';
import { eventually } from 'clip-testkit/world';

describe('a preview that a person waits for', () => {
  const world = jobWorld();

  /** Adds a clip of three seconds, and returns its id. */
  async function add(change: Partial<Edit> = {}): Promise<string> {
    const video = await makeVideo(join(world().directory, 'video.mp4'), { seconds: 3 });
    const edit = spanEdit(0, 3, { dimensions: { width: 108, height: 192 }, ...change });
    return (await world().addTask([edit], video)).projects[0]!.id;
  }
  const run = (id: string, isUrgent: boolean): Promise<void> =>
    makeRowJob(world().service, previewRows, makePreview)(id, world().service.closing, isUrgent);
  /** Makes the preview of a new clip of three seconds, and returns its id. */
  async function make(isUrgent: boolean): Promise<string> {
    const id = await add();
    await run(id, isUrgent);
    return id;
  }
  const streamOf = async (id: string) => (await findPlayable(world().service.db, id))!.stream;

  it('has its segments stored while it is rendered, and they stay for some minutes', async () => {
    const { storage, db } = world().service;
    const { attempt, keys, isComplete } = (await streamOf(await make(true)))!;
    assert.deepEqual([attempt, keys.length, isComplete], [1, 4, true]);
    for (const key of keys) assert.ok((await storage.stat(key))!.bytes > 0);
    const removed = () => takeFilesToRemove(db, 100);
    assert.deepEqual(
      (await removed()).filter((prefix) => keys.includes(prefix)),
      [],
    );
    await sql`update files_to_remove set taken_at = taken_at - interval '11 minutes'`.execute(db);
    assert.deepEqual(
      (await removed()).filter((prefix) => keys.includes(prefix)).sort(),
      keys.toSorted(),
    );
  });

  it('is made even if they cannot be stored', async () => {
    const { storage } = world().service;
    const { put } = storage;
    storage.put = (key, ...rest) =>
      key.endsWith('.m4s') ? Promise.reject(new Error('no room')) : put.call(storage, key, ...rest);
    const id = await make(true);
    storage.put = put;
    assert.equal((await findPlayable(world().service.db, id))!.state, 'ready');
    assert.equal(await streamOf(id), null);
    const notes = world().log.filter(({ event }) => event === 'segment-not-stored');
    assert.deepEqual(
      notes.map((note) => note['message']),
      ['no room'],
    );
  });

  describe('before its pictures are analysed', () => {
    const finders = makeFinders({ faces: false });
    afterEach(() => void Object.assign(world().service, { finders }));

    /** Pictures that were searched, by the opening of the finder. From the second on, they wait. */
    function heldFinders() {
      const searched: number[] = [];
      const gate = Promise.withResolvers<void>();
      const text: Finders['text'] = (options) => {
        const opening = searched.push(0) - 1;
        const finder = finders.text(options);
        return {
          close: () => finder.close(),
          find: async (picture) => {
            searched[opening]! += 1;
            if (opening > 0) await gate.promise;
            return finder.find(picture);
          },
        };
      };
      Object.assign(world().service, { finders: { ...finders, text } });
      return { searched, open: () => gate.resolve() };
    }

    it('plays as few pictures frame it, and is made of all of them', async () => {
      const held = heldFinders();
      const id = await add({ needsAnalysis: true });
      const made = run(id, true);
      const whole = async () => assert.equal((await streamOf(id))?.isComplete, true);
      await eventually(whole);
      await eventually(() => assert.equal(held.searched.length, 2));
      const { state, stream } = (await findPlayable(world().service.db, id))!;
      assert.deepEqual([state, stream!.keys.length], ['preparing', 4]);
      held.open();
      await made;
      const ready = (await findPlayable(world().service.db, id))!;
      assert.equal(ready.state, 'ready');
      assert.deepEqual(ready.stream, stream);
      const [few, all] = held.searched;
      assert.ok(few! >= 2 && few! * 2 < all!, held.searched.join());
      assert.equal(ready.edit?.needsAnalysis, undefined);
    });

    it('has all other analyses pause until it plays', async () => {
      const { service } = world();
      const [other, id] = [await add({ needsAnalysis: true }), await add({ needsAnalysis: true })];
      const opened: number[] = [];
      const plays: boolean[] = [];
      const text: Finders['text'] = (options) => {
        const opening = opened.push(0);
        const finder = finders.text(options);
        return {
          close: () => finder.close(),
          find: async (picture) => {
            if (opening > 1) plays.push((await streamOf(id)) !== null);
            return finder.find(picture);
          },
        };
      };
      const { storage } = service;
      const { put } = storage;
      const gate = Promise.withResolvers<void>();
      const stores = Promise.withResolvers<void>();
      storage.put = async (key, ...rest) => {
        if (key.endsWith('.m4s')) {
          stores.resolve();
          await gate.promise;
        }
        return put.call(storage, key, ...rest);
      };
      Object.assign(service, { finders: { ...finders, text } });
      const made = run(id, true);
      await stores.promise;
      const madeOther = run(other, false);
      await eventually(() => assert.equal(opened.length, 2));
      gate.resolve();
      await Promise.all([made, madeOther]);
      storage.put = put;
      assert.ok(plays.length > 4 && plays.every(Boolean), plays.join());
    });

    it('is made even if that fails', async () => {
      const id = await add({ needsAnalysis: true });
      // Where its files would be.
      await writeFile(join(world().service.workDirectory, `draft-${id}-1`), '');
      await run(id, true);
      const { state, stream } = (await findPlayable(world().service.db, id))!;
      assert.deepEqual([state, stream], ['ready', null]);
      assert.ok(world().log.some((entry) => entry.event === 'draft-failed' && entry['id'] === id));
    });

    it('is not played if nobody waits for it', async () => {
      const id = await add({ needsAnalysis: true });
      await run(id, false);
      assert.equal(await streamOf(id), null);
    });
  });

  it('is the only one that has any', async () => {
    assert.equal(await streamOf(await make(false)), null);
  });
});
