import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { temporaryDirectory } from 'clip-testkit/media-footage';
import { startChild, type ChildService } from '../support/child-service.ts';
import { testDatabase } from '../support/test-database.ts';
import { eventually } from 'clip-testkit/world';

describe('the connections to a database server', async () => {
  const directory = await temporaryDirectory();
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let sql: pg.Client;
  let worker: ChildService;
  before(async () => {
    database = await testDatabase();
    sql = new pg.Client(database.url);
    await sql.connect();
    worker = await startChild({
      ROLE: 'worker',
      DATA_DIR: directory.path,
      DATABASE_URL: database.url,
      CLIP_CONCURRENCY: '8',
    });
  });
  after(async () => {
    await worker?.end('SIGTERM');
    await sql.end();
    await database.close();
    await directory.remove();
  });

  it('of a worker that has nothing to do are four, however much it could do', async () => {
    await eventually(async () => {
      const { rows } = await sql.query(
        `select count(*)::int as n from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`,
      );
      assert.ok(rows[0].n <= 4, `${rows[0].n} connections`);
    });
  });
});
