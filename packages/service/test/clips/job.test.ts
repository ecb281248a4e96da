import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { makeVideo } from '../../../engine/test/support/media-footage.ts';
import { makePreview, previewRows } from '../../src/clips/job.ts';
import { findPlayable } from '../../src/clips/queries.ts';
import { rowJob } from '../../src/queue/run-job.ts';
import { takeFilesToRemove } from '../../src/storage/queries.ts';
import { JobWorld } from '../support/job-world.ts';
import { spanEdit } from '../support/span-edit.ts';

describe('a preview that a person waits for', () => {
  let world: JobWorld;
  before(async () => {
    world = await JobWorld.open();
  });
  after(() => world.close());

  /** Makes the preview of a new clip of three seconds, and returns its id. */
  async function make(isUrgent: boolean): Promise<string> {
    const { service } = world;
    const video = await makeVideo(join(world.directory, 'video.mp4'), { seconds: 3 });
    const { projects } = await world.addTask(video, [
      spanEdit(0, 3, { dimensions: { width: 108, height: 192 } }),
    ]);
    const { id } = projects[0]!;
    await rowJob(service, previewRows, makePreview)(id, service.closing, isUrgent);
    return id;
  }
  const streamOf = async (id: string) => (await findPlayable(world.service.db, id))!.stream;

  it('has its segments stored while it is rendered, and they stay for some minutes', async () => {
    const { storage, db } = world.service;
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
    const { storage } = world.service;
    const { put } = storage;
    storage.put = (key, ...rest) =>
      key.endsWith('.m4s') ? Promise.reject(new Error('no room')) : put.call(storage, key, ...rest);
    const id = await make(true);
    storage.put = put;
    assert.equal((await findPlayable(world.service.db, id))!.state, 'ready');
    assert.equal(await streamOf(id), null);
    const notes = world.log.filter(({ event }) => event === 'segment-not-stored');
    assert.deepEqual(
      notes.map((note) => note['message']),
      ['no room'],
    );
  });

  it('is the only one that has any', async () => {
    assert.equal(await streamOf(await make(false)), null);
  });
});
