/** What token renewal survives, over hours of virtual time. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { ClipError } from '../../src/client/clip-error.ts';
import { PageToken, type GetToken } from '../../src/client/page-token.ts';
import { VirtualPage } from '../support/virtual-page.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

type Answer = Awaited<ReturnType<GetToken>>;

let page: VirtualPage;
let leave: AbortController;
let down: boolean;
let hangs: boolean;
let asked = 0;
let renewed: string[];
let failing: ClipError[];

/** Answers with a new token of the site's server: valid for an hour, by a correct clock. */
const makers: Record<string, (name: string, now: number) => Answer> = {
  jwt: (name, now) => {
    const claims = { iat: now / second, exp: (now + hour) / second };
    return `${name}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`;
  },
  'jwt and expiresAt': (name, now) => ({
    token: makers.jwt!(name, now) as string,
    expiresAt: new Date(now + hour).toISOString(),
  }),
  expiresAt: (name, now) => ({ token: name, expiresAt: now + hour }),
  expiresIn: (name) => ({ token: name, expiresIn: 3600 }),
};

const clipOf = (name: string) => ({
  project: 'clip',
  kind: 'token' as const,
  host: null,
  getToken: async () => {
    asked++;
    if (down) throw new Error('no token');
    if (hangs) return new Promise<never>(() => {});
    return makers[name]!(`token-${asked}`, page.clock.time);
  },
});

/** Keeps a token of an hour; each new one lives for an hour as well. */
async function keep(maker = 'jwt'): Promise<void> {
  const token = new PageToken({
    renewed: (token) => renewed.push(token.replace(/\..*/, '')),
    failing: (error) => failing.push(error),
  });
  leave.signal.addEventListener('abort', () => token.end());
  await token.obtainToken(clipOf(maker), { given: null, stale: false, keep: true }, leave.signal);
  asked = 0;
}

beforeEach(() => {
  page = new VirtualPage();
  leave = new AbortController();
  down = hangs = false;
  asked = 0;
  renewed = [];
  failing = [];
});

afterEach(() => {
  leave.abort();
  page.close();
});

describe('renewing a token', () => {
  for (const maker of ['jwt', 'jwt and expiresAt', 'expiresIn']) {
    it(`happens before each end, once (${maker})`, async () => {
      await keep(maker);
      await page.clock.pass(54 * minute);
      assert.deepEqual(renewed, []);
      await page.clock.pass(2 * minute);
      assert.deepEqual(renewed, ['token-1']);
      await page.clock.pass(24 * hour);
      assert.equal(asked, 27);
    });
  }

  it('goes on after hours of failures, which are shown once the token has ended', async () => {
    await keep();
    down = true;
    await page.clock.pass(59 * minute);
    assert.equal(failing.length, 0);
    assert.ok(asked >= 3 && asked <= 15, `${asked} tries in 4 minutes`);
    await page.clock.pass(5 * hour);
    assert.deepEqual([...new Set(failing.map(({ code }) => code))], ['token-failed']);
    assert.ok(asked <= 700, `${asked} tries in 5 hours`);
    down = false;
    await page.clock.pass(minute);
    assert.equal(renewed.length, 1);
  });

  it('does not wait for the next try when the page returns', async () => {
    await keep();
    page.hide();
    await page.clock.pass(5 * minute);
    page.clock.sleep(hour);
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
    await keep();
    await page.clock.pass(5 * minute);
    page.clock.sleep(8 * hour);
    await page.clock.pass(15 * second);
    assert.deepEqual(renewed, ['token-1']);
  });

  it('goes on after an answer that never comes, and at once when the connection returns', async () => {
    await keep();
    hangs = true;
    await page.clock.pass(2 * hour);
    assert.deepEqual([...new Set(failing.map(({ code }) => code))], ['token-failed']);
    hangs = false;
    await page.clock.pass(15 * second);
    renewed = [];
    page.online();
    await page.clock.pass(0);
    assert.equal(renewed.length, 1);
  });

  it('ends with the element', async () => {
    await keep();
    leave.abort();
    await page.clock.pass(5 * hour);
    assert.equal(asked, 0);
  });
});

/** Advances the time in steps; fails if the newest token has expired by its server's clock. */
async function passAlive(ms: number) {
  let newest = 0;
  let issued = page.clock.time;
  for (let passed = 0; passed < ms; passed += 10 * second) {
    await page.clock.pass(10 * second);
    if (renewed.length > newest) {
      newest = renewed.length;
      issued = page.clock.time;
    }
    assert.ok(page.clock.time - issued < hour, `no token from ${passed / minute} min on`);
  }
}

describe('on a page whose clock is wrong', () => {
  for (const [name, wrong] of [
    ['an hour ahead', hour],
    ['nearly an hour ahead', hour - second],
    ['a year ahead', 365 * 24 * hour],
    ['an hour behind', -hour],
  ] as const) {
    for (const maker of Object.keys(makers)) {
      it(`${name}: a token is renewed in time, and not in a storm (${maker})`, async () => {
        page.clock.setWrong(wrong);
        await keep(maker);
        await passAlive(6 * hour);
        // The lifetime is unknown, so one token is requested every 5 minutes.
        const guessed = maker === 'expiresAt' && wrong > 0;
        assert.ok(asked <= (guessed ? 6 * 12 + 7 : 16), `${asked} tokens in 6 hours`);
      });
    }
  }

  for (const maker of Object.keys(makers)) {
    for (const wrong of [hour, -hour]) {
      it(`that is set by ${wrong / minute} min later on, nothing is missed (${maker})`, async () => {
        await keep(maker);
        await page.clock.pass(5 * minute);
        page.clock.setWrong(wrong);
        await passAlive(5 * minute);
        // A clock that is set forward looks like sleep, after which one new token is reasonable.
        assert.ok(asked <= (wrong > 0 ? 1 : 0) + (maker === 'expiresAt' ? 6 : 0), `${asked}`);
        await passAlive(6 * hour);
        assert.ok(asked <= (maker === 'expiresAt' ? 6 * 12 + 7 : 9), `${asked}`);
      });
    }
  }
});
