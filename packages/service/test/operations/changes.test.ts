import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Changes } from '../../src/operations/changes.ts';
import type { OpenDatabase } from '../../src/db/open.ts';
import { temporaryDatabase } from 'clip-testkit/prepared-database';
import { insertExports, insertLibrary, settleExport, type Library } from 'clip-testkit/rows';
import { eventually } from 'clip-testkit/world';

describe('changes of the built-in database', () => {
  let database: OpenDatabase;
  let library: Library;
  before(async () => {
    database = await temporaryDatabase();
    library = await insertLibrary(database.db);
  });
  after(() => database?.close());

  const never = new AbortController().signal;
  const long = { ms: 3_600_000, signal: never };

  it('are announced to all who wait for a row, or for a list', async () => {
    const changes = new Changes(database.db);
    const stop = database.listen(changes);
    const { userId } = library;
    const [one = '', other = ''] = await insertExports(database.db, library, 2);
    const held = changes.exports.settled(one, () => true, long);
    const list = changes.listChanged({ userId }, long);
    // A wait that joins the other's first read.
    await changes.listChanged({ userId }, { ms: 1, signal: never });
    await eventually(() => assert.deepEqual(changes.exports.watched(), [one]));
    await settleExport(database.db, other);
    await list;
    await settleExport(database.db, one);
    assert.equal((await held)?.status, 'ready');
    await stop();
    changes.close();
  });

  it('are not told for progress', async () => {
    const notices: string[] = [];
    const listener = { notify: (notice: string) => notices.push(notice), listening: () => {} };
    const stop = database.listen(listener);
    const [id = ''] = await insertExports(database.db, library, 1);
    await eventually(() => assert.equal(notices.length, 1));
    await database.db.updateTable('exports').set({ share: 0.5 }).where('id', '=', id).execute();
    await settleExport(database.db, id);
    await eventually(() => assert.ok(notices.length > 1));
    assert.equal(notices.length, 2);
    await stop();
  });

  it('are found by one look for all who wait if they are not heard of', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const changes = new Changes(database.db);
    changes.listening(false);
    const ids = await insertExports(database.db, library, 3);
    const held = ids.map((id) => changes.exports.settled(id, () => true, long));
    const list = changes.listChanged({ userId: library.userId }, long);
    await changes.listChanged({ userId: library.userId }, { ms: 1, signal: never });
    // A read that joins the others' first one.
    await changes.exports.settled(ids[0]!, () => true, { ms: 0, signal: never });
    for (const id of ids) await settleExport(database.db, id);
    t.mock.timers.tick(2000);
    for (const row of await Promise.all([...held])) assert.equal(row?.status, 'ready');
    await list;
    changes.close();
  });

  it('that were missed are found when they are heard of again', async () => {
    const changes = new Changes(database.db);
    const [id = ''] = await insertExports(database.db, library, 1);
    const held = changes.exports.settled(id, () => true, long);
    await changes.exports.settled(id, () => true, { ms: 0, signal: never });
    await settleExport(database.db, id);
    changes.listening(true);
    assert.equal((await held)?.status, 'ready');
    changes.close();
  });
});
