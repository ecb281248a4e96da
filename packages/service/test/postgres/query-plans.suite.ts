import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { Kysely, PostgresDialect, type CompiledQuery } from 'kysely';
import pg from 'pg';
import * as accounts from '../../src/users/queries.ts';
import { countOpenWork, readTaskUsage } from '../../src/users/queries.ts';
import { readMissed } from '../../src/operations/queries.ts';
import { listTaskPlaces, readShownTasks } from '../../src/tasks/queries.ts';
import * as deletion from '../../src/tasks/deletion-queries.ts';
import { readSnapshot } from '../../src/exports/estimate-queries.ts';
import * as exports from '../../src/exports/queries.ts';
import { listDueTasks } from '../../src/exports/ready-export-queries.ts';
import { openDatabase } from '../../src/db/open.ts';
import { findClip, findWatchedClip } from '../../src/clips/queries.ts';
import type { Database, Db, UserRow } from '../../src/db/schema.ts';
import { openQueue } from '../../src/queue/open.ts';
import { takeTurns } from '../../src/queue/queries.ts';
import { spanEdit } from 'clip-testkit/span-edit';
import { testDatabase } from '../support/test-database.ts';

/** Enough rows that reading all of them for one answer shows. */
const rows = { organizations: 3000, users: 300_000, tasks: 100_000, exports: 600_000 };

/** The tables that are never read whole. */
const large: ReadonlySet<string> = new Set(['users', 'tasks', 'folders', 'projects', 'exports']);

/** The id of the row of a number: the same in each table. */
const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const id = (n: string): string => `'00000000-0000-4000-8000-' || lpad((${n})::text, 12, '0')`;

/** Of the last year, evenly; one in a thousand is at work. */
const settled = `
  case when n % 1000 = 0 then 'processing' else 'ready' end as status,
  case when n % 2000 = 0 then 'queued' else 'render' end as stage, 1 as share,
  case when n % 1000 > 0 then now() - n % 365 * interval '1 day' end as finished_at,
  now() - n % 365 * interval '1 day' - interval '1 minute' as created_at`;

const request = `jsonb_build_object('metadata', jsonb_build_object('order', n::text))`;

const fill = `
  alter table exports set unlogged;
  insert into organizations (id, name, plan, state, export_allowance)
    select ${id('n')}, 'One', 'paid', 'active', 100000
      from generate_series(0, ${rows.organizations - 1}) n;
  insert into users (id, organization_id, email, is_guest)
    select ${id('n')}, ${id(`n % ${rows.organizations}`)}, n || '@a.invalid',
        n >= ${rows.organizations}
      from generate_series(0, ${rows.users - 1}) n;
  insert into api_keys (id, organization_id, hash, origin)
    select ${id('n')}, ${id('n')}, 'hash-' || n, 'made'
      from generate_series(0, ${rows.organizations - 1}) n;
  insert into tasks (id, type, author_id, request, output_type, output_id, source,
      status, stage, share, finished_at, created_at)
    select ${id('n')}, 'video-to-shorts', ${id('n')}, ${request}, 'folder', ${id('n')}, '{}', ${settled}
      from generate_series(0, ${rows.tasks - 1}) n;
  insert into folders (id, author_id, task_id, name)
    select ${id('n')}, ${id('n')}, ${id('n')}, 'One' from generate_series(0, ${rows.tasks - 1}) n;
  insert into projects (id, author_id, task_id, folder_id, position, name, edit, preview, segment)
    select ${id('n')}, ${id('n')}, ${id('n')}, ${id('n')}, 0, 'One', '{}', 'ready',
        '{"key": "segments/a/b"}'
      from generate_series(0, ${rows.tasks - 1}) n;
  insert into exports (id, organization_id, author_id, project_id, folder_id, name, duration,
      edit, estimated_ready_at, work, started_at, status, stage, share, finished_at, created_at)
    select ${id('n')}, ${id(`own % ${rows.organizations}`)}, ${id('own')}, ${id('own')},
        ${id('own')}, 'One', 1, '{}', now(), 1, now(), ${settled}
      from (select n, n % ${rows.tasks} as own from generate_series(0, ${rows.exports - 1}) n) numbers`;

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Plan[];
}

const readWhole = (plan: Plan): string[] => [
  ...(plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? ''] : []),
  ...(plan.Plans ?? []).flatMap(readWhole),
];

