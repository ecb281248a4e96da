import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { exportSchema } from 'clip-kit/contract';
import { sql } from 'kysely';
import { waitFor } from 'clip-testkit/wait-for';
import { openDatabase, type OpenDatabase } from '../../src/db/open.ts';
import { databaseProxy, type DatabaseProxy } from '../support/database-proxy.ts';
import { insertExports, insertLibrary, settleExport, type Library } from 'clip-testkit/rows';
import { testDatabase } from '../support/test-database.ts';
import { assertProblem, World } from 'clip-testkit/world';

// As when a firewall forgets connections: nothing comes back, not even an error.
describe('connections to the database that go silent', () => {
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let proxy: DatabaseProxy;
  let world: World;
  let own: OpenDatabase;
  let library: Library;
  before(async () => {
    database = await testDatabase();
    proxy = await databaseProxy(database.url);
    world = await World.start({ databaseUrl: proxy.url });
    own = await openDatabase({ dataDir: '', databaseUrl: database.url });
    library = await insertLibrary(own.db);
  });
  after(async () => {
    // In the world, the system gives them up after a quarter of an hour.
    proxy?.cut();
    await world?.close();
    await own?.close();
    await proxy?.close();
    await database.close();
  });

  it('are all replaced after the first statement that gets no answer', async () => {
    const many = () => Promise.all(Array.from({ length: 20 }, () => world.get('/exports')));
    await many();
    proxy.silence();
    const lost = await world.get('/exports?limit=1');
    assertProblem(lost, 503, 'service-unavailable');
    assert.equal(lost.body.reason, 'database-unavailable');
    for (const { status } of await many()) assert.equal(status, 200);
  });

  it('are kept when a statement is slow, and others answer', async () => {
    await Promise.all(Array.from({ length: 5 }, () => world.get('/exports')));
    const open = async () => {
      const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
        where datname = current_database() and application_name <> 'own' order by pid`.execute(
        own.db,
      );
      return rows.map(({ pid }) => pid);
    };
    const before = await open();
    const user = await world.user();
    const slow = await own.db.transaction().execute(async (trx) => {
      await sql`lock table users in access exclusive mode`.execute(trx);
      // Not idle, so that the server does not end the transaction.
      const slowly = async () => {
        for (let seconds = 0; seconds < 9; seconds++) await sql`select pg_sleep(1)`.execute(trx);
      };
      const [answer] = await Promise.all([world.post('/users'), slowly()]);
      return answer;
    });
    assertProblem(slow, 503, 'service-unavailable');
    const after = await open();
    assert.equal((await world.call('DELETE', `/users/${user}`)).status, 204);
    assert.ok(before.filter((pid) => !after.includes(pid)).length <= 1, `${before} and ${after}`);
  });

  it('are replaced in the queue too: the next job is done', async () => {
    const clip = await world.makeWhole();
    proxy.silence();
    const started = await waitFor('it is started', async () => {
      const answer = await world.post(`/projects/${clip.id}/exports`);
      return answer.status === 201 ? answer : null;
    });
    const done = await world.finishExport(exportSchema.parse(started.body));
    assert.equal(done.status, 'ready');
  });

  it('do not keep what is read in the cache when the one that hears of changes is silent', async () => {
    const [id = ''] = await insertExports(own.db, library, 1);
    await settleExport(own.db, id);
    const path = `/projects/${library.projectId}/exports/${id}`;
    const status = async () => (await world.get(path)).status;
    await waitFor('it is read', async () => (await status()) === 200 || null);
    proxy.silence();
    await own.db.deleteFrom('exports').where('id', '=', id).execute();
    await waitFor('the deletion is seen', async () => (await status()) === 404 || null);
  });
});
