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
import { beforeRelease } from '../../src/db/migrations/index.ts';
import { openDatabase, type OpenDatabase } from '../../src/db/open.ts';
import { prepareDatabase } from '../support/prepared-database.ts';

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
  /** Replaces all tables by empty ones of an earlier version, whose last migration this is. */
  const startWith = async (last: string): Promise<void> => {
    await sql`drop schema public cascade`.execute(database.db);
    await sql`create schema public`.execute(database.db);
    const all = Object.entries(currentSchema.migrations);
    const known = all.slice(0, all.findIndex(([name]) => name === last) + 1);
    const earlier = { migrations: Object.fromEntries(known), required: '0001-tables' };
    await migrate(database.db, earlier);
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
    await startWith('0001-tables');
    const { id } = await createOrganization(database.db, 'Kept');
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

  it('have the standard terms in place of the earlier ones, and the data stays', async () => {
    await startWith('0009-host');
    const statements = [
      `insert into organizations (id, name, plan, state) values ('o', 'O', 'free', 'active')`,
      `insert into users (id, organization_id, email, is_guest) values ('u', 'o', 'a@b.c', false)`,
      `insert into tasks (id, type, author_id, request, output_type, output_id, status, stage, share,
        releases) values ('t', 'x', 'u', '{}', 'folder', 'f', 'ready', '', 1, 2)`,
      `insert into projects (id, author_id, task_id, position, name, edit, stretch, preview)
        values ('p', 'u', 't', 0, 'P', '{"version": 1, "unseen": true, "wanted": {"shots": []}}',
          '{"key": "stretches/t/a"}', 'ready'),
        ('q', 'u', 't', 1, 'Q', '{"version": 1}', null, 'ready')`,
      `insert into edits (project_id, basis, look)
        values ('p', '{"title": "P", "wish": {"minSeconds": 1}}', '{"windows": true}')`,
      `insert into films (id, author_id, span, status, stage, share)
        values ('p', 'u', '{}', 'ready', '', 1)`,
    ];
    for (const statement of statements) await sql.raw(statement).execute(database.db);
    await migrate(database.db, currentSchema);
    const { db } = database;
    assert.deepEqual(
      await db.selectFrom('projects').select(['edit', 'segment']).orderBy('id').execute(),
      [
        {
          edit: { version: 1, needsAnalysis: true, manualFraming: { shots: [] } },
          segment: { key: 'stretches/t/a' },
        },
        { edit: { version: 1 }, segment: null },
      ],
    );
    assert.deepEqual(await db.selectFrom('edits').select(['inputs', 'analysis']).execute(), [
      { inputs: { title: 'P', options: { minSeconds: 1 } }, analysis: { windows: true } },
    ]);
    assert.deepEqual(await db.selectFrom('tasks').select('uncounted_attempts').execute(), [
      { uncounted_attempts: 2 },
    ]);
    assert.deepEqual(await db.selectFrom('proxies').selectAll().execute(), []);
    const { rows } = await sql`select prefix from files_to_remove`.execute(db);
    assert.deepEqual(rows, [{ prefix: 'films/p' }]);
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
