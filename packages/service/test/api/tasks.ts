import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { projectSchema, taskSchema, type Task } from 'clip-kit/contract';
import { makeTranscript } from 'clip-testkit/footage';
import { finished } from 'clip-testkit/settled';
import { assertProblem, eventually, type World } from 'clip-testkit/world';

export function taskSuite(world: () => World): void {
  describe('POST /tasks/video-to-shorts (4.1)', () => {
    it('turns a video into shorts in a folder', async () => {
      const { as, shortsTask, clips } = await world().library();
      const { created, task: finished } = shortsTask;
      const task = taskSchema.parse(created.body);
      assert.deepEqual(
        [task.type, task.status, task.output_type],
        ['video-to-shorts', 'processing', 'folder'],
      );
      assert.match(created.body.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

      assert.equal(finished.output_id, task.output_id);
      assert.equal(finished.failure, null);

      assert.equal(clips.length, 2);
      for (const project of clips) {
        assert.equal(project.author_id, as);
        assert.equal(project.folder_id, task.output_id);
        assert.ok(project.virality_score !== null && project.virality_score <= 1);
        assert.match(project.virality_score_explanation ?? '', /\w/);
        assert.ok(project.name.length > 0);
        const one = await world().get(`/projects/${task.output_id}/${project.id}`, { as });
        assert.deepEqual(projectSchema.parse(one.body), project);
      }
    });

    it('makes at most max_clip_count clips, none under 8 seconds, and goes through its stages, never back', async () => {
      const body = world().shorts({
        ...{ target_clip_count: 5, max_clip_count: 1 },
        ...{ min_duration: 1, max_duration: 12, target_duration: 3 },
      });
      const created = await world().post('/tasks/video-to-shorts', body);
      const seen: NonNullable<Task['progress']>[] = [];
      const read = async (): Promise<Task> => {
        const task = taskSchema.parse((await world().get(`/tasks/${created.body.id}`)).body);
        if (task.progress) seen.push(task.progress);
        return task;
      };
      await finished('the task', read);
      const list = await world().get(`/projects/${created.body.output_id}`);
      const clips = list.body.map((item: unknown) => projectSchema.parse(item));
      assert.equal(clips.length, 1);
      assert.ok(clips[0].duration >= 8, `${clips[0].duration}`);
      const order = ['queued', 'ingest', 'scan', 'transcript', 'candidates', 'preview'];
      seen.forEach(({ stage, share, seconds_left: left }, index) => {
        const before = seen[index - 1];
        if (before) {
          assert.ok(order.indexOf(stage) >= order.indexOf(before.stage), stage);
          assert.ok(share >= before.share);
        }
        if (stage === 'preview') assert.ok(typeof left === 'number' && left >= 0);
        else assert.equal(left, null, 'not known before the clips are');
      });
      const stages = new Set(seen.map(({ stage }) => stage));
      assert.ok(stages.has('scan') && stages.has('preview'), [...stages].join());
    });

    it('has a note if the end of its source is missing', async () => {
      const footage = join(world().directory, 'footage');
      const whole = await readFile(join(footage, 'talk.mp4'));
      const bytes = whole.subarray(0, Math.floor(0.82 * whole.length));
      await writeFile(join(footage, 'ends-early.mp4'), bytes);
      const source_video_url = world().sources.at('ends-early.mp4');
      const body = world().shorts({ source_video_url });
      const created = await world().post('/tasks/video-to-shorts', body);
      assert.equal(created.status, 201, JSON.stringify(created.body));
      const task = await world().finishTask(created.body.id);
      assert.equal(task.status, 'ready', JSON.stringify(task.failure));
      const note = task.notes?.find(({ code }) => code === 'source-ends-early');
      assert.match(note?.message ?? '', /^The recording ends early: after 1[23] s, /);
    });

    it('makes no weak clips, unless min_clip_count asks for them, and says so', async () => {
      const footage = join(world().directory, 'footage');
      await copyFile(join(footage, 'talk.mp4'), join(footage, 'partly-weak.mp4'));
      await makeTranscript(join(footage, 'partly-weak.vtt'), [
        'Why do most people never finish a race?',
        'First, sleep eight hours every single night.',
        'That is the way it is with that.',
        'Further details on this are given in the handbook.',
      ]);
      const asked = {
        source_video_url: world().sources.at('partly-weak.mp4'),
        ...{ target_clip_count: 3, min_duration: 2, max_duration: 5, target_duration: 4 },
      };
      const made = async (more: Record<string, unknown>) => {
        const body = world().shorts({ ...asked, ...more });
        const created = await world().post('/tasks/video-to-shorts', body);
        const task = await world().finishTask(created.body.id);
        const { body: clips } = await world().get(`/projects/${task.output_id}`);
        const note = task.notes!.find(({ code }) => code === 'fewer-clips');
        return { count: clips.length as number, message: note?.message };
      };
      const strong = await made({ min_clip_count: undefined });
      assert.ok(strong.count < 3);
      assert.match(strong.message ?? '', new RegExp(`^${strong.count} of 3 clips were made: `));
      assert.deepEqual(await made({ min_clip_count: 3 }), { count: 3, message: undefined });
      // Ten is the default: nobody has asked for them.
      const usual = await made({ target_clip_count: undefined });
      assert.ok(usual.count < 10);
      assert.equal(usual.message, undefined);
    });

    it('makes clips of topics only, inside a range, and says what nothing is about', async () => {
      const asked = { target_clip_count: 3, min_duration: 2, max_duration: 12, target_duration: 4 };
      const body = world().shorts({
        ...{ ...asked, topics: ['sleeping', 'inflation'], source_range: { start: 4, end: 14 } },
      });
      const created = await world().post('/tasks/video-to-shorts', body);
      assert.equal(created.status, 201, JSON.stringify(created.body));
      const task = await world().finishTask(created.body.id);
      assert.equal(task.status, 'ready', JSON.stringify(task.failure));
      const [note] = task.notes!.filter(({ code }) => code === 'topic-not-found');
      assert.match(note!.message, /“inflation”/);
      assert.doesNotMatch(note!.message, /sleeping/);
      const { body: clips } = await world().get(`/projects/${task.output_id}`);
      assert.ok(clips.length > 0);
      for (const clip of clips) {
        assert.equal(projectSchema.parse(clip).topic, 'sleeping');
        const { body: edit } = await world().get(`/projects/${clip.id}/edit`);
        assert.ok(edit.edit.ranges[0].start >= 4 && edit.edit.ranges.at(-1).end <= 14.1);
      }
      const none = await world().post(
        '/tasks/video-to-shorts',
        world().shorts({ ...asked, topics: ['inflation'] }),
      );
      const failed = await world().finishTask(none.body.id);
      assert.deepEqual([failed.status, failed.failure?.code], ['error', 'topics-not-found']);
    });

    it('makes further clips of its source, which is neither fetched nor scanned again', async () => {
      const asked = { target_clip_count: 1, min_duration: 2, max_duration: 5, target_duration: 3 };
      const spansOf = async ({ output_id: folder }: Task) => {
        const { body: clips } = await world().get(`/projects/${folder}`);
        const edits = clips.map(async ({ id }: { id: string }) => {
          const { body } = await world().get(`/projects/${id}/edit`);
          return [body.edit.ranges[0].start, body.edit.ranges.at(-1).end];
        });
        return (await Promise.all(edits)) as [number, number][];
      };
      const created = await world().post('/tasks/video-to-shorts', world().shorts(asked));
      const first = await world().finishTask(created.body.id);
      const early = await world().post(`/tasks/${first.id}/more`, {});
      assert.equal(early.status, 201, JSON.stringify(early.body));
      assert.equal(early.body.source_task_id, first.id);
      const second = await world().finishTask(early.body.id);
      const requests = world().sources.requests.length;
      // Of the further clips, which leave all of before out.
      const key = { headers: { 'Idempotency-Key': randomUUID() } };
      const more = { target_clip_count: 2 };
      const further = await world().post(`/tasks/${second.id}/more`, more, key);
      const again = await world().post(`/tasks/${second.id}/more`, more, key);
      assert.equal(again.body.id, further.body.id);
      const tooEarly = await world().post(`/tasks/${further.body.id}/more`, {});
      assert.deepEqual([tooEarly.status, tooEarly.body.reason], [422, 'not-ready']);
      assert.equal(further.body.source_task_id, first.id);
      const third = await world().finishTask(further.body.id);
      assert.equal(third.status, 'ready', JSON.stringify(third.failure));
      const spans = [
        ...(await spansOf(first)),
        ...(await spansOf(second)),
        ...(await spansOf(third)),
      ];
      assert.equal(spans.length, 1 + 1 + third.clip_count!, JSON.stringify(third));
      spans.sort(([a], [b]) => a - b);
      for (const [at, [start]] of spans.slice(1).entries()) {
        assert.ok(start >= spans[at]![1], JSON.stringify(spans));
      }
      assert.equal(world().sources.requests.length, requests, 'nothing was fetched');

      // Its source and its analysis are its own.
      await world().call('DELETE', `/tasks/${first.id}`);
      const left = await world().post(`/tasks/${third.id}/more`, { target_clip_count: 1 });
      assert.equal(left.status, 201, JSON.stringify(left.body));
      assert.equal((await world().finishTask(left.body.id)).status, 'ready');
    });

    it('refuses further clips of what is not ready, of a whole video and of nobody’s task', async () => {
      const { as, wholeTask } = await world().library();
      const whole = await world().post(`/tasks/${wholeTask.task.id}/more`, {}, { as });
      assert.deepEqual([whole.status, whole.body.reason], [422, 'unsupported']);
      assertProblem(await world().post('/tasks/none/more', {}), 404, 'not-found');
      assertProblem(await world().post(`/tasks/${wholeTask.task.id}/more`, {}), 404, 'not-found');
      const wrong = await world().post('/tasks/none/more', { target_clip_count: 0 });
      assertProblem(wrong, 400, 'invalid-request');
      const created = await world().post('/tasks/video-to-shorts', world().shorts({}));
      const early = await world().post(`/tasks/${created.body.id}/more`, {});
      assert.deepEqual([early.status, early.body.reason], [422, 'not-ready']);
      await world().finishTask(created.body.id);
      const none = { target_clip_count: 1, topics: ['inflation'] };
      const nothing = await world().post(`/tasks/${created.body.id}/more`, none);
      const failed = await world().finishTask(nothing.body.id);
      assert.deepEqual([failed.status, failed.failure?.code], ['error', 'topics-not-found']);
    });

    it('refuses a range that the source does not have, and what is no range or topic', async () => {
      const outside = await world().post(
        '/tasks/video-to-shorts',
        world().shorts({ source_range: { start: 10, end: 40 } }),
      );
      assertProblem(outside, 422, 'unprocessable');
      assert.equal(outside.body.reason, 'range-outside-source');
      assert.equal(outside.body.errors[0].path, 'source_range');
      for (const [path, wrong] of [
        ['source_range.end', { source_range: { start: 5, end: 5.5 } }],
        ['source_range', { source_range: { start: 1, end: 5 }, min_duration: 8, max_duration: 20 }],
        ['source_range.start', { source_range: { start: -1, end: 5 } }],
        ['topics', { topics: [] }],
        ['topics.0', { topics: ['…'] }],
        ['topics', { topics: Array.from({ length: 11 }, (_, at) => `topic ${at}`) }],
      ] as const) {
        const refused = await world().post('/tasks/video-to-shorts', world().shorts(wrong));
        assertProblem(refused, 400, 'invalid-request');
        assert.equal(refused.body.errors[0].path, path, JSON.stringify(wrong));
      }
    });

    it('fails if no part fits, and leaves nothing', async () => {
      const source = world().sources.at('scene.mp4');
      const body = world().shorts({ source_video_url: source, min_duration: 60, max_duration: 90 });
      const created = await world().post('/tasks/video-to-shorts', body);
      assert.equal(created.status, 201, JSON.stringify(created.body));
      const task = await world().finishTask(created.body.id);
      assert.equal(task.status, 'error');
      assert.equal(task.failure?.code, 'no-clips');
      assert.deepEqual((await world().get(`/projects/${task.output_id}`)).body, []);
      await eventually(async () =>
        assert.ok(!(await world().kept('files/sources')).includes(task.id)),
      );
    });
  });

  describe('POST /tasks/video-to-video (4.2)', () => {
    it('promises a project without a folder, and keeps the promise', async () => {
      const { as, wholeTask } = await world().library();
      const { created } = wholeTask;
      assert.equal(created.body.output_type, 'project');
      const { status, body } = await world().get(`/projects/${created.body.output_id}`, { as });
      assert.equal(status, 200);
      assert.deepEqual(
        [body.id, body.name, body.folder_id, body.virality_score, body.virality_score_explanation],
        [created.body.output_id, 'Morning run', null, null, null],
      );
    });

    it('stops the download of a source when the client goes away', async () => {
      const gone = new AbortController();
      const asked = world().sources.asked('held/scene.mp4');
      const source = world().sources.at('held/scene.mp4');
      const call = world().post(
        '/tasks/video-to-video',
        world().whole({ source_video_url: source }),
        {
          signal: gone.signal,
        },
      );
      const request = await asked;
      const closed = new Promise((resolve) => request.socket.once('close', resolve));
      gone.abort();
      await assert.rejects(call, { name: 'AbortError' });
      await closed;
      await eventually(async () => assert.deepEqual(await world().kept('work'), []));
    });
  });

  describe('GET /tasks/{task_id} (4.3) and GET /projects/... (4.4, 4.5)', () => {
    it('shows a user only their own tasks and projects', async () => {
      const { shortsTask, clip } = await world().library();
      const other = await world().user();
      const { id, output_id: folder } = shortsTask.task;
      const project = clip.id;
      for (const options of [{ as: other }, {}]) {
        assertProblem(await world().get(`/tasks/${id}`, options), 404, 'not-found');
        assertProblem(await world().get(`/projects/${folder}`, options), 404, 'clip-not-found');
        assertProblem(
          await world().get(`/projects/${folder}/${project}`, options),
          404,
          'clip-not-found',
        );
      }
    });

    it('reads a project only at its own place', async () => {
      const { as, clip, whole } = await world().library();
      assertProblem(await world().get(`/projects/${clip.id}`, { as }), 404, 'clip-not-found');
      assertProblem(
        await world().get(`/projects/${clip.folder_id}/${whole.id}`, { as }),
        404,
        'clip-not-found',
      );
    });

    it('is 404 for ids that do not exist, whatever their shape', async () => {
      for (const id of [crypto.randomUUID(), 'x', '%00', '%F0%9F%8E%AC', "'; drop table tasks"]) {
        assertProblem(await world().get(`/tasks/${id}`), 404, 'not-found');
        // No text of the database has a zero character: nothing at all can be there.
        const code = id === '%00' ? 'not-found' : 'clip-not-found';
        assertProblem(await world().get(`/projects/${id}`), 404, code);
        assertProblem(await world().get(`/projects/${id}/${id}`), 404, code);
      }
    });
  });
}
