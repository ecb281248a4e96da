import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../../src/api-error.ts';
import { requireWorkRoom, requireTaskRoom } from '../../src/users/limits.ts';

const none = { openTasks: 0, sourceSeconds: 0, sourceSecondsLessIn: 0 };

function reached(work: () => void): { reason: string; retryAfter: number } | null {
  try {
    work();
    return null;
  } catch (error) {
    assert.ok(error instanceof ApiError);
    assert.match(error.message, /user/);
    const { reason = '', headers } = error;
    return { reason, retryAfter: Number(headers['Retry-After']) };
  }
}

describe('limits', () => {
  it('that are not set allow everything', () => {
    const much = { ...none, openTasks: 1e6, sourceSeconds: 1e9 };
    for (const isMade of [false, true]) requireTaskRoom('user', {}, much, isMade);
    requireWorkRoom('user', {}, 1e6);
  });

  it('allow as many as they say, and no more', () => {
    const tasks = (openTasks: number) =>
      reached(() => requireTaskRoom('user', { openTasks: 2 }, { ...none, openTasks }, false));
    assert.equal(tasks(1), null);
    assert.equal(tasks(2)?.reason, 'open-tasks');
    const exports = (open: number) =>
      reached(() => requireWorkRoom('user', { queuedExports: 1 }, open));
    assert.equal(exports(0), null);
    assert.equal(exports(1)?.reason, 'queued-exports');
  });

  it('of hours refuse who has had them and a source that is too long, and say when there is room again', () => {
    const hours = (isMade: boolean, sourceSeconds: number) =>
      reached(() => {
        const usage = { ...none, sourceSeconds, sourceSecondsLessIn: 1234.5 };
        requireTaskRoom('user', { sourceHoursPerDay: 2, openTasks: 9 }, usage, isMade);
      });
    const refused = { reason: 'source-hours', retryAfter: 1235 };
    assert.equal(hours(false, 7199), null);
    assert.deepEqual(hours(false, 7200), refused);
    assert.equal(hours(true, 7200), null);
    assert.deepEqual(hours(true, 7201), refused);
  });

  it('of tasks do not refuse one for itself', () => {
    requireTaskRoom('user', { openTasks: 1 }, { ...none, openTasks: 1 }, true);
  });
});
