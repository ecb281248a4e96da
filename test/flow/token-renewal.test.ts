import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  isHurried,
  computeRenewalDelay,
  computeTokenLife,
  type ReceivedToken,
} from '../../src/flow/token-renewal.ts';

const now = Date.UTC(2026, 0, 1);
const minute = 60_000;
const hour = 60 * minute;

/** A JWT; `exp` and `iat` in milliseconds since 1970. */
function jwt(claims: { exp?: unknown; iat?: unknown }) {
  const seconds = (value: unknown) => (typeof value === 'number' ? value / 1000 : value);
  const body = { exp: seconds(claims.exp), iat: seconds(claims.iat) };
  return `h.${Buffer.from(JSON.stringify(body)).toString('base64url')}.s`;
}

const lifeOf = (received: Partial<ReceivedToken>) =>
  computeTokenLife({ token: 'x', expiresAt: null, now, skew: null, fresh: false, ...received });

describe('the life of a token', () => {
  it('is the host’s word on its end, by the host’s clock', () => {
    for (const skew of [0, 5 * minute, -2 * hour]) {
      assert.deepEqual(lifeOf({ expiresAt: now + skew + hour, skew }), { ms: hour, sure: true });
    }
  });

  it('is what a JWT says otherwise', () => {
    const token = jwt({ exp: now + 10 * minute });
    assert.deepEqual(lifeOf({ token, skew: minute }), { ms: 9 * minute, sure: true });
    assert.deepEqual(lifeOf({ token }), { ms: 10 * minute, sure: false });
  });

  it('is exp - iat of a fresh JWT, whatever this page’s clock says', () => {
    for (const wrong of [-9 * hour, -hour, 0, 59.9 * minute, hour, 9 * hour]) {
      const issued = now - wrong;
      const token = jwt({ iat: issued, exp: issued + hour });
      assert.deepEqual(lifeOf({ token, fresh: true }), { ms: hour, sure: true }, `${wrong}`);
      const expiresAt = issued + hour;
      assert.deepEqual(lifeOf({ token, expiresAt, fresh: true }), { ms: hour, sure: true });
    }
  });

  it('is never longer than exp - iat, and less for a token that was kept', () => {
    const kept = jwt({ iat: now - 50 * minute, exp: now + 10 * minute });
    assert.equal(lifeOf({ token: kept })!.ms, 10 * minute);
    const ofClockBehind = jwt({ iat: now + hour, exp: now + 2 * hour });
    assert.equal(lifeOf({ token: ofClockBehind })!.ms, hour);
  });

  it('follows the word of the page where it is shorter than the JWT', () => {
    const token = jwt({ iat: now, exp: now + hour });
    assert.equal(lifeOf({ token, expiresAt: now + 10 * minute, fresh: true })!.ms, 10 * minute);
  });

  it('is not sure where only this page’s clock says it', () => {
    assert.deepEqual(lifeOf({ expiresAt: now + hour }), { ms: hour, sure: false });
  });

  it('is unknown for anything else', () => {
    for (const token of ['opaque', 'a.b.c', jwt({}), jwt({ exp: 'soon' }), `h.${btoa('null')}.s`]) {
      assert.equal(lifeOf({ token }), null, token);
    }
  });
});

describe('renewal', () => {
  const sure = (ms: number) => ({ ms, sure: true });
  const unsure = (ms: number) => ({ ms, sure: false });

  it('comes a fifth of the life before the end, 30 s to 5 min before it', () => {
    assert.equal(computeRenewalDelay(sure(60 * minute)), 55 * minute);
    assert.equal(computeRenewalDelay(sure(10 * minute)), 8 * minute);
    assert.equal(computeRenewalDelay(sure(2 * minute)), 1.5 * minute);
  });

  it('comes before the end also where this page’s clock is behind by as much as the life', () => {
    assert.ok(computeRenewalDelay(unsure(hour + hour))! < hour);
  });

  it('never comes before half of a short life, nor in a storm', () => {
    assert.equal(computeRenewalDelay(sure(20_000)), 10_000);
    assert.equal(computeRenewalDelay(sure(-minute)), 5000);
  });

  it('asks with growing pauses, up to 5 min, while tokens seem to end at once', () => {
    for (const life of [unsure(-1), unsure(500), unsure(30_000), sure(-hour)]) {
      assert.equal(isHurried(life), true);
    }
    for (const life of [null, unsure(hour), sure(20_000)]) assert.equal(isHurried(life), false);
    const delays = [0, 1, 2, 3, 7, 50].map((hurries) => computeRenewalDelay(unsure(-1), hurries));
    assert.deepEqual(delays, [5000, 10_000, 20_000, 40_000, 5 * minute, 5 * minute]);
  });

  it('never waits longer than a timer can', () => {
    assert.equal(computeRenewalDelay(sure(1e12)), 12 * 60 * minute);
  });

  it('is not planned without an end', () => {
    assert.equal(computeRenewalDelay(null), null);
  });
});
