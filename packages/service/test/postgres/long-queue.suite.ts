import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { openDatabase, type OpenDatabase } from '../../src/db/open.ts';
import { databaseProxy, type DatabaseProxy } from '../support/database-proxy.ts';
import { insertExports, insertLibrary, settleExport, type Library } from 'clip-testkit/rows';
import { testDatabase } from '../support/test-database.ts';
import { World } from 'clip-testkit/world';

// What requests read of a queue that a hundred workers need half an hour for.
describe('44,000 exports that wait on a Postgres server', () => {
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let proxy: DatabaseProxy;
  let own: OpenDatabase;
  let library: Library;
  before(async () => {
    database = await testDatabase();
    proxy = await databaseProxy(database.url);
    own = await openDatabase({ dataDir: '', databaseUrl: database.url });
    library = await insertLibrary(own.db);
    const source = {
      ...{ key: 'sources/video.mp4', transcriptKey: null, bytes: 1e6 },
      media: { duration: 9, width: 320, height: 180, frameRate: 25, hasAudio: true },
    };
    await own.db
      .updateTable('tasks')
      .set({ source: JSON.stringify(source) })
      .execute();
    const [pattern] = await insertExports(own.db, library, 1);
    await own.db.updateTable('exports').set({ stage: 'queued', work: 2 }).execute();
    const columns = sql.raw(
      `organization_id, author_id, project_id, name, duration, edit, status, stage, share, work,
        estimated_ready_at`,
    );
    await sql`insert into exports (id, turn, ${columns})
      select gen_random_uuid()::text, number, ${columns}
        from exports cross join generate_series(1, 43999) number
        where id = ${pattern}`.execute(own.db);
    // Without an export that ended, no place in the queue has an estimate.
    const [ended = ''] = await insertExports(own.db, library, 1);
    await own.db
      .updateTable('exports')
      .set({ work: 2, started_at: new Date(Date.now() - 3000) })
      .where('id', '=', ended)
      .execute();
    await settleExport(own.db, ended);
    await sql`analyze exports`.execute(own.db);
  });
  after(async () => {
    await own?.close();
    await proxy?.close();
    await database?.close();
  });

  /** Rows and entries of indexes that closed connections have read of the exports. */
  const read = async (): Promise<number> => {
    const { rows } = await sql<{ read: number }>`
      select seq_tup_read::float8 + (select sum(idx_tup_read)::float8 from pg_stat_user_indexes
          where relname = 'exports') as read
        from pg_stat_user_tables where relname = 'exports'`.execute(own.db);
    return rows[0]!.read;
  };

  it('are read in pages for all requests, and no request reads more than a few rows', async () => {
    const before = await read();
    const [requests, pageRows] = [30, 2000];
    const world = await World.start({
      databaseUrl: proxy.url,
      role: 'api',
      apiKey: 'k'.repeat(40),
    });
    try {
      for (let index = 0; index < requests; index += 1) {
        const path = `/projects/${library.projectId}/exports`;
        const { status, body } = await world.post(path, {});
        assert.equal(status, 201, JSON.stringify(body));
        const waits = Date.parse(body.estimated_ready_at) - Date.now();
        assert.ok(waits > 44_000 * 1000, 'it is behind all of them');
        assert.equal((await world.get(`${path}/${body.id}`)).status, 200);
      }
    } finally {
      await world.close();
    }
    const pages = proxy.statements.filter((text) => text.includes('row_number()')).length;
    assert.ok(pages >= 22);
    const rows = (await read()) - before;
    assert.ok(rows < pages * pageRows + requests * 100, `${rows} rows, ${pages} pages`);
  });
});
