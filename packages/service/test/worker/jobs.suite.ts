import assert from 'node:assert/strict';
import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { removeFiles } from '../../src/operations/garbage-collection.ts';
import { exportClip, exportRows } from '../../src/worker/exports.ts';
import { makePreview, previewRows } from '../../src/worker/previews.ts';
import { RowProgress } from '../../src/worker/progress.ts';
import { makeRowJob } from '../../src/worker/run-job.ts';
import { beginAttempt, writeProgress } from '../../src/queue/attempt-queries.ts';
import { findMachineFault } from '../../src/db/connections.ts';
import { startExport } from '../../src/exports/start-export.ts';
import { computeTaskShare } from '../../src/tasks/rules.ts';
import type { Edit } from 'clip-engine';
import { heldPrograms, type HeldPrograms } from 'clip-testkit/held-programs';
import { JobWorld } from '../support/job-world.ts';
import { spanEdit } from 'clip-testkit/span-edit';
import { eventually } from 'clip-testkit/world';
import { makeVideo } from 'clip-testkit/media-footage';

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
    footage = await makeVideo(join(directory, 'video.mp4'));
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
    return world.addTask(edits, copy);
  };
  const small = (start: number, changes: Partial<Edit> = {}) =>
    spanEdit(start, start + 1, { dimensions: { width: 108, height: 192 }, ...changes });
  /** A clip of a picture track that its source does not have. */
  const impossible = (start: number) =>
    small(start, {
      source: { width: 320, height: 180, frameRate: 25, hasAudio: true, videoStream: 7 },
    });
  const previews = async (task: string): Promise<string[]> =>
    (
      await world.service.db
        .selectFrom('projects')
        .select('preview')
        .where('task_id', '=', task)
        .orderBy('position')
        .execute()
    ).map(({ preview }) => preview);

  describe('the previews of a task', () => {
    const workOn = (id: string, isUrgent = false) =>
      makeRowJob(world.service, previewRows, makePreview)(id, signal(), isUrgent);
    const taskRow = (id: string) =>
      world.service.db
        .selectFrom('tasks')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
    const settled = (id: string) =>
      world.log.filter((entry) => entry['id'] === id).map(({ event }) => event);

    it('are made one by one, the share of the task follows, and the last makes it ready', async () => {
      const task = await addTask(small(0), small(2));
      const [first, second] = task.projects.map(({ id }) => id);
      await workOn(second!);
      const half = await taskRow(task.id);
      assert.equal(half.status, 'processing');
      assert.ok(Math.abs(half.share - computeTaskShare('preview', 0.5)) < 0.01, String(half.share));
      assert.deepEqual(await previews(task.id), ['preparing', 'ready']);
      await workOn(first!);
      const { status, share, finished_at } = await taskRow(task.id);
      assert.deepEqual([status, share], ['ready', 1]);
      assert.ok(finished_at);
      assert.deepEqual(settled(task.id), ['task-ready']);
      await workOn(first!);
      assert.deepEqual(settled(task.id), ['task-ready'], 'a job that comes twice does nothing');
    });

    it('leave nothing of the posters before them, nor of lost scans, once the task is ready', async () => {
      const { db, storage } = world.service;
      const task = await addTask(small(0));
      const clip = task.projects[0]!.id;
      const copy = async (key: string) => {
        const file = join(directory, 'left');
        await copyFile(footage, file);
        await storage.put(key, file);
        return key;
      };
      const first = await copy(`posters/${task.id}/1-first.jpg`);
      const lost = await copy(`segments/${task.id}/1-lost.video`);
      await db.updateTable('projects').set({ poster_key: first }).where('id', '=', clip).execute();
      await removeFiles(world.service);
      assert.ok(await storage.stat(first));
      await workOn(clip);
      await removeFiles(world.service);
      for (const key of [first, lost]) assert.equal(await storage.stat(key), null, key);
      assert.ok(await storage.stat(task.source.key));
    });

    it('are left to the next attempt when a program is killed', async () => {
      const task = await addTask(small(0), small(2));
      const [first, second] = task.projects.map(({ id }) => id);
      await workOn(first!);
      await programs.kill('render', '-b:a 96k');
      await assert.rejects(
        workOn(second!),
        (error) => findMachineFault(error)?.code === 'program-killed',
      );
      assert.deepEqual(await previews(task.id), ['ready', 'preparing']);
      assert.equal((await taskRow(task.id)).status, 'processing');
      await workOn(second!);
      assert.equal((await taskRow(task.id)).status, 'ready');
    });

    it('go on without one that cannot be made', async () => {
      const task = await addTask(impossible(0), small(2));
      const [broken, whole] = task.projects.map(({ id }) => id);
      await workOn(broken!);
      assert.deepEqual(await previews(task.id), ['failed', 'preparing']);
      await workOn(whole!);
      assert.equal((await taskRow(task.id)).status, 'ready');
    });

    it('fail the task if none can be made, and nothing of it is left but its picture', async () => {
      const { db, storage } = world.service;
      const task = await addTask(impossible(0), impossible(2));
      const picture = `pictures/${task.id}/1-picture.jpg`;
      const file = join(world.directory, 'picture.jpg');
      await copyFile(footage, file);
      await storage.put(picture, file);
      await db
        .updateTable('tasks')
        .set({ picture_key: picture })
        .where('id', '=', task.id)
        .execute();
      for (const { id } of task.projects) await workOn(id);
      const { status, failure_code, source } = await taskRow(task.id);
      assert.deepEqual([status, failure_code, source], ['error', 'render-failed', null]);
      assert.deepEqual(await previews(task.id), []);
      assert.deepEqual(settled(task.id), ['task-failed']);
      await removeFiles(world.service);
      assert.equal(await storage.stat(task.source.key), null);
      assert.ok(await storage.stat(picture));
    });

    it('of an exported clip fail the task, but leave the clip and its source', async () => {
      const task = await addTask(impossible(0), impossible(2));
      const exported = await world.addExport(task.projects[0]!);
      for (const { id } of task.projects) await workOn(id);
      assert.equal((await taskRow(task.id)).status, 'error');
      assert.deepEqual(await previews(task.id), ['failed']);
      assert.ok(await world.service.storage.stat(task.source.key));
      await world.service.db.deleteFrom('exports').where('id', '=', exported).execute();
    });

    it('are shared by workers, the best first', async () => {
      const { db, queue } = world.service;
      const task = await addTask(small(0), small(1), small(2));
      await db.transaction().execute(async (trx) => {
        for (const [turn, { id, author_id }] of task.projects.entries()) {
          await queue.send('preview', { id, turn, author_id }, trx);
        }
      });
      await programs.pause('first render', '-b:a 96k');
      await programs.pause('second render', '-b:a 96k');
      const begun: string[] = [];
      const job = makeRowJob(world.service, previewRows, async (service, one, progress, stop) => {
        begun.push(one.attempt.id);
        await makePreview(service, one, progress, stop);
      });
      await queue.work('preview', { concurrency: 2 }, job);
      await programs.reached('first render');
      await programs.reached('second render');
      assert.deepEqual(
        begun.toSorted(),
        task.projects
          .slice(0, 2)
          .map(({ id }) => id)
          .toSorted(),
      );
      await programs.resume('first render');
      await programs.resume('second render');
      await eventually(async () => assert.equal((await taskRow(task.id)).status, 'ready'));
    });

    it('are rendered behind all other work, unless a person waits for them', async () => {
      /** The priorities of the programs that run with an argument, above that of this process. */
      const nicenessOf = async (argument: string): Promise<number[]> => {
        const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
        const isOurs = async (id: string): Promise<boolean> => {
          const command = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
          return command.includes(directory) && command.includes(argument);
        };
        const found = await Promise.all(ids.map(isOurs));
        return ids.filter((_, index) => found[index]).map((id) => getPriority(Number(id)));
      };
      const own = getPriority();
      for (const [isUrgent, niceness] of [
        [false, 15],
        [true, 0],
      ] as const) {
        const task = await addTask(small(0));
        await programs.pause('render', '-aac_coder fast');
        const working = workOn(task.projects[0]!.id, isUrgent);
        await programs.reached('render');
        assert.deepEqual(await nicenessOf('-aac_coder'), [Math.min(19, own + niceness)]);
        await programs.resume('render');
        await working;
      }
    });

    describe('that are looked at first', () => {
      const unanalysed = (start: number) =>
        small(start, {
          needsAnalysis: true,
          framing: { mode: 'crop', x: 110, y: 0, width: 101, height: 180 },
        });
      const lookAtSecond = 'max(0,PTS-2.000000/TB)';
      const seen = async (id: string) => {
        const { edit } = await world.service.db
          .selectFrom('projects')
          .select('edit')
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        return !edit.needsAnalysis;
      };

      it('take turns: the next clip is looked at while one is rendered', async () => {
        const task = await addTask(unanalysed(0), unanalysed(2));
        const [first, second] = task.projects.map(({ id }) => id);
        await programs.pause('first render', '-b:a 96k');
        await programs.pause('second look', lookAtSecond);
        const working = workOn(first!);
        await programs.reached('first render');
        await programs.reached('second look');
        assert.deepEqual(await previews(task.id), ['preparing', 'preparing']);
        await programs.resume('first render');
        await programs.resume('second look');
        await working;
        assert.deepEqual(await previews(task.id), ['ready', 'preparing']);
        assert.equal(await seen(second!), true);
        await programs.kill('looked again', lookAtSecond);
        await workOn(second!);
        assert.equal((await taskRow(task.id)).status, 'ready');
        assert.deepEqual(await readdir(join(directory, 'held')), ['looked again']);
        await programs.release();
      });

      it('end together: the next look stops when a render is killed', async () => {
        const task = await addTask(unanalysed(0), unanalysed(2));
        await programs.kill('render', '-b:a 96k');
        await programs.hold('endless look', lookAtSecond);
        await assert.rejects(
          workOn(task.projects[0]!.id),
          (error) => findMachineFault(error)?.code === 'program-killed',
        );
        await programs.release();
        assert.deepEqual(await previews(task.id), ['preparing', 'preparing']);
      });
    });
  });

  describe('an export', () => {
    const work = async (id: string) => {
      const begun = await beginAttempt(world.service.db, 'export', id);
      const progress = new RowProgress(world.service.db, begun!.attempt, writeProgress);
      await exportClip(world.service, begun!, progress, signal());
    };

    it('that was to be copied and cannot be is told as the encode that it is', async () => {
      // It begins between two keyframes.
      const task = await addTask(spanEdit(0.52, 1.52), spanEdit(1, 2));
      const [encoded, copied] = [
        await world.addExport(task.projects[0]!, { copied: true }),
        await world.addExport(task.projects[1]!, { copied: true }),
      ];
      const left = async () =>
        (await world.service.estimates.current())
          .readyAlone(await world.exportRow(encoded))
          .getTime() - Date.now();
      const before = await left();
      await programs.hold('encode', '-b:a 160k');
      const stop = new AbortController();
      const begun = await beginAttempt(world.service.db, 'export', encoded);
      const progress = new RowProgress(world.service.db, begun!.attempt, writeProgress);
      const running = exportClip(world.service, begun!, progress, stop.signal).catch(() => {});
      await programs.reached('encode');
      await eventually(async () => {
        const now = await left();
        assert.ok(now > 5 * before, `${now} ms left after ${before} ms`);
      });
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
      const job = makeRowJob(service, exportRows, async (_service, _attempt, progress, closing) => {
        progress.report('render', 0.7);
        await progress.settled();
        assert.equal((await world.exportRow(id)).share, 0.7);
        stop.abort(new Error('The service is stopping.'));
        closing.throwIfAborted();
      });
      await assert.rejects(job(id, signal()), /put back/);
      const { stage, share, attempts, uncounted_attempts } = await world.exportRow(id);
      assert.deepEqual({ stage, share }, { stage: 'queued', share: 0 });
      assert.deepEqual(
        { attempts, uncounted_attempts },
        { attempts: 1, uncounted_attempts: 1 },
        'none counts',
      );
    });

    it('that the plan refuses, or that is there already, costs no look at the source', async () => {
      const task = await addTask(spanEdit(1, 2));
      const project = task.projects[0]!;
      const start = (reuse: boolean) =>
        startExport(world.service, world.user, project, { reuse, signal: signal() });
      await programs.kill('looked', '-show_format');
      const there = await world.addExport(project);
      assert.equal((await start(true)).id, there);
      const paused = (state: 'paused' | 'active') =>
        world.service.db.updateTable('organizations').set({ state }).execute();
      await paused('paused');
      await assert.rejects(start(false), { code: 'export-limit' });
      await paused('active');
      assert.deepEqual(await readdir(join(directory, 'held')), ['looked']);
      await programs.release();
    });
  });
});
