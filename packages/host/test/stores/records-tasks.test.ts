import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StartedTask } from '../../src/stores/records.ts';
import { memoryRecords } from '../support/memory-records.ts';
import { start } from 'clip-testkit/store-attempt';

const yearMs = 366 * 24 * 60 * 60 * 1000;

const task = (id: string, more: Partial<StartedTask> = {}): StartedTask => ({
  hostUser: 'ann',
  id,
  name: `Talk ${id}`,
  startedAt: start,
  ...more,
});

describe('tasks', () => {
  it('are listed newest first, page by page, to their user only', async () => {
    const records = memoryRecords(() => start);
    const tasks = Array.from({ length: 5 }, (_, n) => task(`${n}`, { startedAt: start + n }));
    for (const one of tasks) await records.keepTask(one);
    await records.keepTask(task('of-bob', { hostUser: 'bob' }));
    const newest = tasks.toReversed();
    assert.deepEqual(await records.startedTasks('ann', 10, null), newest);
    assert.deepEqual(await records.startedTasks('ann', 2, null), newest.slice(0, 2));
    assert.deepEqual(await records.startedTasks('ann', 2, newest[1]!), newest.slice(2, 4));
    assert.deepEqual(await records.startedTasks('ann', 2, newest[3]!), newest.slice(4));
    assert.deepEqual(await records.startedTasks('ann', 2, newest[4]!), []);
    assert.deepEqual(await records.startedTasks('eve', 2, null), []);
  });

  it('of one moment are all listed, each once', async () => {
    const records = memoryRecords(() => start);
    const ids = Array.from({ length: 7 }, (_, n) => `${(n * 5) % 7}`);
    for (const id of ids) await records.keepTask(task(id));
    const found: StartedTask[] = [];
    for (let after: StartedTask | null = null; ;) {
      const page = await records.startedTasks('ann', 3, after);
      if (!page.length) break;
      found.push(...page);
      after = page.at(-1)!;
    }
    assert.deepEqual(found.map(({ id }) => id).toSorted(), ids.toSorted());
  });

  it('are stored once, as they were first', async () => {
    const records = memoryRecords(() => start);
    await Promise.all([1, 2, 3].map(() => records.keepTask(task('a'))));
    await records.keepTask(task('a', { name: 'other', startedAt: start + 1 }));
    assert.deepEqual(await records.startedTasks('ann', 10, null), [task('a')]);
  });

  it('are forgotten when they are dropped, and only for their user', async () => {
    const records = memoryRecords(() => start);
    await records.keepTask(task('a'));
    assert.equal(await records.dropTask('bob', 'a'), false);
    assert.equal(await records.dropTask('ann', 'b'), false);
    assert.equal((await records.startedTasks('ann', 10, null)).length, 1);
    assert.equal(await records.dropTask('ann', 'a'), true);
    assert.equal(await records.dropTask('ann', 'a'), false);
    assert.deepEqual(await records.startedTasks('ann', 10, null), []);
  });

  it('are forgotten after a year', async () => {
    let now = start;
    const records = memoryRecords(() => now);
    await records.keepTask(task('old'));
    now += yearMs;
    assert.equal((await records.startedTasks('ann', 10, null)).length, 1);
    now += 1;
    assert.deepEqual(await records.startedTasks('ann', 10, null), []);
    await records.keepTask(task('new', { startedAt: now }));
    assert.equal(await records.dropTask('ann', 'old'), false, 'removed');
  });
});
