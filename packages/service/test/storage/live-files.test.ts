import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DatabaseUnavailable } from '../../src/db/connections.ts';
import type { OpenDatabase } from '../../src/db/open.ts';
import { Changes } from '../../src/operations/changes.ts';
import { type LiveFile, LiveFiles } from '../../src/storage/live-files.ts';
import { removeFilesLater } from '../../src/storage/queries.ts';
import { temporaryDatabase } from 'clip-testkit/prepared-database';
import { watchStatements } from '../support/statements.ts';
import { eventually } from 'clip-testkit/world';

/** Files of a database that a test takes away, at a time that it sets. */
function world() {
  const state = { now: 0, away: false, removed: new Set<string>(), queries: 0 };
  const read = async (key: string): Promise<LiveFile | null> => {
    state.queries += 1;
    if (state.away) throw new DatabaseUnavailable('no connection');
    return state.removed.has(key) ? null : { privateClips: null };
  };
  return { state, files: new LiveFiles(read, () => state.now) };
}

const key = 'previews/clip/1-a.mp4';

const isRemoved = async (files: LiveFiles, name: string): Promise<boolean> =>
  (await files.find(name)) === null;

describe('files that are served', () => {
  it('need one query while every removal is noticed, and one for each request otherwise', async () => {
    const { state, files } = world();
    const ask = async (count: number) => {
      for (let at = 0; at < count; at += 1) assert.equal(await isRemoved(files, key), false);
    };
    await ask(3);
    assert.equal(state.queries, 3);
    files.setTrusted(true);
    await ask(3);
    assert.equal(state.queries, 4, 'a removal may have been missed before');
    files.setTrusted(false);
    await ask(2);
    assert.equal(state.queries, 6);
  });

  it('are asked for again after a removal below the same id, and no others', async () => {
    const { state, files } = world();
    files.setTrusted(true);
    const other = 'previews/other/1-a.mp4';
    await isRemoved(files, key);
    await isRemoved(files, other);
    state.removed.add(key);
    for (const prefix of ['previews/clip', 'previews/clip/', key]) {
      files.removed(prefix);
      assert.equal(await isRemoved(files, key), true, prefix);
    }
    const { queries } = state;
    await isRemoved(files, other);
    assert.equal(state.queries, queries);
  });

  it('are not taken to be there if they are removed while they are asked for', async () => {
    let removed = false;
    const files: LiveFiles = new LiveFiles(async () => {
      const seen = removed;
      removed = true;
      files.removed(key);
      return seen ? null : { privateClips: null };
    });
    files.setTrusted(true);
    assert.equal(await isRemoved(files, key), false);
    assert.equal(await isRemoved(files, key), true);
  });

  it('go on for five minutes while the database is away, and no others', async () => {
    const { state, files } = world();
    files.setTrusted(true);
    await isRemoved(files, key);
    state.now = 3_600_000;
    assert.equal(await isRemoved(files, key), false, 'somebody watches');
    state.away = true;
    files.setTrusted(false);
    state.now += 5 * 60_000;
    assert.equal(await isRemoved(files, key), false);
    state.now += 1;
    await assert.rejects(isRemoved(files, key), DatabaseUnavailable);
    await assert.rejects(isRemoved(files, 'previews/clip/2-b.mp4'), DatabaseUnavailable);
  });

  it('end with a removal that was noticed, also while the database is away', async () => {
    const { state, files } = world();
    files.setTrusted(true);
    await isRemoved(files, key);
    files.removed('previews/clip');
    state.away = true;
    files.setTrusted(false);
    await assert.rejects(isRemoved(files, key), DatabaseUnavailable);
  });

  it('take no more memory by names that do not exist', async () => {
    const { state, files } = world();
    files.setTrusted(true);
    await isRemoved(files, key);
    for (let at = 0; at < 20; at += 1) await isRemoved(files, `previews/clip/${at}.mp4`);
    const { queries } = state;
    await isRemoved(files, key);
    assert.equal(state.queries, queries + 1);
  });
});

describe('files of a database', () => {
  let database: OpenDatabase;
  before(async () => {
    database = await temporaryDatabase();
  });
  after(() => database?.close());

  it('are served without a statement until any process removes them', async () => {
    const changes = new Changes(database.db);
    const stop = database.listen(changes);
    const other = 'exports/other/1-a.mp4';
    const { texts, stop: stopWatching } = watchStatements();
    for (const each of [key, other]) {
      await eventually(async () => {
        texts.length = 0;
        assert.equal(await isRemoved(changes.files, each), false);
        assert.deepEqual(texts, []);
      });
    }
    await removeFilesLater(database.db, ['previews/clip']);
    await eventually(async () => assert.equal(await isRemoved(changes.files, key), true));
    texts.length = 0;
    assert.equal(await isRemoved(changes.files, other), false);
    assert.deepEqual(texts, []);
    stopWatching();
    await stop();
    changes.close();
  });
});
