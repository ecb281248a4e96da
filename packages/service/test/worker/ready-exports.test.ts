import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ExportWhenReady } from 'clip-kit/contract';
import { spanEdit } from 'clip-testkit/span-edit';
import { settleExport } from 'clip-testkit/rows';
import { changePlan } from '../../src/users/queries.ts';
import { UsageLimits } from '../../src/users/limits.ts';
import { writeWebhook } from '../../src/webhooks/queries.ts';
import { readEvents } from '../../src/webhooks/deliveries.ts';
import { readShownTasks } from '../../src/tasks/queries.ts';
import { exportReadyTasks } from '../../src/worker/ready-exports.ts';
import { jobWorld } from '../support/job-world.ts';

describe('the exports that a task has asked for', () => {
  const world = jobWorld();
  const db = () => world().service.db;

  /** Adds a task with clips whose previews are ready, best first. */
  async function add(asked: ExportWhenReady, clips = 3, status: 'ready' | 'processing' = 'ready') {
    const { id, projects } = await world().addTask(
      Array.from({ length: clips }, (_, at) => spanEdit(at, at + 1)),
    );
    const clipIds = projects.map((project) => project.id);
    const request = { type: 'video-to-shorts', name: 'Talk', export_when_ready: asked };
    await db()
      .updateTable('projects')
      .set({ preview: 'ready' })
      .where('task_id', '=', id)
      .execute();
    await db()
      .updateTable('tasks')
      .set({ status, ready_exports: 'asked', request: JSON.stringify(request) })
      .where('id', '=', id)
      .execute();
    return { id, clipIds };
  }
  const shown = async (id: string) => (await readShownTasks(db(), [id]))[0]!;
  const exportsOf = (clipIds: readonly string[]) =>
    db().selectFrom('exports').selectAll().where('project_id', 'in', clipIds).execute();
  const countedOf = async (): Promise<number> =>
    (await db().selectFrom('export_counts').select('exports').executeTakeFirst())?.exports ?? 0;
  const run = (id: string, change = {}) =>
    exportReadyTasks({ ...world().service, ...change }, { taskId: id });
  const isEnded = async (id: string): Promise<boolean> =>
    (await db().selectFrom('tasks').select('ready_exports').where('id', '=', id).execute())[0]
      ?.ready_exports === 'done';

  it('are those of its best clips, once it is ready', async () => {
    const { id, clipIds } = await add({ count: 2 }, 3, 'processing');
    await run(id);
    assert.deepEqual((await shown(id)).export_ids, []);
    await db().updateTable('tasks').set({ status: 'ready' }).where('id', '=', id).execute();
    await run(id);
    const made = await exportsOf(clipIds);
    const { export_ids, notes } = await shown(id);
    assert.deepEqual(
      export_ids!.map((one) => made.find((row) => row.id === one)!.project_id),
      clipIds.slice(0, 2),
    );
    assert.equal(made.length, 2);
    assert.deepEqual(notes, []);
  });

  it('are of all clips that play', async () => {
    const { id, clipIds } = await add({ count: 'all' });
    const [first = ''] = clipIds;
    await db().updateTable('projects').set({ preview: 'failed' }).where('id', '=', first).execute();
    await run(id);
    const made = await exportsOf(clipIds);
    assert.deepEqual(made.map((row) => row.project_id).toSorted(), clipIds.slice(1).toSorted());
  });

  it('are paid once, though the worker fails in between, and two start them at once', async () => {
    const before = await countedOf();
    const { id, clipIds } = await add({ count: 'all' });
    const { queue } = world().service;
    let sent = 0;
    const send = (...job: Parameters<typeof queue.send>) =>
      ++sent === 2 ? Promise.reject(new Error('It was killed.')) : queue.send(...job);
    await run(id, { queue: { send } });
    assert.equal((await exportsOf(clipIds)).length, 1);
    assert.equal(world().log.at(-1)?.event, 'ready-exports-failed');
    await Promise.all([run(id), run(id)]);
    await run(id);
    assert.equal((await exportsOf(clipIds)).length, 3);
    assert.equal((await shown(id)).export_ids!.length, 3);
    assert.equal(await countedOf(), before + 3);
  });

  it('are refused beyond the allowance, with a note, and the rest is started', async () => {
    const { id, clipIds } = await add({ count: 'all' });
    const counted = await countedOf();
    await changePlan(db(), { plan: 'free', exportAllowance: counted + 1 });
    try {
      await run(id);
    } finally {
      await changePlan(db(), { plan: 'paid', exportAllowance: null });
    }
    assert.equal((await exportsOf(clipIds)).length, 1);
    assert.equal(await countedOf(), counted + 1);
    const { notes } = await shown(id);
    assert.deepEqual(notes, [
      {
        code: 'export-limit',
        message: `2 clips were not exported: The plan allows ${counted + 1} exports, and all of them are used up.`,
      },
    ]);
    await run(id);
    assert.equal((await exportsOf(clipIds)).length, 1, 'a larger allowance is for other exports');
  });

  it('wait for room in the queue of the user', async () => {
    const { id, clipIds } = await add({ count: 'all' });
    const limits = new UsageLimits({ user: { queuedExports: 0 } });
    await run(id, { limits });
    assert.equal((await exportsOf(clipIds)).length, 0);
    await run(id);
    assert.equal((await exportsOf(clipIds)).length, 3);
  });

  it('are not made with a preset that is gone', async () => {
    const { id, clipIds } = await add({ count: 1, preset_id: 'gone' });
    await run(id);
    assert.equal((await exportsOf(clipIds)).length, 0);
    const { notes } = await shown(id);
    assert.equal(notes?.[0]?.code, 'preset-unknown');
    assert.match(notes[0].message, /^One clip was not exported: there is no style preset "gone"/);
  });

  it('are not made with a watermark that cannot be used, which is fetched once', async () => {
    const watermark = { src_url: 'http://127.0.0.1:9/logo.png', pos_x: 0.5, pos_y: 0.5, scale: 1 };
    const counted = await countedOf();
    const { id, clipIds } = await add({ count: 'all', watermark });
    await run(id);
    assert.deepEqual([(await exportsOf(clipIds)).length, await countedOf()], [0, counted]);
    const { notes } = await shown(id);
    assert.equal(notes?.length, 1);
    assert.equal(notes[0]!.code, 'watermark-unreachable');
    assert.match(notes[0]!.message, /^3 clips were not exported: /);
  });

  it('are told when all of them are over, once', async () => {
    const secrets = [`whsec_${Buffer.alloc(32, 5).toString('base64')}`];
    await writeWebhook(db(), { url: 'http://127.0.0.1:9/', secrets }, { origin: 'made' });
    const { id } = await add({ count: 2 });
    await run(id);
    const { export_ids } = await shown(id);
    const [first = '', second = ''] = export_ids!;
    await settleExport(db(), first);
    await exportReadyTasks(world().service, { exportId: first });
    assert.equal(await isEnded(id), false);
    await db()
      .updateTable('exports')
      .set({ status: 'error', failure_code: 'a', failure_message: 'b' })
      .where('id', '=', second)
      .execute();
    await Promise.all([1, 2].map(() => exportReadyTasks(world().service, { exportId: second })));
    await exportReadyTasks(world().service);
    assert.equal(await isEnded(id), true);
    const deliveries = await db()
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('type', '=', 'task.exports_ready')
      .execute();
    assert.deepEqual(
      deliveries.map((one) => one.row_id),
      [id],
    );
    const [event] = (await readEvents(world().service, deliveries)).values();
    assert.deepEqual((event!.data as { export_ids?: string[] }).export_ids, export_ids);
  });

  it('are over at once where there are none to make', async () => {
    const { id } = await add({ count: 1, preset_id: 'gone' });
    await run(id);
    assert.equal(await isEnded(id), true);
    assert.deepEqual((await shown(id)).export_ids, []);
  });
});
