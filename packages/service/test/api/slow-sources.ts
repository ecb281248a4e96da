import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { QuietWorld } from '../support/quiet-world.ts';
import { assertProblem, eventually, type ApiCalls } from 'clip-testkit/world';

/** For a service that hardly waits for a source before it makes a task of it. */
export function slowSourceSuite(world: () => QuietWorld): void {
  describe('a source that takes its time', () => {
    let calls: ApiCalls;
    before(() => {
      calls = world().calls({ ingestWaitMs: 0 });
    });

    it('is accepted, and the task goes on with the same download', async () => {
      const source = world().sources.at('held/scene.mp4');
      const body = world().whole({ source_video_url: source });
      const created = await calls.post('/tasks/video-to-video', body);
      assert.equal(created.status, 201, JSON.stringify(created.body));
      // At once: a source that is silent for half a minute is given up.
      world().sources.release('held/scene.mp4');
      const { db } = world().jobs.service;
      const query = db.selectFrom('tasks').select('source').where('id', '=', created.body.id);
      await eventually(async () => assert.ok((await query.executeTakeFirstOrThrow()).source));
      const requests = world().sources.requests.filter((path) => path === 'held/scene.mp4');
      assert.equal(requests.length, 1);
    });

    it('fails the task with the reason if it turns out bad', async () => {
      const source = world().sources.at('held/talk.mp4');
      const created = await calls.post(
        '/tasks/video-to-video',
        world().whole({ source_video_url: source }),
      );
      assert.equal(created.status, 201, JSON.stringify(created.body));
      world().sources.cut('held/talk.mp4');
      const { id } = created.body;
      let task: { output_id?: string; status?: string; failure?: { code: string } } = {};
      await eventually(async () => {
        task = (await calls.get(`/tasks/${id}`)).body;
        assert.equal(task.status, 'error');
      });
      assert.equal(task.failure?.code, 'source-truncated');
      assertProblem(await world().get(`/projects/${task.output_id}`), 404, 'clip-not-found');
      await eventually(async () => assert.ok(!(await world().kept('files/sources')).includes(id)));
    });
  });
}
