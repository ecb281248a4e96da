import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StartedTask } from '../../src/index.ts';
import { sharedStores, stores } from '../../../../test/support/host-stores.ts';
import { hostileIds, start } from '../../../../test/support/store-attempt.ts';

const yearMs = 366 * 24 * 60 * 60 * 1000;

const task = (id: string, more: Partial<StartedTask> = {}): StartedTask => ({
  hostUser: 'ann',
  id,
  name: `Talk ${id}`,
  startedAt: start,
  ...more,
});

for (const [name, share] of Object.entries(sharedStores)) {
  const make = stores[name]!;
  describe(`${name}: tasks`, () => {
    it('are listed newest first, page by page, to their user only', async (t) => {
      const store = make(t, () => start);
      const tasks = Array.from({ length: 5 }, (_, n) => task(`${n}`, { startedAt: start + n }));
      for (const one of tasks) await store.keepTask(one);
      await store.keepTask(task('of-bob', { hostUser: 'bob' }));
      const newest = tasks.toReversed();
      assert.deepEqual(await store.startedTasks('ann', 10, null), newest);
      assert.deepEqual(await store.startedTasks('ann', 2, null), newest.slice(0, 2));
      assert.deepEqual(await store.startedTasks('ann', 2, newest[1]!), newest.slice(2, 4));
      assert.deepEqual(await store.startedTasks('ann', 2, newest[3]!), newest.slice(4));
      assert.deepEqual(await store.startedTasks('ann', 2, newest[4]!), []);
      assert.deepEqual(await store.startedTasks('eve', 2, null), []);
    });

    it('of one moment are all listed, each once', async (t) => {
      const store = make(t, () => start);
      const ids = Array.from({ length: 7 }, (_, n) => `${(n * 5) % 7}`);
      for (const id of ids) await store.keepTask(task(id));
      const found: StartedTask[] = [];
      for (let after: StartedTask | null = null; ;) {
        const page = await store.startedTasks('ann', 3, after);
        if (!page.length) break;
        found.push(...page);
        after = page.at(-1)!;
      }
      assert.deepEqual(found.map(({ id }) => id).toSorted(), ids.toSorted());
    });

    it('are stored once, as they were first', async (t) => {
      const several = share(t, () => start, 5);
      await Promise.all(several.map((store) => store.keepTask(task('a'))));
      await several[0]!.keepTask(task('a', { name: 'other', startedAt: start + 1 }));
      assert.deepEqual(await several[4]!.startedTasks('ann', 10, null), [task('a')]);
    });

    it('are forgotten when they are dropped, and only for their user', async (t) => {
      const store = make(t, () => start);
      await store.keepTask(task('a'));
      assert.equal(await store.dropTask('bob', 'a'), false);
      assert.equal(await store.dropTask('ann', 'b'), false);
      assert.equal((await store.startedTasks('ann', 10, null)).length, 1);
      assert.equal(await store.dropTask('ann', 'a'), true);
      assert.equal(await store.dropTask('ann', 'a'), false);
      assert.deepEqual(await store.startedTasks('ann', 10, null), []);
    });

    it('are forgotten after a year', async (t) => {
      let now = start;
      const store = make(t, () => now);
      await store.keepTask(task('old'));
      now += yearMs;
      assert.equal((await store.startedTasks('ann', 10, null)).length, 1);
      now += 1;
      assert.deepEqual(await store.startedTasks('ann', 10, null), []);
      await store.keepTask(task('new', { startedAt: now }));
      assert.equal(await store.dropTask('ann', 'old'), false, 'removed');
    });

    it('and users are told apart however they are spelt', async (t) => {
      const store = make(t, () => start);
      for (const id of hostileIds) {
        await store.keepTask(task(id, { name: id }));
        await store.keepTask(task('a', { hostUser: id }));
      }
      const names = new Map(
        (await store.startedTasks('ann', 100, null)).map((one) => [one.id, one.name]),
      );
      assert.deepEqual(names, new Map(hostileIds.map((id) => [id, id])));
      for (const id of hostileIds) {
        const own = await store.startedTasks(id, 10, null);
        assert.ok(own.some((one) => one.id === 'a' && one.hostUser === id));
        assert.equal(await store.dropTask('ann', id), true);
      }
    });
  });
}
