import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type Task, getTaskState } from 'clip-kit/contract';
import { HostWorld } from 'clip-testkit/host-world';

/** A host with virtual timers and a running task, but real calls to the service. */
async function open(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.parse('2026-01-31T10:00:00Z') });
  const world = await HostWorld.open(t, { now: () => Date.now() });
  // As in watch.test.ts: connections that close later would clear timers of the next test.
  t.after(async () => {
    for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
  });
  const author = await world.managed();
  const { tasks } = world.service.world;
  const { id } = world.service.world.addTask(author, 'video-to-shorts');
  const change = (fields: Partial<Task>) => tasks.set(id, { ...tasks.get(id)!, ...fields });
  const progress = (share: number) => change({ progress: { stage: 'scan', share } });
  progress(0.1);
  /** Asks; `answered` is whether there is an answer so far. */
  const ask = (wait: number | string = 25, signal?: AbortSignal) => {
    const sent = { headers: { Prefer: `wait=${wait}` }, ...(signal ? { signal } : {}) };
    const answer = world.call('GET', `/clips/tasks/${id}`, sent);
    const hold = {
      answered: false,
      task: answer.then((response) => response.clone().json() as Promise<Task>),
      applied: answer.then(({ headers }) => headers.get('Preference-Applied')),
    };
    void answer.then(() => (hold.answered = true));
    return hold;
  };
  const advance = async (milliseconds: number): Promise<void> => {
    await world.quiet();
    for (let left = milliseconds; left > 0; left -= 100) {
      t.mock.timers.tick(Math.min(100, left));
      await world.quiet();
    }
  };
  const reads = () => world.service.sent('GET', /^\/tasks\//).length;
  return { world, change, progress, ask, advance, reads };
}

describe('a task with Prefer: wait', () => {
  it('is held until it has progressed by a percent, or is settled', async (t) => {
    const { progress, change, ask, advance } = await open(t);
    const first = ask();
    await advance(5000);
    assert.equal(first.answered, false);
    progress(0.1049);
    await advance(5000);
    assert.equal(first.answered, false, 'the same percent');
    progress(0.11);
    await advance(1100);
    assert.equal((await first.task).progress?.share, 0.11);
    assert.equal(await first.applied, 'wait=25');
    const second = ask();
    await advance(500);
    change({ status: 'ready' });
    await advance(1100);
    assert.equal((await second.task).status, 'ready');
    const third = ask();
    await advance(0);
    assert.equal((await third.task).status, 'ready');
    assert.equal(await third.applied, null, 'nothing to hold for');
  });

  it('is held until another megabyte of the speech model is here', async (t) => {
    const { change, ask, advance } = await open(t);
    const download = (bytes: number) =>
      change({ progress: { stage: 'speech-model', share: 0.4, bytes, total_bytes: 161e6 } });
    download(4e6);
    const held = ask();
    await advance(0);
    download(4.9e6);
    await advance(5000);
    assert.equal(held.answered, false, 'the same megabyte');
    download(5e6);
    await advance(1100);
    assert.equal((await held.task).progress?.bytes, 5e6);
  });

  it('is answered at once if it is no longer what the page knows', async (t) => {
    const { progress, ask, advance } = await open(t);
    const known = (share: number) =>
      `25; after="${getTaskState({ status: 'processing', progress: { stage: 'scan', share } })}"`;
    progress(0.2);
    const late = ask(known(0.1));
    const current = ask(known(0.2));
    await advance(0);
    assert.equal((await late.task).progress?.share, 0.2);
    assert.equal(await late.applied, 'wait=25');
    assert.equal(current.answered, false);
  });

  it('is answered as it is when the time is over', async (t) => {
    const { ask, advance } = await open(t);
    const held = ask(3);
    await advance(2900);
    assert.equal(held.answered, false);
    await advance(200);
    assert.equal((await held.task).status, 'processing');
    assert.equal(await held.applied, 'wait=3');
  });

  it('is read once for all who wait for it', async (t) => {
    const { ask, advance, reads } = await open(t);
    for (let count = 0; count < 5; count++) ask();
    await advance(0);
    const before = reads();
    await advance(5050);
    assert.equal(reads() - before, 5);
  });

  it('is read no more when its pages have gone, or the host closes', async (t) => {
    const { world, ask, advance, reads } = await open(t);
    const gone = new AbortController();
    ask(25, gone.signal);
    await advance(1500);
    gone.abort();
    await advance(1000);
    const before = reads();
    await advance(5000);
    assert.equal(reads(), before);
    const held = ask();
    await advance(1500);
    await world.host.close();
    await advance(0);
    assert.equal((await held.task).status, 'processing');
    assert.equal(await held.applied, null);
  });

  it('is not held beyond the limits, which exports count against too', async (t) => {
    const { ask, advance } = await open(t);
    const held = Array.from({ length: 10 }, () => ask());
    await advance(0);
    const over = ask();
    await advance(0);
    assert.equal(await over.applied, null);
    assert.ok(held.every(({ answered }) => !answered));
  });

  it('outlives reads that fail', async (t) => {
    const { world, change, ask, advance } = await open(t);
    const held = ask();
    await advance(500);
    const failing = { method: 'GET', path: /^\/tasks\//, how: 'drop' } as const;
    world.service.order(failing, failing);
    await advance(3000);
    assert.equal(held.answered, false);
    change({ status: 'ready' });
    await advance(1100);
    assert.equal((await held.task).status, 'ready');
  });
});
