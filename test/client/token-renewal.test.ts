/** What renewing a token survives, over hours that pass in no time. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { ClipError } from '../../src/client/clip-error.ts';
import { TokenKeeper } from '../../src/client/token-keeper.ts';
import { grantOf } from '../../src/client/token-store.ts';
import { VirtualPage } from '../support/virtual-page.ts';

const second = 1000;
const minute = 60 * second;

let page: VirtualPage;
let leave: AbortController;
let down: boolean;
let asked: number;
let renewed: string[];
let failing: ClipError[];

/** Keeps a token of an hour; each new one lives for an hour as well. */
const keep = (): TokenKeeper => {
  const hour = () => Date.now() + 60 * minute;
  return new TokenKeeper(
    {
      project: 'clip',
      store: null,
      getToken: async () => {
        asked++;
        if (down) throw new Error('no token');
        return { token: `token-${asked}`, expiresAt: hour() };
      },
    },
    grantOf('token-0', hour(), 0),
    leave.signal,
    { renewed: ({ token }) => renewed.push(token), failing: (error) => failing.push(error) },
  );
};

beforeEach(() => {
  page = new VirtualPage();
  leave = new AbortController();
  down = false;
  asked = 0;
  renewed = [];
  failing = [];
});

afterEach(() => {
  leave.abort();
  page.close();
});

describe('renewing a token', () => {
  it('happens before each end, once', async () => {
    keep();
    await page.clock.pass(54 * minute);
    assert.deepEqual(renewed, []);
    await page.clock.pass(2 * minute);
    assert.deepEqual(renewed, ['token-1']);
    await page.clock.pass(24 * 60 * minute);
    assert.equal(asked, 27);
  });

  it('goes on after hours of failures, which are shown once the token has ended', async () => {
    keep();
    down = true;
    await page.clock.pass(59 * minute);
    assert.equal(failing.length, 0);
    assert.ok(asked >= 3 && asked <= 15, `${asked} tries in 4 minutes`);
    await page.clock.pass(5 * 60 * minute);
    assert.deepEqual([...new Set(failing.map(({ code }) => code))], ['token-failed']);
    assert.ok(asked <= 700, `${asked} tries in 5 hours`);
    down = false;
    await page.clock.pass(minute);
    assert.equal(renewed.length, 1);
  });

  it('does not wait for the next try when the page returns', async () => {
    keep();
    page.hide();
    await page.clock.pass(5 * minute);
    page.clock.sleep(60 * minute);
    page.show();
    await page.clock.pass(0);
    assert.deepEqual(renewed, ['token-1']);
    page.hide();
    page.show();
    page.online();
    await page.clock.pass(minute);
    assert.deepEqual(renewed, ['token-1']);
  });

  it('comes soon after a sleep of which the page was told nothing', async () => {
    keep();
    await page.clock.pass(5 * minute);
    page.clock.sleep(8 * 60 * minute);
    await page.clock.pass(15 * second);
    assert.deepEqual(renewed, ['token-1']);
  });

  it('ends with the element', async () => {
    keep();
    leave.abort();
    await page.clock.pass(5 * 60 * minute);
    assert.equal(asked, 0);
  });
});
