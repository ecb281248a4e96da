import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Task } from 'clip-kit/contract';
import { memoryStore, type HostStore } from '../../src/index.ts';
import { HostWorld, type HostWorldOptions, type Sent } from 'clip-testkit/host-world';

const shorts = '/clips/tasks/video-to-shorts';
const source_video_url = 'https://videos.example/talk.mp4';

let keys = 0;
const start = (world: HostWorld, name: string, user = 'ann'): Promise<Task> =>
  world.json(201, 'POST', shorts, {
    user,
    key: `attempt-${++keys}`,
    body: { source_video_url, name },
  });

async function list(world: HostWorld, query = '', sent: Sent = {}) {
  const response = await world.call('GET', `/clips/tasks${query}`, sent);
  assert.equal(response.status, 200, await response.clone().text());
  const link = response.headers.get('Link');
  const [, next = null] = /^<(.*)>; rel="next"$/.exec(link ?? '') ?? [];
  return { tasks: (await response.json()) as Task[], next };
}

const names = (tasks: readonly Task[]) => tasks.map(({ name }) => name);

/** With a list of the service, and with the host's own. */
for (const extensions of [true, false]) {
  const open = (t: TestContext, options: HostWorldOptions = {}) =>
    HostWorld.open(t, { ...options, service: { extensions } });

  describe(`the tasks of a user, ${extensions ? 'which the service lists' : 'of a service without a list'}`, () => {
    it('are listed newest first, page by page, to nobody else', async (t) => {
      let now = Date.parse('2026-01-31T10:00:00Z');
      const world = await open(t, { now: () => (now += 1) });
      for (const name of ['one', 'two', 'three']) await start(world, name);
      await start(world, 'of Bob', 'bob');
      assert.deepEqual(names((await list(world)).tasks), ['three', 'two', 'one']);
      const first = await list(world, '?limit=2');
      assert.deepEqual(names(first.tasks), ['three', 'two']);
      const last = await list(world, first.next!);
      assert.deepEqual([names(last.tasks), last.next], [['one'], null]);
      assert.deepEqual((await list(world, '', { user: 'eve' })).tasks, []);
      // A place in Ann's list leads nowhere in Bob's.
      assert.deepEqual(names((await list(world, '', { user: 'bob' })).tasks), ['of Bob']);
    });

    it('refuse a page that is none', async (t) => {
      const world = await open(t);
      for (const query of ['?limit=0', '?limit=101', '?cursor=', '?cursor=%20', '?id=t']) {
        await world.problem(400, 'invalid-request', 'GET', `/clips/tasks${query}`);
      }
    });

    it('show how they are, and are held until one changes', async (t) => {
      const world = await open(t);
      const { id } = await start(world, 'Talk');
      const path = '/clips/tasks';
      const headers = { Prefer: 'wait=25' };
      const held = world.call('GET', path, { headers });
      while (!world.service.sent('GET', /^\/tasks/).length) await world.quiet();
      await world.quiet();
      world.service.world.changeTask(id, { status: 'ready' });
      const answer = await held;
      assert.equal(answer.headers.get('Preference-Applied'), 'wait=25');
      assert.equal(((await answer.json()) as Task[])[0]!.status, 'ready');
      // Nothing changes any more.
      const settled = await world.call('GET', path, { headers });
      assert.equal(settled.headers.get('Preference-Applied'), null);
    });

    it('are listed once if a start is repeated', async (t) => {
      const world = await open(t);
      const sent = { key: 'attempt-1', body: { source_video_url } };
      await world.json(201, 'POST', shorts, sent);
      await world.json(200, 'POST', shorts, sent);
      assert.deepEqual(names((await list(world)).tasks), ['Upload']);
    });

    it('are gone from the list when they are deleted, and others’ cannot be', async (t) => {
      const world = await open(t);
      const [ann, bob] = [await start(world, 'Ann’s'), await start(world, 'Bob’s', 'bob')];
      await world.problem(404, 'not-found', 'DELETE', `/clips/tasks/${bob.id}`);
      await world.problem(404, 'not-found', 'DELETE', '/clips/tasks/nothing');
      const deleted = await world.call('DELETE', `/clips/tasks/${ann.id}`);
      assert.deepEqual([deleted.status, await deleted.text()], [204, '']);
      assert.deepEqual((await list(world)).tasks, []);
      assert.deepEqual(names((await list(world, '', { user: 'bob' })).tasks), ['Bob’s']);
      assert.equal(world.service.world.tasks.has(ann.id), !extensions);
    });

    it('ask the policy, and a deletion is audited', async (t) => {
      const asked: string[] = [];
      const audited: { action: string; taskId: string | null; outcome: string }[] = [];
      const world = await open(t, {
        host: {
          authorize: ({ action }) => (asked.push(action), action !== 'delete'),
          audit: (entry) => void audited.push(entry),
        },
      });
      const { id } = await start(world, 'Talk');
      await list(world);
      await world.problem(403, 'forbidden', 'DELETE', `/clips/tasks/${id}`);
      assert.deepEqual(asked, ['task', 'read', 'delete']);
      assert.deepEqual(
        audited.map(({ action, outcome }) => [action, outcome]),
        [
          ['task', 'done'],
          ['delete', 'refused'],
        ],
      );
      assert.ok(world.service.world.tasks.has(id));
    });

    it('cannot be deleted from a page of another site', async (t) => {
      const world = await open(t);
      const { id } = await start(world, 'Talk');
      await world.problem(403, 'forbidden', 'DELETE', `/clips/tasks/${id}`, {
        headers: { 'Sec-Fetch-Site': 'cross-site' },
      });
    });
  });
}

