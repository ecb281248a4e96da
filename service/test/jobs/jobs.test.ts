import assert from 'node:assert/strict';
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readSetting } from '../../src/db/settings.ts';
import { exportRenderWork } from '../../src/estimates/estimates.ts';
import { exportClip } from '../../src/jobs/export-job.ts';
import type { MeasuredRender } from '../../src/estimates/machine-speed.ts';
import { renderPreviews } from '../../src/jobs/previews.ts';
import { RowProgress } from '../../src/jobs/progress.ts';
import { rowJob } from '../../src/jobs/run-job.ts';
import { machineFault } from '../../src/db/machine-fault.ts';
import { ExportRefused } from '../../src/accounts/allowance.ts';
import { startExport } from '../../src/exports/start-export.ts';
import type { Edit } from '../../../engine/src/edit.ts';
import { heldPrograms, type HeldPrograms } from '../support/held-programs.ts';
import { JobWorld, stretchEdit } from '../support/job-world.ts';
import { film } from '../../../engine/test/support/media-footage.ts';

const signal = () => new AbortController().signal;

describe('the jobs', () => {
  let directory: string;
  let programs: HeldPrograms;
  let world: JobWorld;
  let footage: string;
  const path = process.env['PATH'];
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'clip-jobs-programs-'));
    programs = await heldPrograms(directory);
    process.env['PATH'] = programs.path;
    footage = await film(join(directory, 'film.mp4'));
    world = await JobWorld.open();
  });
  after(async () => {
    process.env['PATH'] = path;
    await world?.close();
    await rm(directory, { recursive: true, force: true });
  });

  let copies = 0;
  const addTask = async (...edits: Edit[]) => {
    const copy = join(directory, `copy-${(copies += 1)}.mp4`);
    await copyFile(footage, copy);
    return world.addTask(copy, edits);
  };
  const small = (start: number, changes: Partial<Edit> = {}) =>
    stretchEdit(start, start + 1, { dimensions: { width: 108, height: 192 }, ...changes });
  const previews = async (task: string): Promise<string[]> =>
    (
      await world.service.db
        .selectFrom('projects')
        .select('preview')
        .where('task_id', '=', task)
        .orderBy('position')
        .execute()
    ).map(({ preview }) => preview);
  const measured = async (): Promise<MeasuredRender[]> => {
    const setting = await readSetting(world.service.db, 'measured-renders');
    return (setting as { renders: MeasuredRender[] }).renders;
  };

  describe('the previews of a task', () => {
    it('are left to the job’s next attempt when a program is killed, with those that are done kept', async () => {
      const task = await addTask(small(0), small(2));
      const shares: number[] = [];
      const attempt = async () =>
        renderPreviews(
          world.service,
          await world.begin('task', task.id),
          task.source,
          signal(),
          (share) => shares.push(share),
        );
      await programs.kill('first', '-ss 2.000000');
      const error = await attempt().then(
        () => null,
        (reason: unknown) => reason,
      );
      assert.equal(machineFault(error)?.code, 'program-killed', String(error));
      assert.deepEqual(await previews(task.id), ['ready', 'preparing']);
      shares.length = 0;
      await attempt();
      assert.deepEqual(await previews(task.id), ['ready', 'ready']);
      assert.equal(shares[0], 0.5, 'what is there is told before the next one is begun');
      assert.equal(shares.at(-1), 1);
    });

    describe('that are looked at first', () => {
      const unseen = (start: number) =>
        small(start, {
          unseen: true,
          framing: { mode: 'crop', x: 110, y: 0, width: 101, height: 180 },
        });
      const lookAtSecond = '-skip_loop_filter all -ss 2.000000';

      it('take turns: the next clip is looked at while one is rendered', async () => {
        const task = await addTask(unseen(0), unseen(2));
        await programs.pause('first render', '-b:a 96k');
        await programs.pause('second look', lookAtSecond);
        const attempt = await world.begin('task', task.id);
        const shares: number[] = [];
        const rendering = renderPreviews(world.service, attempt, task.source, signal(), (share) =>
          shares.push(share),
        );
        await programs.reached('first render');
        await programs.reached('second look');
        assert.deepEqual(await previews(task.id), ['preparing', 'preparing']);
        await programs.resume('first render');
        await programs.resume('second look');
        await rendering;
        assert.deepEqual(await previews(task.id), ['ready', 'ready']);
        assert.deepEqual(
          shares,
          shares.toSorted((one, other) => one - other),
          'the share never goes back',
        );
      });

      it('end together: the next look stops when a render is killed', async () => {
        const task = await addTask(unseen(0), unseen(2));
        await programs.kill('render', '-b:a 96k');
        await programs.hold('endless look', lookAtSecond);
        const attempt = await world.begin('task', task.id);
        await assert.rejects(
          renderPreviews(world.service, attempt, task.source, signal(), () => {}),
          (error) => machineFault(error)?.code === 'program-killed',
        );
        await programs.release();
        assert.deepEqual(await previews(task.id), ['preparing', 'preparing']);
      });
    });

    it('stay ready where the measurement of one cannot be kept', async () => {
      const task = await addTask(small(0));
      const { db } = world.service;
      await db.schema.alterTable('settings').renameTo('settings_away').execute();
      try {
        const attempt = await world.begin('task', task.id);
        await renderPreviews(world.service, attempt, task.source, signal(), () => {});
      } finally {
        await db.schema.alterTable('settings_away').renameTo('settings').execute();
      }
      assert.deepEqual(await previews(task.id), ['ready']);
      assert.ok(world.log.some(({ event }) => event === 'measurement-not-kept'));
    });
  });

  describe('an export', () => {
    const work = async (id: string) => {
      const attempt = await world.begin('export', id);
      const progress = new RowProgress(world.service.db, attempt);
      await exportClip(world.service, attempt, progress, signal());
    };

    it('is measured by the render that was made, not by what was thought of it at its start', async () => {
      const task = await addTask(small(0, { unseen: true }));
      const id = await world.addExport(task.projects[0]!);
      await work(id);
      assert.equal((await world.exportRow(id)).status, 'ready');
      const { edit } = await world.service.db
        .selectFrom('projects')
        .select('edit')
        .where('task_id', '=', task.id)
        .executeTakeFirstOrThrow();
      assert.equal(edit.unseen, undefined);
      const render = (await measured()).at(-1)!;
      assert.equal(render.source, task.id);
      assert.equal(render.work, exportRenderWork(edit, task.source, false, 'standard'));
    });

    it('that was to be copied and cannot be is told as the encode that it is', async () => {
      // It begins between two keyframes.
      const task = await addTask(stretchEdit(0.52, 1.52), stretchEdit(1, 2));
      const [encoded, copied] = [
        await world.addExport(task.projects[0]!, { copied: true }),
        await world.addExport(task.projects[1]!, { copied: true }),
      ];
      const left = async () =>
        (await world.service.estimates.current()).get(encoded)!.getTime() - Date.now();
      const before = await left();
      await programs.hold('encode', '-b:a 160k');
      const stop = new AbortController();
      const attempt = await world.begin('export', encoded);
      const progress = new RowProgress(world.service.db, attempt);
      const running = exportClip(world.service, attempt, progress, stop.signal).catch(() => {});
      await programs.reached('encode');
      const now = await left();
      assert.ok(now > 5 * before, `${now} ms left after ${before} ms`);
      stop.abort();
      await running;
      await work(encoded);
      await work(copied);
      const rows = [await world.exportRow(encoded), await world.exportRow(copied)];
      assert.deepEqual(
        rows.map((row) => [row.status, row.copied]),
        [
          ['ready', false],
          ['ready', true],
        ],
      );
    });

    it('that the stopping service puts back is queued, with nothing of it done', async () => {
      const task = await addTask(small(0));
      const id = await world.addExport(task.projects[0]!);
      const stop = new AbortController();
      const service = { ...world.service, closing: stop.signal };
      const job = rowJob(service, 'export', async (_service, _attempt, progress, closing) => {
        progress.report('render', 0.7);
        await progress.settled();
        assert.equal((await world.exportRow(id)).share, 0.7);
        stop.abort(new Error('The service is stopping.'));
        closing.throwIfAborted();
      });
      await assert.rejects(job(id, signal()), /put back/);
      const { stage, share, attempts, given_back } = await world.exportRow(id);
      assert.deepEqual({ stage, share }, { stage: 'queued', share: 0 });
      assert.deepEqual({ attempts, given_back }, { attempts: 1, given_back: 1 }, 'none counts');
    });

    it('that the plan refuses, or that is there already, costs no look at the source', async () => {
      const task = await addTask(stretchEdit(1, 2));
      const project = task.projects[0]!;
      const start = (reuse: boolean) =>
        startExport(world.service, world.user, project, { reuse, signal: signal() });
      await programs.kill('looked', '-show_format');
      const there = await world.addExport(project);
      assert.equal((await start(true)).id, there);
      const paused = (state: 'paused' | 'active') =>
        world.service.db.updateTable('organizations').set({ state }).execute();
      await paused('paused');
      await assert.rejects(start(false), ExportRefused);
      await paused('active');
      assert.deepEqual(await readdir(join(directory, 'held')), ['looked']);
      await programs.release();
    });
  });
});
