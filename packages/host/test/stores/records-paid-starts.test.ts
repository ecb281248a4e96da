import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attemptLifetime } from 'clip-kit/contract';
import { findPaidStart, memoryRecords } from '../support/memory-records.ts';
import { attempt, hourMs, start } from 'clip-testkit/store-attempt';

describe('attempts', () => {
  it('a key is claimed once for each user', async () => {
    const records = memoryRecords(() => start);
    assert.equal(await records.claimPaidStart(attempt()), null);
    assert.deepEqual(await records.claimPaidStart(attempt({ request: 'other' })), attempt());
    assert.equal(await records.claimPaidStart(attempt({ hostUser: 'bob' })), null);
    assert.equal(await records.claimPaidStart(attempt({ key: 'attempt-2' })), null);
    assert.deepEqual(await findPaidStart(records, 'ann', 'attempt-1'), attempt());
    assert.equal(await findPaidStart(records, 'eve', 'attempt-1'), null);
  });

  it('of ten claims at once one wins', async () => {
    const records = memoryRecords(() => start);
    const claims = await Promise.all(
      Array.from({ length: 10 }, () => records.claimPaidStart(attempt())),
    );
    assert.equal(claims.filter((one) => one === null).length, 1);
  });

  it('a request comes back as it was written', async () => {
    const records = memoryRecords(() => start);
    const request = JSON.stringify(['p', '\0 \ud800 \' " 🎬', 'x'.repeat(10_000), null]);
    const one = attempt({ request, startedAt: start + 0.5 });
    await records.claimPaidStart(one);
    assert.deepEqual(await findPaidStart(records, 'ann', 'attempt-1'), one);
  });

  it('is moved only from the state and the start that it has', async () => {
    const records = memoryRecords(() => start);
    const settled = attempt({ state: 'settled', exportId: 'e-1' });
    assert.equal(await records.movePaidStart(attempt(), settled), false);
    await records.claimPaidStart(attempt());
    assert.equal(await records.movePaidStart(attempt({ state: 'unknown' }), settled), false);
    assert.equal(await records.movePaidStart(attempt({ startedAt: start - 1 }), settled), false);
    assert.deepEqual(await findPaidStart(records, 'ann', 'attempt-1'), attempt());
    assert.equal(await records.movePaidStart(attempt(), settled), true);
    assert.deepEqual(await findPaidStart(records, 'ann', 'attempt-1'), settled);
    assert.equal(await records.movePaidStart(attempt(), settled), false);
  });

  it('that was abandoned is taken up by one alone', async () => {
    const records = memoryRecords(() => start);
    await records.claimPaidStart(attempt());
    const taken = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        records.movePaidStart(attempt(), attempt({ startedAt: start + 200_000 + n })),
      ),
    );
    assert.equal(taken.filter(Boolean).length, 1);
    const { startedAt } = (await findPaidStart(records, 'ann', 'attempt-1'))!;
    assert.equal(startedAt, start + 200_000 + taken.indexOf(true));
  });

  it('that is settled and dropped at once stays settled', async () => {
    const records = memoryRecords(() => start);
    for (let n = 0; n < 10; n++) {
      const open = attempt({ key: `attempt-${n}` });
      const settled = attempt({ ...open, state: 'settled', exportId: `e-${n}` });
      await records.claimPaidStart(open);
      const [moved] = await Promise.all([
        records.movePaidStart(open, settled),
        records.dropPaidStart(open),
      ]);
      assert.deepEqual(
        await findPaidStart(records, open.hostUser, open.key),
        moved ? settled : null,
      );
    }
  });

  it('is dropped only in the state and with the start that it has', async () => {
    const records = memoryRecords(() => start);
    await records.claimPaidStart(attempt());
    await records.dropPaidStart(attempt({ hostUser: 'bob' }));
    await records.dropPaidStart(attempt({ state: 'unknown' }));
    await records.dropPaidStart(attempt({ startedAt: start - 1 }));
    assert.ok(await findPaidStart(records, 'ann', 'attempt-1'));
    await records.dropPaidStart(attempt());
    assert.equal(await findPaidStart(records, 'ann', 'attempt-1'), null);
    assert.equal(await records.claimPaidStart(attempt()), null);
  });

  it('lists the attempts of a user since a time', async () => {
    const records = memoryRecords(() => start);
    const settled = attempt({ state: 'settled', exportId: 'e-1' });
    const later = attempt({ key: 'attempt-2', startedAt: start + 10 });
    await records.claimPaidStart(settled);
    await records.claimPaidStart(later);
    await records.claimPaidStart(attempt({ hostUser: 'bob' }));
    const keysSince = async (since: number) =>
      (await records.listPaidStartsSince('ann', since)).map(({ key }) => key).toSorted();
    assert.deepEqual(await keysSince(start), ['attempt-1', 'attempt-2']);
    assert.deepEqual(await records.listPaidStartsSince('ann', start + 1), [later]);
    assert.deepEqual(await keysSince(start + 11), []);
    await records.movePaidStart(settled, attempt({ ...settled, startedAt: start + 20 }));
    assert.deepEqual(await keysSince(start + 11), ['attempt-1']);
    await records.dropPaidStart(later);
    assert.deepEqual(await keysSince(start), ['attempt-1']);
  });

  it('is stored for 24 hours by any clock less than an hour ahead, then forgotten', async () => {
    let now = start;
    const records = memoryRecords(() => now);
    const settled = attempt({ state: 'settled', exportId: 'e-1' });
    await records.claimPaidStart(settled);
    now = start + attemptLifetime + hourMs;
    await records.claimPaidStart(attempt({ key: 'attempt-2', startedAt: now }));
    assert.deepEqual(await records.claimPaidStart(attempt({ startedAt: now })), settled);
    now += 1;
    await records.claimPaidStart(attempt({ key: 'attempt-3', startedAt: now }));
    assert.equal(await findPaidStart(records, 'ann', 'attempt-1'), null);
    assert.equal((await records.listPaidStartsSince('ann', start)).length, 2);
    assert.ok(await findPaidStart(records, 'ann', 'attempt-2'));
    assert.equal(await records.claimPaidStart(attempt({ startedAt: now })), null);
  });

  it('is stored for 24 hours after its last start', async () => {
    let now = start;
    const records = memoryRecords(() => now);
    await records.claimPaidStart(attempt());
    const again = attempt({ startedAt: start + 20 * hourMs });
    await records.movePaidStart(attempt(), again);
    now = start + 40 * hourMs;
    await records.claimPaidStart(attempt({ key: 'attempt-2', startedAt: now }));
    assert.deepEqual(await findPaidStart(records, 'ann', 'attempt-1'), again);
  });

  it('of a process whose clock is ahead is like any other', async () => {
    const records = memoryRecords(() => start);
    const ahead = attempt({ startedAt: start + 3 * hourMs });
    await records.claimPaidStart(ahead);
    assert.deepEqual(await records.claimPaidStart(attempt()), ahead);
    assert.equal(await records.movePaidStart(ahead, { ...ahead, state: 'unknown' }), true);
  });
});