describe('a list of the service', () => {
  it('has the fields that the service sends', async (t) => {
    const world = await HostWorld.open(t);
    const { id } = await start(world, 'Talk');
    const picture_url = 'https://clips.example/p.jpg';
    world.service.world.changeTask(id, { clip_count: 3, source_seconds: 60.5, picture_url });
    const [task] = (await list(world)).tasks;
    assert.deepEqual(
      [task!.name, task!.clip_count, task!.source_seconds, task!.picture_url],
      ['Talk', 3, 60.5, picture_url],
    );
  });

  it('that fails once is not replaced by the host’s own', async (t) => {
    const world = await HostWorld.open(t);
    await start(world, 'Talk');
    await list(world);
    world.service.order({ method: 'GET', path: /^\/tasks$/, how: { status: 404 } });
    await world.problem(404, 'not-found', 'GET', '/clips/tasks');
    world.service.order({ method: 'GET', path: /^\/tasks$/, how: { status: 503 } });
    await world.problem(503, 'service-unavailable', 'GET', '/clips/tasks');
    assert.deepEqual(names((await list(world)).tasks), ['Talk']);
  });

  it('of a service that deletes nothing keeps the task, and says so', async (t) => {
    const world = await HostWorld.open(t);
    await list(world);
    const { id } = await start(world, 'Talk');
    world.service.order({ method: 'DELETE', path: /^\/tasks/, how: { status: 405 } });
    await world.problem(501, 'not-supported', 'DELETE', `/clips/tasks/${id}`);
  });
});

describe('a list of the host', () => {
  const open = (t: TestContext, options: HostWorldOptions = {}) =>
    HostWorld.open(t, { ...options, service: { extensions: false } });
  const reads = (world: HostWorld) => world.service.sent('GET', /^\/tasks\/./).length;

  it('reads a few tasks at a time, and those that are over not again and again', async (t) => {
    const world = await open(t);
    for (let at = 0; at < 10; at++) {
      const { id } = await start(world, `${at}`);
      if (at) world.service.world.changeTask(id, { status: 'ready' });
    }
    const held = Array.from({ length: 10 }, () => world.service.hold('GET', /^\/tasks\/./));
    const answer = list(world);
    await held[3]!.arrived;
    assert.equal(reads(world), 4);
    for (const one of held) one.release();
    assert.equal((await answer).tasks.length, 10);
    const before = reads(world);
    await list(world);
    assert.equal(reads(world), before + 1);
  });

  it('forgets a task that the service no longer has, but not because of a proxy', async (t) => {
    const world = await open(t);
    const { id } = await start(world, 'Talk');
    const how = { status: 404, body: '<h1>Not found</h1>' };
    world.service.order({ method: 'GET', path: new RegExp(`^/tasks/${id}`), how });
    assert.deepEqual((await list(world)).tasks, []);
    assert.deepEqual(names((await list(world)).tasks), ['Talk']);
    world.service.world.tasks.clear();
    assert.deepEqual((await list(world)).tasks, []);
    assert.deepEqual(await world.records.startedTasks('ann', 10, null), []);
  });

  it('gives way to that of the service when it gets one', async (t) => {
    let now = Date.parse('2026-01-31T10:00:00Z');
    const world = await open(t, { now: () => now });
    await start(world, 'Talk');
    await list(world);
    const asked = () => world.service.sent('GET', /^\/tasks$/).length;
    assert.equal(asked(), 1);
    await list(world);
    assert.equal(asked(), 1, 'not asked again at once');
    now += 5 * 60 * 1000;
    await list(world);
    assert.equal(asked(), 2);
  });

  it('that cannot be written does not fail a start', async (t) => {
    const store = memoryStore();
    const replace: HostStore['replace'] = async (name, from, to) => {
      if (name.kind === 'task') throw new Error('the store is away');
      return store.replace(name, from, to);
    };
    const world = await open(t, { store: { ...store, replace } });
    await start(world, 'Talk');
  });
});
