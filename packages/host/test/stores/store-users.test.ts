import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sharedStores, stores } from '../../../../test/support/host-stores.ts';
import { attempt, hostileIds, hourMs, start } from '../../../../test/support/store-attempt.ts';

const leaseMs = 60_000;

for (const [name, share] of Object.entries(sharedStores)) {
  const make = stores[name]!;
  describe(`${name}: managed users`, () => {
    it('the first one kept stays', async (t) => {
      const store = make(t, () => start);
      assert.equal(await store.managedUser('ann'), null);
      assert.equal(await store.keepManagedUser('ann', 'u-1'), 'u-1');
      assert.equal(await store.keepManagedUser('ann', 'u-2'), 'u-1');
      assert.equal(await store.managedUser('ann'), 'u-1');
      assert.equal(await store.managedUser('bob'), null);
    });

    it('one is replaced only while it is still the one', async (t) => {
      const store = make(t, () => start);
      await store.keepManagedUser('ann', 'u-1');
      assert.equal(await store.replaceManagedUser('ann', 'u-0', 'u-2'), 'u-1');
      assert.equal(await store.replaceManagedUser('ann', 'u-1', 'u-2'), 'u-2');
      assert.equal(await store.replaceManagedUser('ann', 'u-1', 'u-3'), 'u-2');
      assert.equal(await store.managedUser('ann'), 'u-2');
      assert.equal(await store.managedUser('bob'), null);
    });

    it('of many replacements at once one wins, and all get it', async (t) => {
      const several = share(t, () => start, 5);
      await several[0]!.keepManagedUser('ann', 'u-0');
      const stored = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          several[n % 5]!.replaceManagedUser('ann', 'u-0', `u-${n + 1}`),
        ),
      );
      assert.equal(new Set(stored).size, 1);
      assert.equal(await several[4]!.managedUser('ann'), stored[0]);
    });

    it('ids are told apart however they are spelt', async (t) => {
      const store = make(t, () => start);
      for (const [n, user] of hostileIds.entries()) {
        assert.equal(await store.managedUser(user), null, JSON.stringify(user).slice(0, 50));
        assert.equal(await store.keepManagedUser(user, `of ${n}`), `of ${n}`);
      }
      for (const [n, user] of hostileIds.entries()) {
        assert.equal(await store.managedUser(user), `of ${n}`);
      }
    });

    it('of many that are kept at once from several connections all are told the same', async (t) => {
      const several = share(t, () => start, 5);
      const kept = await Promise.all(
        Array.from({ length: 20 }, (_, n) => several[n % 5]!.keepManagedUser('ann', `u-${n}`)),
      );
      assert.equal(new Set(kept).size, 1);
      assert.equal(await several[4]!.managedUser('ann'), kept[0]);
    });

    it('are kept for ever', async (t) => {
      let now = start;
      const store = make(t, () => now);
      await store.keepManagedUser('ann', 'u-1');
      now += 10 * 365 * 24 * hourMs;
      await store.claimAttempt(attempt({ startedAt: now }));
      assert.equal(await store.managedUser('ann'), 'u-1');
    });
  });

  describe(`${name}: the creation of a managed user`, () => {
    it('is claimed once, and is nobody’s managed user yet', async (t) => {
      const store = make(t, () => start);
      assert.equal(await store.claimCreation('ann', start, leaseMs), true);
      assert.equal(await store.claimCreation('ann', start, leaseMs), false);
      assert.equal(await store.claimCreation('bob', start, leaseMs), true);
      assert.equal(await store.managedUser('ann'), null);
    });

    it('is claimed by one of many connections', async (t) => {
      const several = share(t, () => start, 10);
      const won = await Promise.all(
        Array.from({ length: 30 }, (_, n) =>
          several[n % 10]!.claimCreation('ann', start + n, leaseMs),
        ),
      );
      assert.equal(won.filter(Boolean).length, 1);
    });

    it('cannot be claimed for a user who has one', async (t) => {
      const store = make(t, () => start);
      await store.claimCreation('ann', start, leaseMs);
      await store.keepManagedUser('ann', 'u-1');
      assert.equal(await store.claimCreation('ann', start + 10 * leaseMs, leaseMs), false);
    });

    it('that was given up may be claimed again; another’s claim is not given up', async (t) => {
      const store = make(t, () => start);
      await store.claimCreation('ann', start, leaseMs);
      await store.releaseCreation('ann', start - 1);
      await store.releaseCreation('bob', start);
      assert.equal(await store.claimCreation('ann', start, leaseMs), false);
      await store.releaseCreation('ann', start);
      assert.equal(await store.claimCreation('ann', start, leaseMs), true);
      await store.keepManagedUser('ann', 'u-1');
      await store.releaseCreation('ann', start);
      assert.equal(await store.managedUser('ann'), 'u-1');
    });

    it('is taken over from one who has ended, by one alone', async (t) => {
      const several = share(t, () => start, 5);
      await several[0]!.claimCreation('ann', start, leaseMs);
      assert.equal(await several[1]!.claimCreation('ann', start + leaseMs - 1, leaseMs), false);
      const won = await Promise.all(
        several.map((store) => store.claimCreation('ann', start + leaseMs, leaseMs)),
      );
      assert.equal(won.filter(Boolean).length, 1);
      await several[0]!.releaseCreation('ann', start);
      assert.equal(await several[0]!.claimCreation('ann', start + leaseMs, leaseMs), false);
    });

    it('of a process whose clock is a day ahead does not hold for a day', async (t) => {
      const store = make(t, () => start);
      await store.claimCreation('ann', start + 24 * hourMs, leaseMs);
      assert.equal(
        await store.claimCreation('ann', start + 24 * hourMs - leaseMs + 1, leaseMs),
        false,
      );
      assert.equal(await store.claimCreation('ann', start, leaseMs), true);
    });

    it('that is claimed late does not replace the user who was kept meanwhile', async (t) => {
      const store = make(t, () => start);
      await store.claimCreation('ann', start, leaseMs);
      await store.claimCreation('ann', start + leaseMs, leaseMs);
      assert.equal(await store.keepManagedUser('ann', 'second'), 'second');
      assert.equal(await store.keepManagedUser('ann', 'first'), 'second');
    });
  });
}
