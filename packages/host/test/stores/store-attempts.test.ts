import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attemptLifetime } from 'clip-kit/contract';
import { sharedStores, stores } from '../../../../test/support/host-stores.ts';
import { attempt, hostileIds, hourMs, start } from '../../../../test/support/store-attempt.ts';

for (const [name, share] of Object.entries(sharedStores)) {
  const make = stores[name]!;
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

    it('of many claims from ten connections, the first of all to this store, one wins', async (t) => {
      const several = share(t, () => start, 10);
      const requests = Array.from({ length: 30 }, (_, n) => `request ${n}`);
      const claims = await Promise.all(
        requests.map((request, n) => several[n % 10]!.claimAttempt(attempt({ request }))),
      );
      assert.equal(claims.filter((one) => one === null).length, 1);
      const winner = requests[claims.indexOf(null)]!;
      const known = claims.filter((one) => one !== null).map(({ request }) => request);
      assert.deepEqual([...new Set(known)], [winner]);
      assert.equal((await several[9]!.attempt('ann', 'attempt-1'))?.request, winner);
    });

    it('users and keys are told apart however they are spelt', async (t) => {
      const store = make(t, () => start);
      const pairs = hostileIds.flatMap((id): [string, string][] => [
        [id, 'attempt-1'],
        ['ann', id],
      ]);
      pairs.push(['a:b', 'c'], ['a', 'b:c'], ['a","b', 'c'], ['a', 'b","c']);
      for (const [n, [hostUser, key]] of pairs.entries()) {
        const one = attempt({ hostUser, key, request: `${n}` });
        assert.equal(
          await store.claimAttempt(one),
          null,
          JSON.stringify([hostUser, key]).slice(0, 50),
        );
      }
      for (const [n, [hostUser, key]] of pairs.entries()) {
        const one = attempt({ hostUser, key, request: `${n}` });
        assert.deepEqual(await store.attempt(hostUser, key), one);
        const moved = attempt({ ...one, state: 'unknown' });
        assert.equal(await store.moveAttempt(one, moved), true);
        assert.deepEqual(await store.claimAttempt(one), moved);
        await store.dropAttempt(moved);
        assert.equal(await store.attempt(hostUser, key), null);
      }
    });

    it('a request comes back as it was written', async (t) => {
      const store = make(t, () => start);
      const request = JSON.stringify(['p', '\0 \ud800 \' " 🎬', 'x'.repeat(10_000), null]);
      const one = attempt({ request, startedAt: start + 0.5 });
      await store.claimAttempt(one);
      assert.deepEqual(await store.attempt('ann', 'attempt-1'), one);
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
      const several = share(t, () => start, 5);
      await several[0]!.claimAttempt(attempt());
      const taken = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          several[n % 5]!.moveAttempt(attempt(), attempt({ startedAt: start + 200_000 + n })),
        ),
      );
      assert.equal(taken.filter(Boolean).length, 1);
      const { startedAt } = (await several[0]!.attempt('ann', 'attempt-1'))!;
      assert.equal(startedAt, start + 200_000 + taken.indexOf(true));
    });

    it('that is settled and dropped at once stays settled', async (t) => {
      const [one, two] = share(t, () => start, 2);
      for (let n = 0; n < 10; n++) {
        const open = attempt({ key: `attempt-${n}` });
        const settled = attempt({ ...open, state: 'settled', exportId: `e-${n}` });
        await one!.claimAttempt(open);
        const [moved] = await Promise.all([
          one!.moveAttempt(open, settled),
          two!.dropAttempt(open),
        ]);
        assert.deepEqual(await one!.attempt(open.hostUser, open.key), moved ? settled : null);
      }
    });

    it('is dropped only in the state and with the start that it has', async (t) => {
      const store = make(t, () => start);
      await store.claimAttempt(attempt());
      await store.dropAttempt(attempt({ hostUser: 'bob' }));
      await store.dropAttempt(attempt({ state: 'unknown' }));
      await store.dropAttempt(attempt({ startedAt: start - 1 }));
      assert.ok(await store.attempt('ann', 'attempt-1'));
      await store.dropAttempt(attempt());
      assert.equal(await store.attempt('ann', 'attempt-1'), null);
      assert.equal(await store.claimAttempt(attempt()), null);
    });

    it('lists the attempts of a user since a time', async (t) => {
      const store = make(t, () => start);
      const settled = attempt({ state: 'settled', exportId: 'e-1' });
      const later = attempt({ key: 'attempt-2', startedAt: start + 10 });
      await store.claimAttempt(settled);
      await store.claimAttempt(later);
      await store.claimAttempt(attempt({ hostUser: 'bob' }));
      const keysSince = async (since: number) =>
        (await store.attemptsSince('ann', since)).map(({ key }) => key).toSorted();
      assert.deepEqual(await keysSince(start), ['attempt-1', 'attempt-2']);
      assert.deepEqual(await store.attemptsSince('ann', start + 1), [later]);
      assert.deepEqual(await keysSince(start + 11), []);
      await store.moveAttempt(settled, attempt({ ...settled, startedAt: start + 20 }));
      assert.deepEqual(await keysSince(start + 11), ['attempt-1']);
      await store.dropAttempt(later);
      assert.deepEqual(await keysSince(start), ['attempt-1']);
    });

    it('is kept 24 hours by every clock that is less than an hour ahead, and not for ever', async (t) => {
      let now = start;
      const store = make(t, () => now);
      const settled = attempt({ state: 'settled', exportId: 'e-1' });
      await store.claimAttempt(settled);
      now = start + attemptLifetime + hourMs;
      await store.claimAttempt(attempt({ key: 'attempt-2', startedAt: now }));
      assert.deepEqual(await store.claimAttempt(attempt({ startedAt: now })), settled);
      now += 1;
      await store.claimAttempt(attempt({ key: 'attempt-3', startedAt: now }));
      assert.equal(await store.attempt('ann', 'attempt-1'), null);
      assert.equal((await store.attemptsSince('ann', start)).length, 2);
      assert.ok(await store.attempt('ann', 'attempt-2'));
      assert.equal(await store.claimAttempt(attempt({ startedAt: now })), null);
    });

    it('is kept 24 hours from its last start', async (t) => {
      let now = start;
      const store = make(t, () => now);
      await store.claimAttempt(attempt());
      const again = attempt({ startedAt: start + 20 * hourMs });
      await store.moveAttempt(attempt(), again);
      now = start + 40 * hourMs;
      await store.claimAttempt(attempt({ key: 'attempt-2', startedAt: now }));
      assert.deepEqual(await store.attempt('ann', 'attempt-1'), again);
    });

    it('of a process whose clock is ahead is like any other', async (t) => {
      const store = make(t, () => start);
      const ahead = attempt({ startedAt: start + 3 * hourMs });
      await store.claimAttempt(ahead);
      assert.deepEqual(await store.claimAttempt(attempt()), ahead);
      assert.equal(await store.moveAttempt(ahead, { ...ahead, state: 'unknown' }), true);
    });

    it('one that waits behind a restarted one is not kept longer for it', async (t) => {
      let now = start;
      const store = make(t, () => now);
      await store.claimAttempt(attempt());
      await store.claimAttempt(attempt({ key: 'attempt-2' }));
      await store.moveAttempt(attempt(), attempt({ startedAt: start + 20 * hourMs }));
      now = start + 26 * hourMs;
      await store.claimAttempt(attempt({ key: 'attempt-3', startedAt: now }));
      assert.equal(await store.attempt('ann', 'attempt-2'), null);
    });

    it('expired ones are gone after some claims, however many there were', async (t) => {
      let now = start;
      const store = make(t, () => now);
      const keys = Array.from({ length: 250 }, (_, n) => `attempt-${n}`);
      for (const key of keys) await store.claimAttempt(attempt({ key }));
      now = start + 26 * hourMs;
      for (const key of ['a', 'b', 'c']) {
        await store.claimAttempt(attempt({ hostUser: 'bob', key, startedAt: now }));
      }
      const left = await Promise.all(keys.map((key) => store.attempt('ann', key)));
      assert.deepEqual(left.filter(Boolean), []);
    });
  });
}
