import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { exportSchema, type Project } from 'clip-kit/contract';
import type { LogEntry } from '../../src/config/config.ts';
import { currentSchema, type SchemaVersion } from '../../src/db/migrate.ts';
import { openDatabase, type OpenDatabase } from '../../src/db/open.ts';
import { startWorker } from '../../src/service.ts';
import { heldPrograms, type HeldPrograms } from 'clip-testkit/held-programs';
import { testDatabase } from '../support/test-database.ts';
import { assertProblem, eventually, World } from 'clip-testkit/world';

// The older one is the service as it is. The newer one is the same service, which has one more
// migration: statements of the older one can be told by the name of its connections.
const older = 'older';

const expand: SchemaVersion = {
  migrations: {
    ...currentSchema.migrations,
    '9000-expand': {
      up: (db) => sql`alter table exports add column note text`.execute(db).then(() => {}),
    },
  },
  required: currentSchema.required,
};

/** From now on what the older one writes to exports fails, as if a column had been dropped. */
const contract: SchemaVersion = {
  migrations: {
    ...expand.migrations,
    '9001-contract': {
      async up(db) {
        await sql`create function fail_older() returns trigger language plpgsql as $$
          begin
            if current_setting('application_name') = ${sql.lit(older)} then
              raise exception 'column "gone" does not exist';
            end if;
            return new;
          end $$`.execute(db);
        await sql`create trigger fail_older before insert or update on exports
          for each row execute function fail_older()`.execute(db);
      },
    },
  },
  required: '9001-contract',
};

describe('two versions beside each other on one database', () => {
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let world: World;
  let own: OpenDatabase;
  let clip: Project;
  let directory: string;
  let programs: HeldPrograms;
  const path = process.env['PATH'];
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'clip-versions-'));
    programs = await heldPrograms(directory);
    process.env['PATH'] = programs.path;
    database = await testDatabase();
    const databaseUrl = `${database.url}?application_name=${older}`;
    world = await World.start({ databaseUrl, concurrency: 1 });
    own = await openDatabase({ dataDir: '', databaseUrl: database.url });
    clip = await world.makeWhole();
  });
  after(async () => {
    await world?.close();
    await own?.close();
    await database.close();
    process.env['PATH'] = path;
    await rm(directory, { recursive: true, force: true });
  });

  const begin = async (count: number): Promise<string[]> => {
    const path = `/projects/${clip.id}/exports`;
    const answers = await Promise.all(Array.from({ length: count }, () => world.post(path)));
    return answers.map(({ body }) => exportSchema.parse(body).id);
  };
  const ready = async (ids: readonly string[]): Promise<void> => {
    await eventually(async () => {
      const rows = await own.db
        .selectFrom('exports')
        .select(['status', 'failure_message'])
        .where('id', 'in', ids)
        .execute();
      assert.deepEqual(
        rows.filter(({ status }) => status === 'error'),
        [],
      );
      assert.ok(rows.every(({ status }) => status === 'ready'));
    });
  };
  const start = async (schema: SchemaVersion) => {
    const log: LogEntry[] = [];
    const { close } = await startWorker(
      {
        dataDir: join(world.directory, 'data'),
        allowPrivateSources: true,
        databaseUrl: database.url,
        concurrency: 1,
        faces: 'off',
        log: (entry) => log.push(entry),
      },
      schema,
    );
    return { log, close };
  };
  const made = (log: readonly LogEntry[], ids: readonly string[]): number =>
    log.filter(({ event, id }) => event === 'export-ready' && ids.includes(String(id))).length;

  it('both work if the newer one has only added to the tables', async () => {
    const newer = await start(expand);
    const ids = await begin(8);
    await ready(ids);
    assert.ok(made(newer.log, ids) > 0);
    assert.ok(made(world.log, ids) > 0);
    assert.equal((await fetch(`${world.service.url}/readyz`)).status, 200);
    await newer.close();
  });

  it('the older one leaves all to the newer one that has dropped what it needs', async () => {
    // The older one is at work while the newer one starts, and cannot do all of it before.
    await programs.pause('export', '-b:a 160k');
    const ids = await begin(8);
    await programs.reached('export');
    const newer = await start(contract);
    await programs.resume('export');
    await ready(ids);
    await eventually(async () => {
      const answer = await fetch(`${world.service.url}/readyz`);
      assert.equal(answer.status, 503);
      assert.equal((await answer.json()).reason, 'database-newer');
    });
    assertProblem(await world.post(`/projects/${clip.id}/exports`), 503, 'service-unavailable');
    assertProblem(await world.get('/exports'), 503, 'service-unavailable');
    assert.ok(made(newer.log, ids) > 0);
    const said = world.log.filter(({ event }) => event === 'no-jobs-taken');
    assert.deepEqual(
      said.map(({ code }) => code),
      ['database-newer'],
      'one line',
    );
    await newer.close();
  });
});
