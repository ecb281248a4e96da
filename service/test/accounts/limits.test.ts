import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LimitReached, requireExportRoom, requireTaskRoom } from '../../src/accounts/limits.ts';

const none = { openTasks: 0, queuedExports: 0, sourceSeconds: 0, sourceSecondsLessIn: 0 };

function reached(work: () => void): { reason: string; retryAfter: number } | null {
  try {
    work();
    return null;
  } catch (error) {
    assert.ok(error instanceof LimitReached);
    assert.match(error.message, /user/);
    return { reason: error.reason, retryAfter: error.retryAfter };
  }
}

describe('limits', () => {
  it('that are not set allow everything', () => {
    const much = { ...none, openTasks: 1e6, queuedExports: 1e6, sourceSeconds: 1e9 };
    requireTaskRoom('user', {}, much, 1e9);
    requireExportRoom('user', {}, much);
  });

  it('allow as many as they say, and no more', () => {
    const tasks = (openTasks: number) =>
      reached(() => requireTaskRoom('user', { openTasks: 2 }, { ...none, openTasks }, null));
    assert.equal(tasks(1), null);
    assert.equal(tasks(2)?.reason, 'open-tasks');
    const exports = (queuedExports: number) =>
      reached(() => requireExportRoom('user', { queuedExports: 1 }, { ...none, queuedExports }));
    assert.equal(exports(0), null);
    assert.equal(exports(1)?.reason, 'queued-exports');
  });

  it('of hours count the source itself, and say when there is room again', () => {
    const hours = (sourceSeconds: number, own: number | null) =>
      reached(() =>
        requireTaskRoom(
          'user',
          { sourceHoursPerDay: 2 },
          { ...none, sourceSeconds, sourceSecondsLessIn: 1234.5 },
          own,
        ),
      );
    assert.equal(hours(3600, 3600), null);
    assert.equal(hours(7199, null), null, 'it is not known yet');
    assert.deepEqual(hours(3600, 3601), { reason: 'source-hours', retryAfter: 1235 });
    assert.deepEqual(hours(7200, null), { reason: 'source-hours', retryAfter: 1235 });
  });
});
