import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sharedStores, stores } from '../support/host-stores.ts';
import { attempt, hostileIds, hour, start } from '../support/store-attempt.ts';

const lease = 60_000;

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
      now += 10 * 365 * 24 * hour;
      await store.claimAttempt(attempt({ startedAt: now }));
      assert.equal(await store.managedUser('ann'), 'u-1');
    });
  });

  describe(`${name}: the making of a managed user`, () => {
    it('is claimed once, and is nobody’s managed user yet', async (t) => {
      const store = make(t, () => start);
      assert.equal(await store.claimMaking('ann', start, lease), true);
      assert.equal(await store.claimMaking('ann', start, lease), false);
      assert.equal(await store.claimMaking('bob', start, lease), true);
      assert.equal(await store.managedUser('ann'), null);
    });

    it('is claimed by one of many connections', async (t) => {
      const several = share(t, () => start, 10);
      const won = await Promise.all(
        Array.from({ length: 30 }, (_, n) => several[n % 10]!.claimMaking('ann', start + n, lease)),
      );
      assert.equal(won.filter(Boolean).length, 1);
    });

    it('cannot be claimed for a user who has one, and again once that is dropped', async (t) => {
      const store = make(t, () => start);
      await store.claimMaking('ann', start, lease);
      await store.keepManagedUser('ann', 'u-1');
      assert.equal(await store.claimMaking('ann', start + 10 * lease, lease), false);
      await store.dropManagedUser('ann', 'u-1');
      assert.equal(await store.claimMaking('ann', start + 1, lease), true);
    });

    it('that was given up may be claimed again; another’s claim is not given up', async (t) => {
      const store = make(t, () => start);
      await store.claimMaking('ann', start, lease);
      await store.releaseMaking('ann', start - 1);
      await store.releaseMaking('bob', start);
      assert.equal(await store.claimMaking('ann', start, lease), false);
      await store.releaseMaking('ann', start);
      assert.equal(await store.claimMaking('ann', start, lease), true);
      await store.keepManagedUser('ann', 'u-1');
      await store.releaseMaking('ann', start);
      assert.equal(await store.managedUser('ann'), 'u-1');
    });

    it('is taken over from one who has ended, by one alone', async (t) => {
      const several = share(t, () => start, 5);
      await several[0]!.claimMaking('ann', start, lease);
      assert.equal(await several[1]!.claimMaking('ann', start + lease - 1, lease), false);
      const won = await Promise.all(
        several.map((store) => store.claimMaking('ann', start + lease, lease)),
      );
      assert.equal(won.filter(Boolean).length, 1);
      await several[0]!.releaseMaking('ann', start);
      assert.equal(await several[0]!.claimMaking('ann', start + lease, lease), false);
    });

    it('of a process whose clock is a day ahead does not hold for a day', async (t) => {
      const store = make(t, () => start);
      await store.claimMaking('ann', start + 24 * hour, lease);
      assert.equal(await store.claimMaking('ann', start + 24 * hour - lease + 1, lease), false);
      assert.equal(await store.claimMaking('ann', start, lease), true);
    });

    it('that is claimed late does not replace the user who was kept meanwhile', async (t) => {
      const store = make(t, () => start);
      await store.claimMaking('ann', start, lease);
      await store.claimMaking('ann', start + lease, lease);
      assert.equal(await store.keepManagedUser('ann', 'second'), 'second');
      assert.equal(await store.keepManagedUser('ann', 'first'), 'second');
    });
  });
}
