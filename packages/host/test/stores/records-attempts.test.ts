import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attemptLifetime } from 'clip-kit/contract';
import { memoryRecords } from '../support/memory-records.ts';
import { attempt, hourMs, start } from 'clip-testkit/store-attempt';

describe('attempts', () => {
  it('a key is claimed once for each user', async () => {
    const records = memoryRecords(() => start);
    assert.equal(await records.claimAttempt(attempt()), null);
    assert.deepEqual(await records.claimAttempt(attempt({ request: 'other' })), attempt());
    assert.equal(await records.claimAttempt(attempt({ hostUser: 'bob' })), null);
    assert.equal(await records.claimAttempt(attempt({ key: 'attempt-2' })), null);
    assert.deepEqual(await records.attempt('ann', 'attempt-1'), attempt());
    assert.equal(await records.attempt('eve', 'attempt-1'), null);
  });

  it('of ten claims at once one wins', async () => {
    const records = memoryRecords(() => start);
    const claims = await Promise.all(
      Array.from({ length: 10 }, () => records.claimAttempt(attempt())),
    );
    assert.equal(claims.filter((one) => one === null).length, 1);
  });

  it('a request comes back as it was written', async () => {
    const records = memoryRecords(() => start);
    const request = JSON.stringify(['p', '\0 \ud800 \' " 🎬', 'x'.repeat(10_000), null]);
    const one = attempt({ request, startedAt: start + 0.5 });
    await records.claimAttempt(one);
    assert.deepEqual(await records.attempt('ann', 'attempt-1'), one);
  });

  it('is moved only from the state and the start that it has', async () => {
    const records = memoryRecords(() => start);
    const settled = attempt({ state: 'settled', exportId: 'e-1' });
    assert.equal(await records.moveAttempt(attempt(), settled), false);
    await records.claimAttempt(attempt());
    assert.equal(await records.moveAttempt(attempt({ state: 'unknown' }), settled), false);
    assert.equal(await records.moveAttempt(attempt({ startedAt: start - 1 }), settled), false);
    assert.deepEqual(await records.attempt('ann', 'attempt-1'), attempt());
    assert.equal(await records.moveAttempt(attempt(), settled), true);
    assert.deepEqual(await records.attempt('ann', 'attempt-1'), settled);
    assert.equal(await records.moveAttempt(attempt(), settled), false);
  });

  it('that was abandoned is taken up by one alone', async () => {
    const records = memoryRecords(() => start);
    await records.claimAttempt(attempt());
    const taken = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        records.moveAttempt(attempt(), attempt({ startedAt: start + 200_000 + n })),
      ),
    );
    assert.equal(taken.filter(Boolean).length, 1);
    const { startedAt } = (await records.attempt('ann', 'attempt-1'))!;
    assert.equal(startedAt, start + 200_000 + taken.indexOf(true));
  });

  it('that is settled and dropped at once stays settled', async () => {
    const records = memoryRecords(() => start);
    for (let n = 0; n < 10; n++) {
      const open = attempt({ key: `attempt-${n}` });
      const settled = attempt({ ...open, state: 'settled', exportId: `e-${n}` });
      await records.claimAttempt(open);
      const [moved] = await Promise.all([
        records.moveAttempt(open, settled),
        records.dropAttempt(open),
      ]);
      assert.deepEqual(await records.attempt(open.hostUser, open.key), moved ? settled : null);
    }
  });

  it('is dropped only in the state and with the start that it has', async () => {
    const records = memoryRecords(() => start);
    await records.claimAttempt(attempt());
    await records.dropAttempt(attempt({ hostUser: 'bob' }));
    await records.dropAttempt(attempt({ state: 'unknown' }));
    await records.dropAttempt(attempt({ startedAt: start - 1 }));
    assert.ok(await records.attempt('ann', 'attempt-1'));
    await records.dropAttempt(attempt());
    assert.equal(await records.attempt('ann', 'attempt-1'), null);
    assert.equal(await records.claimAttempt(attempt()), null);
  });

  it('lists the attempts of a user since a time', async () => {
    const records = memoryRecords(() => start);
    const settled = attempt({ state: 'settled', exportId: 'e-1' });
    const later = attempt({ key: 'attempt-2', startedAt: start + 10 });
    await records.claimAttempt(settled);
    await records.claimAttempt(later);
    await records.claimAttempt(attempt({ hostUser: 'bob' }));
    const keysSince = async (since: number) =>
      (await records.attemptsSince('ann', since)).map(({ key }) => key).toSorted();
    assert.deepEqual(await keysSince(start), ['attempt-1', 'attempt-2']);
    assert.deepEqual(await records.attemptsSince('ann', start + 1), [later]);
    assert.deepEqual(await keysSince(start + 11), []);
    await records.moveAttempt(settled, attempt({ ...settled, startedAt: start + 20 }));
    assert.deepEqual(await keysSince(start + 11), ['attempt-1']);
    await records.dropAttempt(later);
    assert.deepEqual(await keysSince(start), ['attempt-1']);
  });

  it('is kept 24 hours by every clock that is less than an hour ahead, and not for ever', async () => {
    let now = start;
    const records = memoryRecords(() => now);
    const settled = attempt({ state: 'settled', exportId: 'e-1' });
    await records.claimAttempt(settled);
    now = start + attemptLifetime + hourMs;
    await records.claimAttempt(attempt({ key: 'attempt-2', startedAt: now }));
    assert.deepEqual(await records.claimAttempt(attempt({ startedAt: now })), settled);
    now += 1;
    await records.claimAttempt(attempt({ key: 'attempt-3', startedAt: now }));
    assert.equal(await records.attempt('ann', 'attempt-1'), null);
    assert.equal((await records.attemptsSince('ann', start)).length, 2);
    assert.ok(await records.attempt('ann', 'attempt-2'));
    assert.equal(await records.claimAttempt(attempt({ startedAt: now })), null);
  });

  it('is kept 24 hours from its last start', async () => {
    let now = start;
    const records = memoryRecords(() => now);
    await records.claimAttempt(attempt());
    const again = attempt({ startedAt: start + 20 * hourMs });
    await records.moveAttempt(attempt(), again);
    now = start + 40 * hourMs;
    await records.claimAttempt(attempt({ key: 'attempt-2', startedAt: now }));
    assert.deepEqual(await records.attempt('ann', 'attempt-1'), again);
  });

  it('of a process whose clock is ahead is like any other', async () => {
    const records = memoryRecords(() => start);
    const ahead = attempt({ startedAt: start + 3 * hourMs });
    await records.claimAttempt(ahead);
    assert.deepEqual(await records.claimAttempt(attempt()), ahead);
    assert.equal(await records.moveAttempt(ahead, { ...ahead, state: 'unknown' }), true);
  });
});
