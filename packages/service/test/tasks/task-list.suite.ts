import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Task } from 'clip-kit/contract';
import { ServiceClient } from 'clip-kit/client';
import { assertProblem, eventually, World, type Library } from 'clip-testkit/world';

describe('the list of tasks', () => {
  let world: World;
  let client: ServiceClient;
  let library: Library;
  before(async () => {
    world = await World.start();
    library = await world.library();
    client = new ServiceClient({ baseUrl: `${world.service.url}/v2`, apiKey: world.key });
  });
  after(() => world?.close());

  const list = (query = '', as = library.as, headers: Record<string, string> = {}) =>
    world.get(`/tasks${query}`, { as, headers });
  const whole = (as: string, source: string) =>
    world.post('/tasks/video-to-video', world.whole({ source_video_url: source }), { as });

  it('has the user’s tasks, newest first, as each is when read alone', async () => {
    const { tasks, next } = await client.listTasks({}, { onBehalfOf: library.as });
    const ids = [library.wholeTask.task.id, library.shortsTask.task.id];
    assert.deepEqual([tasks.map(({ id }) => id), next], [ids, null]);
    for (const task of tasks) {
      assert.deepEqual(task, await client.getTask(task.id, { onBehalfOf: library.as }));
    }
    assert.deepEqual((await list('', await world.user())).body, []);
  });

  it('says what a person sees of a task: name, length, picture, number of clips', async () => {
    const [whole, shorts] = (await client.listTasks({}, { onBehalfOf: library.as })).tasks as [
      Task,
      Task,
    ];
    assert.deepEqual([whole.name, whole.clip_count], ['Morning run', undefined]);
    assert.deepEqual([shorts.name, shorts.clip_count], ['Upload', 2]);
    assert.ok(Math.abs(shorts.source_seconds! - 16) < 0.2, String(shorts.source_seconds));
    assert.ok(shorts.picture_url!.startsWith(`${world.service.url}/files/pictures/${shorts.id}/`));
    const picture = await fetch(shorts.picture_url!);
    assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/jpeg']);
    const bytes = Buffer.from(await picture.arrayBuffer());
    assert.ok(bytes.length > 500 && bytes.length < 50_000, String(bytes.length));
  });

  it('comes in pages, which do not shift when a task is deleted or added', async () => {
    const as = await world.user();
    const made: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { body } = await whole(as, world.sources.at('scene.mp4'));
      made.unshift(body.id);
    }
    const first = await client.listTasks({ limit: 1 }, { onBehalfOf: as });
    assert.deepEqual([first.tasks.map(({ id }) => id), first.next !== null], [[made[0]], true]);
    await world.call('DELETE', `/tasks/${made[0]}`, undefined, { as });
    const cursor = first.next!;
    const second = await client.listTasks({ limit: 2, cursor }, { onBehalfOf: as });
    assert.deepEqual(
      second.tasks.map(({ id }) => id),
      made.slice(1),
    );
    assert.equal(second.next, null);
    assert.equal((await fetch(first.tasks[0]!.picture_url ?? world.service.url)).status, 404);
  });

  it('refuses what is no page', async () => {
    for (const query of ['?limit=0', '?limit=101', '?limit=x', '?cursor=x', '?cursor=1', '?a=1']) {
      assertProblem(await list(query), 400, 'invalid-request');
    }
    assertProblem(await world.call('DELETE', '/tasks'), 405, 'method-not-allowed');
  });

  it('may be held until one of the user’s tasks changes', async () => {
    const as = await world.user();
    const wait = { Prefer: 'wait=25' };
    assert.deepEqual((await list('', as, wait)).body, [], 'nothing is going on');
    const created = whole(as, world.sources.at('held/talk.mp4'));
    await eventually(async () => assert.equal((await list('', as)).body.length, 1));
    const held = list('', as, wait);
    const other = await list('', library.as, wait);
    assert.equal(other.body.length, 2, 'of other users nobody hears');
    world.sources.release('held/talk.mp4');
    const { headers, body } = await held;
    assert.equal(headers.get('preference-applied'), 'wait=25');
    assert.ok(body[0].source_seconds > 0, 'its source is known');
    await created;
  });

  it('counts the clips that are there', async () => {
    const { clip, shortsTask, as } = library;
    const path = `/projects/${clip.folder_id}/${clip.id}`;
    assert.equal((await world.call('DELETE', path, undefined, { as })).status, 204);
    assert.equal((await world.get(`/tasks/${shortsTask.task.id}`, { as })).body.clip_count, 1);
  });
});
