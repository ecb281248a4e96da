import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextPoll, estimateProgress, type PollSituation } from '../../src/flow/poll-schedule.ts';

const at = (change: Partial<PollSituation>): PollSituation => ({
  now: 0,
  waiting: [{ since: 0, estimate: 60_000 }],
  held: null,
  asked: null,
  failures: 0,
  retryAfter: null,
  hidden: false,
  jitter: 0.5,
  ...change,
});

describe('the poll schedule', () => {
  it('asks first at 0.77 of the time to the estimate', () => {
    assert.equal(nextPoll(at({})), 46_200);
  });

  it('asks again at 0.77 of the time left where the host does not hold, never under 1 s', () => {
    assert.equal(nextPoll(at({ held: false, now: 50_000 })), 7700);
    assert.equal(nextPoll(at({ held: false, now: 59_900 })), 1000);
  });

  it('asks a host that holds without a pause, once it is worth asking', () => {
    assert.equal(nextPoll(at({ held: true, now: 47_000 })), 0);
    assert.equal(nextPoll(at({ held: true, now: 10_000 })), 36_200);
  });

  it('asks a host that holds once a second at most for several: changes close together share an answer', () => {
    const waiting = [
      { since: 0, estimate: 60_000 },
      { since: 0, estimate: 60_000 },
    ];
    const at50 = { now: 50_000, held: true };
    assert.equal(nextPoll(at({ ...at50, waiting, asked: 49_700 })), 700);
    assert.equal(nextPoll(at({ ...at50, waiting, asked: 40_000 })), 0);
    assert.equal(nextPoll(at({ ...at50, asked: 49_700 })), 0);
    // A clock that was set back.
    assert.equal(nextPoll(at({ ...at50, waiting, asked: 9_000_000 })), 1000);
  });

  it('takes the export that is due first', () => {
    const waiting = [
      { since: 0, estimate: 100_000 },
      { since: 0, estimate: 10_000 },
    ];
    assert.equal(nextPoll(at({ waiting })), 7700);
  });

  it('slows down after the estimate has passed, to 10 s at most', () => {
    assert.equal(nextPoll(at({ held: false, now: 61_000 })), 1000);
    assert.equal(nextPoll(at({ held: false, now: 80_000 })), 5000);
    assert.equal(nextPoll(at({ held: false, now: 900_000 })), 10_000);
  });

  it('asks after two minutes at the latest, because an estimate may be far off', () => {
    const waiting = [{ since: 0, estimate: 600_000 }];
    assert.equal(nextPoll(at({ waiting })), 120_000);
    assert.equal(nextPoll(at({ waiting, held: true, now: 120_000 })), 120_000);
    assert.equal(nextPoll(at({ waiting, held: true, now: 450_000 })), 12_000);
  });

  it('asks every 3 s without an estimate', () => {
    assert.equal(nextPoll(at({ waiting: [{ since: 0, estimate: null }] })), 3000);
  });

  it('backs off after failures with jitter: up to 15 s, up to a minute in a hidden tab', () => {
    assert.equal(nextPoll(at({ failures: 1, jitter: 0 })), 500);
    assert.equal(nextPoll(at({ failures: 1, jitter: 1 })), 1000);
    assert.equal(nextPoll(at({ failures: 4, jitter: 1 })), 8000);
    assert.equal(nextPoll(at({ failures: 400, jitter: 1 })), 15_000);
    assert.equal(nextPoll(at({ failures: 400, jitter: 1, hidden: true })), 60_000);
  });

  it('honours Retry-After, and is slower in a hidden tab', () => {
    assert.equal(nextPoll(at({ failures: 1, retryAfter: 30_000 })), 30_000);
    assert.equal(nextPoll(at({ now: 59_000, held: false, hidden: true })), 15_000);
  });

  it('waits for nothing when there is nothing', () => {
    assert.equal(nextPoll(at({ waiting: [] })), null);
  });

  /**
   * Renders of 20 to 120 s in virtual time; every answer has a new estimate, wrong by up to 30 % of
   * the remaining time.
   */
  const simulate = (holds: boolean) => {
    let seed = 1;
    const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
    let requests = 0;
    let lag = 0;
    const runs = 400;
    for (let run = 0; run < runs; run++) {
      const end = 20_000 + random() * 100_000;
      const guess = (now: number) => now + (end - now) * (0.7 + random() * 0.6);
      let now = 0;
      let estimate = guess(0);
      let held: boolean | null = null;
      for (;;) {
        now += nextPoll(at({ now, waiting: [{ since: 0, estimate }], held }))!;
        requests++;
        if (holds) {
          held = true;
          // The host answers 50 ms after the change, or after 25 s.
          now = now >= end ? now : Math.min(end + 50, now + 25_000);
        } else held = false;
        if (now >= end) break;
        estimate = guess(now);
      }
      lag += now - end;
    }
    return { requests: requests / runs, lag: lag / runs };
  };

  it('needs at most 1.3 requests an export and 0.2 s with a host that holds', () => {
    const { requests, lag } = simulate(true);
    assert.ok(requests <= 1.3, `${requests} requests`);
    assert.ok(lag <= 200, `${lag} ms`);
  });

  it('needs at most 4.2 requests an export and 0.8 s with a plain host', () => {
    const { requests, lag } = simulate(false);
    assert.ok(requests <= 4.2, `${requests} requests`);
    assert.ok(lag <= 800, `${lag} ms`);
  });
});

describe('progress', () => {
  it('is the share of the time to the estimate, and never 1', () => {
    assert.equal(estimateProgress({ since: 0, estimate: 100 }, 25), 0.25);
    assert.equal(estimateProgress({ since: 0, estimate: 100 }, 500), 0.99);
    assert.equal(estimateProgress({ since: 100, estimate: 200 }, 50), 0);
  });

  it('says nothing without an estimate that makes sense', () => {
    assert.equal(estimateProgress({ since: 0, estimate: null }, 25), null);
    assert.equal(estimateProgress({ since: 100, estimate: 100 }, 125), null);
  });
});
