import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { LongPoll } from '../../src/client/long-poll.ts';
import type { Waiting } from '../../src/flow/poll-schedule.ts';
import { VirtualPage } from '../support/virtual-page.ts';

const second = 1000;
const hour = 3600 * second;

describe('what is waited for in addition', () => {
  let page: VirtualPage;
  let poll: LongPoll;
  let waiting: Waiting[];
  /** Of each request: after how many seconds it was sent, and for how many things. */
  let asked: { readonly at: number; readonly count: number }[];
  let began: number;

  const ready = (inSeconds: number): Waiting => ({
    since: page.clock.time,
    estimate: page.clock.time + inSeconds * second,
  });
  const soon = (): Waiting => ({ since: page.clock.time, estimate: null });
  const add = (one: Waiting): void => {
    waiting.push(one);
    poll.add(one);
  };

  beforeEach(async () => {
    page = new VirtualPage();
    began = page.clock.time;
    waiting = [];
    asked = [];
    poll = new LongPoll({
      waitSeconds: hour / second,
      trustsHost: true,
      waiting: () => waiting,
      onStalled: () => {},
      onFailed: (error) => assert.fail(error),
      ask({ signal }) {
        asked.push({ at: (page.clock.time - began) / second, count: waiting.length });
        // Held until the page gives it up.
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        });
      },
    });
    void poll.run();
  });
  afterEach(() => {
    poll.end();
    page.close();
  });

  it('ends a held request that does not ask for it, and asks for all', async () => {
    add(soon());
    await page.clock.pass(10 * second);
    add(soon());
    await page.clock.pass(hour);
    assert.deepEqual(asked, [
      { at: 0, count: 1 },
      { at: 10, count: 2 },
    ]);
  });

  it('leaves a held request open until it is time to ask for it', async () => {
    add(soon());
    await page.clock.pass(10 * second);
    add(ready(100));
    await page.clock.pass(76 * second);
    assert.equal(asked.length, 1);
    await page.clock.pass(hour);
    assert.deepEqual(asked, [
      { at: 0, count: 1 },
      { at: 87, count: 2 },
    ]);
  });

  it('ends the wait for something later', async () => {
    add(ready(1000));
    await page.clock.pass(10 * second);
    add(soon());
    await page.clock.pass(second);
    assert.deepEqual(asked, [{ at: 10, count: 2 }]);
  });
});
