import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { createOrganization } from '../../src/users/queries.ts';
import {
  currentSchema,
  makeIndexes,
  migrate,
  missingIndexes,
  openMigrations,
  SchemaMismatch,
  type SchemaVersion,
} from '../../src/db/migrate.ts';
import { openDatabase, type OpenDatabase } from '../../src/db/open.ts';
import { prepareDatabase } from '../support/prepared-database.ts';

/** The names of the last version before the first release. */
const beforeRelease =
  '0001-start 0002-export-style 0003-notes 0004-work 0005-attempts 0006-edit 0007-preview-jobs 0008-turns 0009-stretches 0012-changes 0013-limits 0016-tell-source 0020-webhooks 0021-deletion 0022-idempotency-keys 0023-export-counts'.split(
    ' ',
  );

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

  it('of the last version before the release go on with all that is in them', async () => {
    const { id } = await createOrganization(database.db, 'Kept');
    // What came with the release is not there yet.
    await sql`drop trigger tell_there on tasks`.execute(database.db);
    await sql`drop function tell_task_of_clip cascade`.execute(database.db);
    await sql`alter table tasks drop column picture_key, drop column source_seconds`.execute(
      database.db,
    );
    await sql`drop table host_sites, clip_host_user, clip_host_attempt, clip_host_task`.execute(
      database.db,
    );
    await sql`drop table upload_parts, upload_uses, uploads`.execute(database.db);
    await sql`drop table files_to_remove`.execute(database.db);
    await sql`drop function tell_removal`.execute(database.db);
    await sql`alter table webhook_deliveries drop column next_try_at`.execute(database.db);
    await sql`alter table webhooks drop column failures, drop column resting_until`.execute(
      database.db,
    );
    await sql`drop trigger tell_gone on projects`.execute(database.db);
    await sql`drop function note_source_use cascade`.execute(database.db);
    await sql`drop table source_uses`.execute(database.db);
    await sql`drop table edits, edit_revisions, analyses, films`.execute(database.db);
    await sql`drop trigger tell_edited on projects`.execute(database.db);
    await sql`alter table projects drop column revision, drop column edited_at,
      drop column preview_due_at, drop column storyboard`.execute(database.db);
    await sql`alter table exports drop column edit, drop column revision`.execute(database.db);
    await pretend(beforeRelease);
    assert.deepEqual(await openMigrations(database.db, currentSchema), now.slice(1));
    await reopen();
    assert.deepEqual(await applied(), now);
    assert.deepEqual(await openMigrations(database.db, currentSchema), []);
    const { rows } = await sql`select name from organizations where id = ${id}`.execute(
      database.db,
    );
    assert.deepEqual(rows, [{ name: 'Kept' }]);
  });

  it('of an older version are refused in words, and stay as they are', async () => {
    await pretend(beforeRelease.slice(0, -1));
    await assert.rejects(
      openMigrations(database.db, currentSchema),
      (error: Error) => error instanceof SchemaMismatch && /too old/.test(error.message),
    );
    assert.deepEqual(await applied(), beforeRelease.slice(0, -1));
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
    assert.deepEqual(await missingIndexes(database.db), []);
    await sql`drop index exports_settled`.execute(database.db);
    await sql`update pg_index set indisvalid = false
      where indexrelid = 'users_of_organization'::regclass`.execute(database.db);
    assert.deepEqual(await missingIndexes(database.db), [
      'users_of_organization',
      'exports_settled',
    ]);
    await makeIndexes(database.db);
    assert.deepEqual(await missingIndexes(database.db), []);
  });
});
