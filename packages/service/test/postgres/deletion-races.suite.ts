import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { waitFor } from 'clip-testkit/wait-for';
import { createManagedUser, lockPlan } from '../../src/users/queries.ts';
import {
  deleteClip,
  deleteTask,
  eraseUser,
  deleteOldSources,
} from '../../src/tasks/deletion-queries.ts';
import { changeEdit } from '../../src/edits/queries.ts';
import { openDatabase, type OpenDatabase } from '../../src/db/open.ts';
import { findClip } from '../../src/clips/queries.ts';
import type { TaskRow } from '../../src/db/schema.ts';
import { addClips } from '../../src/tasks/queries.ts';
import { countViews, readViews } from '../../src/views/queries.ts';
import { writeWebhook } from '../../src/webhooks/queries.ts';
import { AttemptLost } from '../../src/queue/attempt-queries.ts';
import { startExport, type ExportStartDependencies } from '../../src/exports/start-export.ts';
import { openQueue } from '../../src/queue/open.ts';
import { noInputs, spanEdit } from 'clip-testkit/span-edit';
import { insertExports, insertLibrary, settleExport, type Library } from 'clip-testkit/rows';
import { testDatabase } from '../support/test-database.ts';

const queue = { send: () => Promise.resolve() };

describe('transactions that meet', () => {
  let server: Awaited<ReturnType<typeof testDatabase>>;
  let database: OpenDatabase;
  let library: Library;
  before(async () => {
    server = await testDatabase();
    database = await openDatabase({ dataDir: '', databaseUrl: server.url });
    // For its tables.
    await (await openQueue(database, () => {})).stop();
    library = await insertLibrary(database.db);
  });
  after(async () => {
    await database?.close();
    await server.close();
  });

  const scannedTask = async (userId: string): Promise<TaskRow> =>
    database.db
      .insertInto('tasks')
      .values({
        id: randomUUID(),
        type: 'video-to-video',
        author_id: userId,
        request: JSON.stringify({ type: 'video-to-video', source_video_url: 'https://a.example' }),
        output_type: 'project',
        output_id: randomUUID(),
        source: JSON.stringify({}),
        status: 'processing',
        stage: 'scan',
        share: 0,
      })
      .returningAll()
      .executeTakeFirstOrThrow();

  it('do not lock each other out: the end of a scan, and the erasure of its user', async () => {
    const { db } = database;
    for (let round = 0; round < 40; round += 1) {
      const { id: userId } = await createManagedUser(db, library.organizationId);
      const task = await scannedTask(userId);
      const clip = {
        ...{ id: task.output_id, name: 'clip', score: null, explanation: null, notes: [] },
        ...{
          edit: spanEdit(0, 1),
          inputs: noInputs,
          work: 0,
          segment: null,
          posterKey: 'posters/a/b.jpg',
        },
      };
      const attempt = { kind: 'scan', id: task.id, number: 0 } as const;
      const failure = { code: 'none', message: '' };
      const [added, erased] = await Promise.allSettled([
        addClips(db, queue, attempt, task, { notes: [], analysis: null, failure }, async () => [
          clip,
        ]),
        eraseUser(db, library.organizationId, userId),
      ]);
      assert.deepEqual(erased, { status: 'fulfilled', value: true });
      if (added.status === 'rejected') assert.ok(added.reason instanceof AttemptLost, added.reason);
    }
  });

  it('count each view once, and lose none, also while clips beside are deleted', async () => {
    const { db } = database;
    const { id: userId } = await createManagedUser(db, library.organizationId);
    const [kept, deleted] = [
      await insertLibrary(db, { userId }),
      await insertLibrary(db, { userId }),
    ];
    const view = (project_id: string) => ({ project_id, begins: true, marks: [0], muted: false });
    const batch = (at: number) => {
      const views = [view(kept.projectId), view(deleted.projectId)];
      // Each of them twice.
      const visitor = `visitor-${at >> 1}`;
      return countViews(
        db,
        (at % 4 < 2 ? views : views.toReversed()).map((record) => ({
          ...{ organizationId: library.organizationId, visitor, record },
        })),
      );
    };
    await Promise.all([
      ...Array.from({ length: 40 }, (_, at) => batch(at)),
      deleteClip(db, userId, deleted.projectId),
      ...Array.from({ length: 40 }, (_, at) => batch(at)),
    ]);
    assert.equal((await readViews(db, kept.projectId)).views, 20);
    assert.deepEqual((await readViews(db, kept.projectId)).marks, [20]);
    assert.equal((await readViews(db, deleted.projectId)).views, 0);
    await Promise.all([
      ...Array.from({ length: 20 }, (_, at) => batch(100 + at)),
      eraseUser(db, library.organizationId, userId),
    ]);
    const { rows } = await sql`select from view_visits
      where project_id in (${kept.projectId}, ${deleted.projectId})`.execute(db);
    assert.equal(rows.length, 0);
  });

  /** Work that is held after it has written, and before its transaction ends. */
  const held = () => {
    const wrote = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const send = (): Promise<void> => {
      wrote.resolve();
      return end.promise;
    };
    /** Waits until the work has written; fails if it ends without a job. */
    const untilWritten = (work: Promise<unknown>): Promise<void> =>
      Promise.race([wrote.promise, work.then(() => assert.fail('It has sent no job.'))]);
    return { queue: { send }, untilWritten, end: end.resolve };
  };
  const somebodyWaits = () =>
    waitFor('a transaction waits for another', async () => {
      const { rows } = await sql<{ waits: boolean }>`
        select exists (select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock') as waits`.execute(
        database.db,
      );
      return rows[0]!.waits;
    });
  /** A clip of a user, whose export and edit can be started. */
  const renderable = async () => {
    const { db } = database;
    const own = await insertLibrary(db, { renderable: true });
    const user = await db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', own.userId)
      .executeTakeFirstOrThrow();
    return { ...own, user, clip: (await findClip(db, own.userId, own.projectId))! };
  };

  const deletions: Record<string, (own: Library) => Promise<boolean>> = {
    clip: (own) => deleteClip(database.db, own.userId, own.projectId),
    task: (own) => deleteTask(database.db, own.userId, own.taskId),
  };
  for (const [what, remove] of Object.entries(deletions)) {
    it(`delete a ${what} also while an export of it begins`, async () => {
      const { db } = database;
      const own = await renderable();
      const { queue, untilWritten, end } = held();
      const forecast = { exportReady: () => new Date(), add: () => {} };
      const service = {
        ...{ db, queue, allowPrivateSources: false, exportQuality: 'high' },
        ...{ estimates: { current: async () => forecast }, limits: { requireWorkRoom() {} } },
      } as unknown as ExportStartDependencies;
      const { signal } = new AbortController();
      const start = startExport(service, own.user, own.clip, { signal });
      await untilWritten(start);
      const removed = remove(own);
      await somebodyWaits();
      end();
      const { id } = await start;
      assert.equal(await removed, true);
      const left = db.selectFrom('exports').select('id').where('id', '=', id);
      assert.equal(await left.executeTakeFirst(), undefined);
      assert.equal(await findClip(db, own.userId, own.projectId), undefined);
    });
  }

  it('keep the source of a clip whose change is being accepted', async () => {
    const { db } = database;
    const { clip, taskId } = await renderable();
    const finished_at = new Date(Date.now() - 10 * 24 * 60 * 60 * 1000);
    await db.updateTable('tasks').set({ finished_at }).where('id', '=', taskId).execute();
    const { queue, untilWritten, end } = held();
    const { id, author_id: userId } = clip;
    const changed = changeEdit(
      db,
      queue,
      { userId, id, expected: null, quietSeconds: 3 },
      async () => ({
        // Another edit than that of the clip: a preview that is the same would not be rendered.
        ...{ inputs: noInputs, changes: { title: 'Later' }, edit: spanEdit(1, 3), work: 0 },
      }),
    );
    await untilWritten(changed);
    const forgotten = deleteOldSources(db, 9);
    await somebodyWaits();
    end();
    await changed;
    assert.equal(await forgotten, 0);
    assert.ok((await findClip(db, userId, id))!.source);
  });

  it('let exports finish while others of the organization are counted', async () => {
    const { db } = database;
    const secrets = [`whsec_${Buffer.alloc(32, 1).toString('base64')}`];
    await writeWebhook(db, { url: 'https://a.example', secrets }, { origin: 'made' });
    const [id = ''] = await insertExports(db, library, 1);
    const { userId, organizationId: organization_id } = library;
    await db.transaction().execute(async (trx) => {
      await lockPlan(trx, { id: userId, organization_id });
      await settleExport(db, id);
    });
    const { status } = await db
      .selectFrom('exports')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    assert.equal(status, 'ready');
  });
});
