import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { attemptLifetime } from '../../src/contract/host.ts';
import { sqliteStore, type Attempt } from '../../src/host/index.ts';
import { openSqlite, stores, temporaryDirectory } from '../support/host-stores.ts';

const start = Date.parse('2026-01-31T10:00:00Z');

const attempt = (more: Partial<Attempt> = {}): Attempt => ({
  key: 'attempt-1',
  hostUser: 'ann',
  request: '["p",null,null,null]',
  startedAt: start,
  state: 'open',
  exportId: null,
  ...more,
});

for (const [name, make] of Object.entries(stores)) {
  describe(`${name}: managed users`, () => {
    it('the first one kept stays', async (t) => {
      const store = make(t, () => start);
      assert.equal(await store.managedUser('ann'), null);
      assert.equal(await store.keepManagedUser('ann', 'u-1'), 'u-1');
      assert.equal(await store.keepManagedUser('ann', 'u-2'), 'u-1');
      assert.equal(await store.managedUser('ann'), 'u-1');
      assert.equal(await store.managedUser('bob'), null);
    });

    it('one is dropped only while it is still the one', async (t) => {
      const store = make(t, () => start);
      await store.keepManagedUser('ann', 'u-1');
      await store.dropManagedUser('ann', 'u-0');
      assert.equal(await store.managedUser('ann'), 'u-1');
      await store.dropManagedUser('ann', 'u-1');
      assert.equal(await store.managedUser('ann'), null);
      assert.equal(await store.keepManagedUser('ann', 'u-2'), 'u-2');
    });

    it('ids are told apart however they are spelt', async (t) => {
      const store = make(t, () => start);
      for (const user of ['a', 'A', 'a ', "a'; DROP TABLE clip_host_user; --", '["a"]', 'ä']) {
        assert.equal(await store.keepManagedUser(user, `of ${user}`), `of ${user}`);
      }
    });
  });

  describe(`${name}: attempts`, () => {
    it('a key is claimed once for each user', async (t) => {
      const store = make(t, () => start);
      assert.equal(await store.claimAttempt(attempt()), null);
      assert.deepEqual(await store.claimAttempt(attempt({ request: 'other' })), attempt());
      assert.equal(await store.claimAttempt(attempt({ hostUser: 'bob' })), null);
      assert.equal(await store.claimAttempt(attempt({ key: 'attempt-2' })), null);
      assert.deepEqual(await store.attempt('ann', 'attempt-1'), attempt());
      assert.equal(await store.attempt('eve', 'attempt-1'), null);
    });

    it('of ten claims at once one wins', async (t) => {
      const store = make(t, () => start);
      const claims = await Promise.all(
        Array.from({ length: 10 }, () => store.claimAttempt(attempt())),
      );
      assert.equal(claims.filter((one) => one === null).length, 1);
    });

    it('is moved only from the state and the start that it has', async (t) => {
      const store = make(t, () => start);
      const settled = attempt({ state: 'settled', exportId: 'e-1' });
      assert.equal(await store.moveAttempt(attempt(), settled), false);
      await store.claimAttempt(attempt());
      assert.equal(await store.moveAttempt(attempt({ state: 'unknown' }), settled), false);
      assert.equal(await store.moveAttempt(attempt({ startedAt: start - 1 }), settled), false);
      assert.deepEqual(await store.attempt('ann', 'attempt-1'), attempt());
      assert.equal(await store.moveAttempt(attempt(), settled), true);
      assert.deepEqual(await store.attempt('ann', 'attempt-1'), settled);
      assert.equal(await store.moveAttempt(attempt(), settled), false);
    });

    it('that was abandoned is taken up by one alone', async (t) => {
      const store = make(t, () => start);
      await store.claimAttempt(attempt());
      const again = attempt({ startedAt: start + 200_000 });
      const taken = await Promise.all(
        Array.from({ length: 5 }, () => store.moveAttempt(attempt(), again)),
      );
      assert.equal(taken.filter(Boolean).length, 1);
    });

    it('that was dropped may be claimed again', async (t) => {
      const store = make(t, () => start);
      await store.claimAttempt(attempt());
      await store.dropAttempt('bob', 'attempt-1');
      assert.ok(await store.attempt('ann', 'attempt-1'));
      await store.dropAttempt('ann', 'attempt-1');
      assert.equal(await store.attempt('ann', 'attempt-1'), null);
      assert.equal(await store.claimAttempt(attempt()), null);
    });

    it('says which exports are some attempt’s', async (t) => {
      const store = make(t, () => start);
      await store.claimAttempt(attempt({ state: 'settled', exportId: 'e-1' }));
      await store.claimAttempt(attempt({ key: 'attempt-2' }));
      const other = { hostUser: 'bob', state: 'settled', exportId: 'e-2' } as const;
      await store.claimAttempt(attempt(other));
      assert.deepEqual(await store.attributed(['e-1', 'e-2', 'e-3']), new Set(['e-1', 'e-2']));
      assert.deepEqual(await store.attributed([]), new Set());
    });

    it('is kept 24 hours, and not for ever', async (t) => {
      let now = start;
      const store = make(t, () => now);
      await store.claimAttempt(attempt());
      now = start + attemptLifetime;
      await store.claimAttempt(attempt({ key: 'attempt-2', startedAt: now }));
      assert.ok(await store.attempt('ann', 'attempt-1'));
      now += 1;
      await store.claimAttempt(attempt({ key: 'attempt-3', startedAt: now }));
      assert.equal(await store.attempt('ann', 'attempt-1'), null);
      assert.ok(await store.attempt('ann', 'attempt-2'));
    });
  });
}

describe('sqliteStore: a file', () => {
  it('is kept over a restart', async (t) => {
    const file = join(temporaryDirectory(t), 'host.db');
    const first = new DatabaseSync(file);
    const before = sqliteStore(first, () => start);
    await before.keepManagedUser('ann', 'u-1');
    await before.claimAttempt(attempt());
    first.close();
    const after = openSqlite(t, file, () => start);
    assert.equal(await after.managedUser('ann'), 'u-1');
    assert.deepEqual(await after.attempt('ann', 'attempt-1'), attempt());
  });

  it('is shared by two that have it open', async (t) => {
    const file = join(temporaryDirectory(t), 'host.db');
    const [one, two] = [openSqlite(t, file, () => start), openSqlite(t, file, () => start)];
    assert.equal(await one.keepManagedUser('ann', 'u-1'), 'u-1');
    assert.equal(await two.keepManagedUser('ann', 'u-2'), 'u-1');
    assert.equal(await one.claimAttempt(attempt()), null);
    assert.deepEqual(await two.claimAttempt(attempt()), attempt());
  });
});