describe(`what ${rows.users} users and ${rows.exports} exports are asked for`, () => {
  let server: Awaited<ReturnType<typeof testDatabase>>;
  let client: pg.Client;
  let db: Db;
  const asked: CompiledQuery[] = [];
  before(async () => {
    server = await testDatabase();
    const opened = await openDatabase({ dataDir: '', databaseUrl: server.url });
    // The jobs of users are deleted with them.
    await (await openQueue(opened, () => {})).stop();
    await opened.close();
    client = new pg.Client(server.url);
    await client.connect();
    // Rows are added faster without indexes, notices and checks of references.
    const indexes = await client.query(
      `select indexname, indexdef from pg_indexes
        where tablename = 'exports' and indexname <> 'exports_pkey'`,
    );
    const [names, made] = ['indexname', 'indexdef'].map((column) =>
      indexes.rows.map((row) => row[column]),
    );
    await client.query(`set session_replication_role = replica;
      drop index ${names!.join(', ')}; ${fill}; ${made!.join(';')}; analyze`);
    const pool = new pg.Pool({ connectionString: server.url });
    db = new Kysely<Database>({
      dialect: new PostgresDialect({ pool }),
      log: ({ query }) => void asked.push(query),
    });
  });
  after(async () => {
    await db?.destroy();
    await client?.end();
    await server.close();
  });

  /** A managed user who has a task, with all that belongs to it. */
  const n = 42_421;
  const own = idOf(n);
  const organizationId = idOf(n % rows.organizations);
  const user: UserRow = {
    id: own,
    organization_id: organizationId,
    email: '',
    is_guest: true,
    created_at: new Date(),
  };

  const check = (name: string, work: () => Promise<unknown>) =>
    it(name, async () => {
      asked.length = 0;
      await work();
      const statements = asked.filter(({ sql }) =>
        /^\s*(select|with|insert|update|delete)/i.test(sql),
      );
      assert.ok(statements.length > 0);
      for (const { sql, parameters } of statements) {
        const explained = await client.query(`explain (format json) ${sql}`, [...parameters]);
        const whole = readWhole(explained.rows[0]['QUERY PLAN'][0].Plan);
        assert.deepEqual(
          whole.filter((table) => large.has(table)),
          [],
          sql,
        );
      }
    });
  const inTransaction = (work: Parameters<ReturnType<Db['transaction']>['execute']>[0]) =>
    db.transaction().execute(work);

  for (const filter of [{}, { folderId: own }, { projectId: own }]) {
    check(`a list of exports by ${Object.keys(filter)[0] ?? 'user'}`, async () => {
      const query = { userId: own, ...filter };
      const [first] = await exports.listExports(db, query, { limit: 1 });
      assert.ok(first);
      await exports.listExports(db, query, { limit: 500, after: first });
      await exports.readListState(db, query);
    });
  }
  check('changes that were missed', () =>
    readMissed(db, {
      tasks: [own],
      exports: [own],
      clips: [own],
      users: [own],
    }),
  );
  check('single rows', async () => {
    await exports.readShownExports(db, [own]);
    await readShownTasks(db, [own]);
    assert.ok(await findWatchedClip(db, own, own, own));
    assert.ok(await findClip(db, own, own, own));
    await exports.findNewest(db, own, own, 'processing');
    await exports.findNewest(db, own, own, 'ready');
  });
  check('tasks by their metadata', async () => {
    const asked = { userId: own, metadata: { order: String(n) } };
    assert.equal((await listTaskPlaces(db, asked, { limit: 21 })).length, 1);
  });
  check('tasks whose exports are to be started', async () => {
    for (const which of [{}, { taskId: own }, { clipId: own }, { exportId: own }]) {
      assert.deepEqual(await listDueTasks(db, which), []);
    }
  });
  check('limits', async () => {
    await countOpenWork(db, user, { user: 10, organization: 100 });
    await readTaskUsage(db, user, null);
    await readTaskUsage(db, user, own);
  });
  check('the start of an export', () =>
    inTransaction(async (trx) => {
      await accounts.lockPlan(trx, user);
      const [turn = 0] = await takeTurns(trx, 'exports', own, 1);
      const project = { id: own, folder_id: own, name: 'One', edit: spanEdit(0, 1) };
      await exports.insertExport(trx, user, project as Parameters<typeof exports.insertExport>[2], {
        id: randomUUID(),
        turn,
        watermark: null,
        style: null,
        duration: 1,
        work: 1,
        copied: false,
        estimated_ready_at: new Date(),
      });
    }),
  );
  check('accounts', async () => {
    assert.ok(await accounts.findOwnerByKey(db, 'hash-42'));
    assert.ok(await accounts.findManagedUser(db, organizationId, own));
    assert.ok(await accounts.findUser(db, own));
    await accounts.createManagedUser(db, organizationId);
    await accounts.findFirstOrganizationId(db);
  });
  check('estimates', () => readSnapshot(db));
  check('deletion', async () => {
    assert.ok(await deletion.deleteExport(db, own, { projectId: own, exportId: own }));
    assert.ok(await deletion.deleteClip(db, own, own));
    assert.ok(await deletion.deleteTask(db, own, own));
    assert.ok(await deletion.eraseUser(db, organizationId, own));
    await deletion.eraseOrganization(db, idOf(7));
  });
  check('retention', async () => {
    assert.ok(await deletion.deleteOldExports(db, 364));
    assert.ok(await deletion.deleteOldSources(db, 364));
    assert.ok(await deletion.deleteOldSegments(db, 364));
    assert.ok(await deletion.deleteOldTasks(db, 364));
  });
});
