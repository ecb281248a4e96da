import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { memoryRecords } from '../support/memory-records.ts';
import { attempt, hourMs, start } from 'clip-testkit/store-attempt';

const leaseMs = 60_000;

describe('managed users', () => {
  it('the first one kept stays', async () => {
    const records = memoryRecords(() => start);
    assert.equal(await records.managedUser('ann'), null);
    assert.equal(await records.keepManagedUser('ann', 'u-1'), 'u-1');
    assert.equal(await records.keepManagedUser('ann', 'u-2'), 'u-1');
    assert.equal(await records.managedUser('ann'), 'u-1');
    assert.equal(await records.managedUser('bob'), null);
  });

  it('one is replaced only while it is still the one', async () => {
    const records = memoryRecords(() => start);
    await records.keepManagedUser('ann', 'u-1');
    assert.equal(await records.replaceManagedUser('ann', 'u-0', 'u-2'), 'u-1');
    assert.equal(await records.replaceManagedUser('ann', 'u-1', 'u-2'), 'u-2');
    assert.equal(await records.replaceManagedUser('ann', 'u-1', 'u-3'), 'u-2');
    assert.equal(await records.managedUser('ann'), 'u-2');
    assert.equal(await records.managedUser('bob'), null);
  });

  it('of many replacements at once one wins, and all get it', async () => {
    const records = memoryRecords(() => start);
    await records.keepManagedUser('ann', 'u-0');
    const stored = await Promise.all(
      Array.from({ length: 20 }, (_, n) => records.replaceManagedUser('ann', 'u-0', `u-${n + 1}`)),
    );
    assert.equal(new Set(stored).size, 1);
    assert.equal(await records.managedUser('ann'), stored[0]);
  });

  it('are kept for ever', async () => {
    let now = start;
    const records = memoryRecords(() => now);
    await records.keepManagedUser('ann', 'u-1');
    now += 10 * 365 * 24 * hourMs;
    await records.claimPaidStart(attempt({ startedAt: now }));
    assert.equal(await records.managedUser('ann'), 'u-1');
  });
});

describe('the creation of a managed user', () => {
  it('is claimed once, and is nobody’s managed user yet', async () => {
    const records = memoryRecords(() => start);
    assert.equal(await records.claimCreation('ann', start, leaseMs), true);
    assert.equal(await records.claimCreation('ann', start, leaseMs), false);
    assert.equal(await records.claimCreation('bob', start, leaseMs), true);
    assert.equal(await records.managedUser('ann'), null);
  });

  it('cannot be claimed for a user who has one', async () => {
    const records = memoryRecords(() => start);
    await records.claimCreation('ann', start, leaseMs);
    await records.keepManagedUser('ann', 'u-1');
    assert.equal(await records.claimCreation('ann', start + 10 * leaseMs, leaseMs), false);
  });

  it('that was given up may be claimed again; another’s claim is not given up', async () => {
    const records = memoryRecords(() => start);
    await records.claimCreation('ann', start, leaseMs);
    await records.releaseCreation('ann', start - 1);
    await records.releaseCreation('bob', start);
    assert.equal(await records.claimCreation('ann', start, leaseMs), false);
    await records.releaseCreation('ann', start);
    assert.equal(await records.claimCreation('ann', start, leaseMs), true);
    await records.keepManagedUser('ann', 'u-1');
    await records.releaseCreation('ann', start);
    assert.equal(await records.managedUser('ann'), 'u-1');
  });

  it('is taken over from one who has ended, by one alone', async () => {
    const records = memoryRecords(() => start);
    await records.claimCreation('ann', start, leaseMs);
    assert.equal(await records.claimCreation('ann', start + leaseMs - 1, leaseMs), false);
    const won = await Promise.all(
      [1, 2, 3].map(() => records.claimCreation('ann', start + leaseMs, leaseMs)),
    );
    assert.equal(won.filter(Boolean).length, 1);
    await records.releaseCreation('ann', start);
    assert.equal(await records.claimCreation('ann', start + leaseMs, leaseMs), false);
  });

  it('of a process whose clock is a day ahead does not hold for a day', async () => {
    const records = memoryRecords(() => start);
    await records.claimCreation('ann', start + 24 * hourMs, leaseMs);
    assert.equal(
      await records.claimCreation('ann', start + 24 * hourMs - leaseMs + 1, leaseMs),
      false,
    );
    assert.equal(await records.claimCreation('ann', start, leaseMs), true);
  });

  it('that is claimed late does not replace the user who was kept meanwhile', async () => {
    const records = memoryRecords(() => start);
    await records.claimCreation('ann', start, leaseMs);
    await records.claimCreation('ann', start + leaseMs, leaseMs);
    assert.equal(await records.keepManagedUser('ann', 'second'), 'second');
    assert.equal(await records.keepManagedUser('ann', 'first'), 'second');
  });
});
