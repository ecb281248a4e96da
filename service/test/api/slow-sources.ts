import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertProblem, eventually, type World } from '../support/world.ts';

/** For a service that hardly waits for a source before it makes a task of it. */
export function slowSourceSuite(world: () => World): void {
  describe('a source that takes its time', () => {
    it('is accepted, and the task goes on with the same download', async () => {
      const source = world().sources.at('held/scene.mp4');
      const body = world().whole({ source_video_url: source });
      const created = await world().post('/tasks/video-to-video', body);
      assert.equal(created.status, 201, JSON.stringify(created.body));
      // At once: a source that is silent for half a minute is given up.
      world().sources.release('held/scene.mp4');
      const task = await world().finishTask(created.body.id);
      assert.equal(task.status, 'ready', JSON.stringify(task.failure));
      const requests = world().sources.requests.filter((path) => path === 'held/scene.mp4');
      assert.equal(requests.length, 1);
    });

    it('ends the task in error with the reason where it turns out bad', async () => {
      const source = world().sources.at('held/talk.mp4');
      const created = await world().post(
        '/tasks/video-to-video',
        world().whole({ source_video_url: source }),
      );
      assert.equal(created.status, 201, JSON.stringify(created.body));
      world().sources.cut('held/talk.mp4');
      const task = await world().finishTask(created.body.id);
      assert.equal(task.status, 'error');
      assert.equal(task.failure?.code, 'source-truncated');
      assertProblem(await world().get(`/projects/${task.output_id}`), 404, 'clip-not-found');
      await eventually(async () =>
        assert.ok(!(await world().kept('files/sources')).includes(task.id)),
      );
    });
  });
}
