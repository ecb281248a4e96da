import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import {
  currentSchema,
  makeIndexes,
  migrate,
  findMissingIndexes,
  openMigrations,
  requireMigrated,
  SchemaMismatch,
  type SchemaVersion,
} from '../../src/db/migrate.ts';
import { openDatabase, type OpenDatabase } from '../../src/db/open.ts';
import { prepareDatabase } from 'clip-testkit/prepared-database';

describe('the tables of a database', () => {
  let dataDir: string;
  let database: OpenDatabase;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'clip-migrate-'));
    await prepareDatabase(dataDir);
    database = await openDatabase({ dataDir });
  });
  after(async () => {
    await database.close();
    await rm(dataDir, { recursive: true });
  });
  const applied = async (): Promise<string[]> => {
    const { rows } = await sql<{ name: string }>`
      select name from kysely_migration order by name`.execute(database.db);
    return rows.map(({ name }) => name);
  };
  const pretend = async (names: readonly string[]): Promise<void> => {
    await sql`delete from kysely_migration`.execute(database.db);
    await sql`insert into kysely_migration (name, timestamp)
      select unnest(${names}::text[]), '2026-01-01'`.execute(database.db);
  };
  const reopen = async (): Promise<void> => {
    await database.close();
    database = await openDatabase({ dataDir });
  };
  let now: string[];
  before(async () => {
    now = await applied();
  });
  afterEach(async () => {
    await pretend(now);
    await migrate(database.db, currentSchema);
  });

  it('of a version before the first release are refused, and stay as they are', async () => {
    const earlier = ['0001-tables', '0002-files-to-remove'];
    await pretend(earlier);
    for (const open of [openMigrations, migrate]) {
      await assert.rejects(
        open(database.db, currentSchema),
        (error: Error) =>
          error instanceof SchemaMismatch &&
          /before the first release.*Nothing was changed\. Use an empty/.test(error.message),
      );
    }
    assert.deepEqual(await applied(), earlier);
  });

  it('are made in an empty database, but not if nothing may be changed', async () => {
    await sql`drop schema public cascade`.execute(database.db);
    await sql`create schema public`.execute(database.db);
    assert.deepEqual(await openMigrations(database.db, currentSchema), now);
    await assert.rejects(requireMigrated(database.db, currentSchema), SchemaMismatch);
    await migrate(database.db, currentSchema);
    assert.deepEqual(await applied(), now);
    await makeIndexes(database.db);
  });

  const tomorrow = (required: string): SchemaVersion => ({
    migrations: { ...currentSchema.migrations, '9000-tomorrow': { up: async () => {} } },
    required,
  });

  it('of a newer version that only adds serve this one too, and stay as they are', async () => {
    await database.close();
    const newer = { dataDir, schema: tomorrow(currentSchema.required) };
    database = await openDatabase(newer);
    assert.deepEqual(await applied(), [...now, '9000-tomorrow']);
    await reopen();
    assert.equal(await database.isOutdated(), false);
    assert.deepEqual(await applied(), [...now, '9000-tomorrow']);
    assert.deepEqual(await openMigrations(database.db, currentSchema), []);
  });

  it('of a newer version that drops what this one needs are refused in words', async () => {
    await migrate(database.db, tomorrow('9000-tomorrow'));
    assert.equal(await database.isOutdated(), true, 'also while it runs');
    await assert.rejects(
      openMigrations(database.db, currentSchema),
      (error: Error) =>
        error instanceof SchemaMismatch && /newer version \(9000-tomorrow\)/.test(error.message),
    );
  });

  it('have the indexes that large tables need, also if some were not finished', async () => {
    assert.deepEqual(await findMissingIndexes(database.db), []);
    await sql`drop index exports_settled`.execute(database.db);
    await sql`update pg_index set indisvalid = false
      where indexrelid = 'users_of_organization'::regclass`.execute(database.db);
    assert.deepEqual(await findMissingIndexes(database.db), [
      'users_of_organization',
      'exports_settled',
    ]);
    await makeIndexes(database.db);
    assert.deepEqual(await findMissingIndexes(database.db), []);
  });
});
