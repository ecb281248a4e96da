import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import {
  readPreviewWork,
  readSnapshot,
  readWaiting,
  type OpenExport,
} from '../../src/exports/estimate-queries.ts';
import type { OpenDatabase } from '../../src/db/open.ts';
import { Estimates, Forecast } from '../../src/exports/forecast.ts';
import { eventually } from 'clip-testkit/world';
import { temporaryDatabase } from 'clip-testkit/prepared-database';
import { insertExports, insertLibrary, type Library } from 'clip-testkit/rows';

// The queue as rows: what stands in them is what the estimates are made of.
describe('the estimates of a queue', () => {
  let database: OpenDatabase;
  let library: Library;
  before(async () => {
    database = await temporaryDatabase();
    library = await insertLibrary(database.db);
  });
  after(() => database?.close());

  const change = (id: string, values: object) =>
    database.db.updateTable('exports').set(values).where('id', '=', id).execute();
  let order = 0;
  const add = async (values: object = {}): Promise<string> => {
    const [id] = await insertExports(database.db, library, 1);
    order += 1;
    const created_at = new Date(order * 1000);
    await change(id!, { stage: 'queued', work: 10, created_at, ...values });
    return id!;
  };
  // Rows say when something was: no time passes here.
  const now = Math.floor(Date.now() / 1000) * 1000;
  const ago = (seconds: number): Date => new Date(now - seconds * 1000);
  const forecast = async () => new Forecast(await readSnapshot(database.db), now);
  const row = (id: string): Promise<OpenExport> =>
    database.db.selectFrom('exports').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  /** Seconds from now, by all that the database says. */
  const seconds = async (id: string): Promise<number> =>
    ((await forecast()).exportReady(await row(id), now)!.getTime() - now) / 1000;
  const near = (actual: number, wanted: number) =>
    assert.ok(Math.abs(actual - wanted) < 0.01, `${actual} is not about ${wanted}`);

  /** As fast as is expected where nothing was settled. */
  const settle = () => add({ status: 'ready', started_at: ago(506.5), finished_at: ago(500) });

  describe('that is short', () => {
    beforeEach(() => database.db.deleteFrom('exports').execute());

    it('are later for each export that is queued before, and for none behind', async () => {
      await settle();
      const running = await add({ stage: 'render', started_at: ago(0) });
      const ids = [await add(), await add(), await add({ turn: 60 })];
      const left = [await seconds(running), ...(await Promise.all(ids.map(seconds)))];
      left.forEach((one, index) => near(one, 6.5 * (index + 1)));
      await add({ turn: 61, work: 1000 });
      near(await seconds(ids[2]!), 26);
    });

    it('come nearer for those behind when one fails, or is done', async () => {
      await settle();
      const first = await add({ stage: 'render', started_at: ago(0) });
      const [second, third] = [await add(), await add()];
      near(await seconds(third), 19.5);
      await change(second, { status: 'error', finished_at: ago(0) });
      near(await seconds(third), 13);
      await change(first, { status: 'ready', started_at: ago(6.5), finished_at: ago(0) });
      near(await seconds(third), 6.5);
    });

    it('follow the pace of the render, for those behind too', async () => {
      await settle();
      const first = await add({
        stage: 'render',
        started_at: ago(4),
        share_at: ago(0),
        share: 0.5,
      });
      const second = await add();
      const before = [await seconds(first), await seconds(second)];
      await change(first, { started_at: ago(60) });
      assert.ok((await seconds(first)) > before[0]! + 5);
      assert.ok((await seconds(second)) > before[1]! + 5);
    });

    it('learn from what was settled, by any worker; not from copies, nor from what failed', async () => {
      const done = { status: 'ready', finished_at: ago(0), started_at: ago(40.5) };
      await add({ ...done, status: 'error', started_at: ago(4000) });
      await add({ ...done, copied: true, started_at: ago(0.5) });
      const one = await add();
      near(await seconds(one), 6.5);
      await add(done);
      near(await seconds(one), 40.5);
    });

    it('take the tasks before for the first export, and for the next task', async () => {
      const projects = database.db.updateTable('projects');
      await projects.set({ work: 20, created_at: ago(6) }).execute();
      await database.db
        .updateTable('tasks')
        .set({ finished_at: ago(0) })
        .execute();
      const one = await add();
      near(await seconds(one), 3.5);
      near(((await forecast()).taskReady(5, now).getTime() - now) / 1000, 1.5);
      await projects.set({ work: 0 }).execute();
    });

    it('count the previews of a task that are not done', async () => {
      const { db } = database;
      const projects = db.updateTable('projects');
      await projects.set({ work: 20, share: 0.25, preview: 'preparing' }).execute();
      assert.equal(await readPreviewWork(db, library.taskId), 15);
      await projects.set({ work: 0, share: 1, preview: 'ready' }).execute();
      assert.equal(await readPreviewWork(db, library.taskId), 0, 'between its last and its end');
    });
  });

  describe('that are kept', () => {
    /** Counts how often the queue is read; each reading takes `tookMs` of the clock. */
    const keeping = () => {
      const state = { reads: 0, now: 0, tookMs: 0 };
      const spied = database.db.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          if ('copies' in (result.rows[0] ?? {})) {
            state.reads += 1;
            state.now += state.tookMs;
          }
          return result;
        },
      });
      const estimates = new Estimates(spied, () => state.now);
      return { state, current: () => estimates.current() };
    };
    before(async () => void (await add()));

    it('are read once for all who ask within a fifth of a second', async () => {
      const { state, current } = keeping();
      const [first, second] = await Promise.all([current(), current()]);
      assert.equal(first, second);
      state.now = 199;
      assert.equal(await current(), first);
      assert.equal(state.reads, 1);
      state.now = 1000;
      assert.notEqual(await current(), first);
      assert.equal(state.reads, 2);
    });

    it('are read a tenth of the time at most, and nobody waits for a long queue', async () => {
      const { state, current } = keeping();
      state.tookMs = 300;
      const first = await current();
      state.now = 2999;
      assert.equal(await current(), first);
      assert.equal(state.reads, 1);
      state.now = 3000;
      assert.equal(await current(), first, 'the old one, while it is read again');
      await eventually(async () => assert.notEqual(await current(), first));
      assert.equal(state.reads, 2);
    });

    it('are waited for where the old ones are of no use any more', async () => {
      const { state, current } = keeping();
      state.tookMs = 300;
      const first = await current();
      state.now = 9001;
      assert.notEqual(await current(), first);
    });

    it('are asked for again where they could not be read', async () => {
      const { current } = keeping();
      await sql`alter table exports rename to exports_away`.execute(database.db);
      await assert.rejects(current());
      await sql`alter table exports_away rename to exports`.execute(database.db);
      await current();
    });
  });

  describe('with 5,000 exports that wait', () => {
    before(async () => {
      await database.db.deleteFrom('exports').execute();
      const [pattern] = await insertExports(database.db, library, 1);
      await change(pattern!, { stage: 'queued', work: 2 });
      const columns = sql.raw(
        `organization_id, author_id, project_id, name, duration, edit, status, stage, share, work,
          copied, estimated_ready_at, created_at`,
      );
      // Nobody listens: to notify of each takes most of the time.
      await sql`alter table exports disable trigger user`.execute(database.db);
      // Many share their turn and their time: a page ends among them.
      await sql`insert into exports (id, turn, ${columns})
        select gen_random_uuid()::text, number / 1500, ${columns}
          from exports cross join generate_series(1, 4999) number where id = ${pattern}`.execute(
        database.db,
      );
      await sql`analyze exports`.execute(database.db);
    });

    it('count each of them once, in few places that are the closer the nearer', async () => {
      const places = await readWaiting(database.db);
      assert.ok(places.length < 400, `${places.length} places`);
      const last = places.at(-1)!;
      assert.deepEqual([last.jobs, last.work, last.copies], [5000, 10_000, 0]);
      places.forEach(({ jobs, work }, index) => {
        const before = places[index - 1]?.jobs ?? 0;
        assert.ok(jobs > before && jobs - before <= 1 + 0.025 * jobs, `${before}, ${jobs}`);
        assert.equal(work, 2 * jobs);
      });
    });

    it('read them 2,000 at a time', async () => {
      let statements = 0;
      const spied = database.db.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          statements += 1;
          return result;
        },
      });
      await readWaiting(spied);
      assert.equal(statements, 3);
    });
  });
});
