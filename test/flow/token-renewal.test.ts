import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clockSkew } from '../../src/flow/clock-skew.ts';
import { renewalDelay, tokenEnd } from '../../src/flow/token-renewal.ts';

const now = Date.UTC(2026, 0, 1);
const minute = 60_000;
const jwt = (claims: object) => `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`;

describe('the end of a token', () => {
  it('is the host’s word on it, in this clock', () => {
    assert.equal(tokenEnd('x', now + 60 * minute, 5 * minute, now), now + 55 * minute);
  });

  it('is the exp of a JWT otherwise', () => {
    assert.equal(tokenEnd(jwt({ exp: now / 1000 + 600 }), null, 0, now), now + 10 * minute);
    assert.equal(tokenEnd(jwt({ exp: now / 1000 + 600 }), null, minute, now), now + 9 * minute);
  });

  it('is reckoned by the lifetime where this clock is plainly wrong', () => {
    const late = jwt({ iat: now / 1000 - 7200, exp: now / 1000 - 6600 });
    assert.equal(tokenEnd(late, null, 0, now), now + 10 * minute);
    const early = jwt({ iat: now / 1000 + 7200, exp: now / 1000 + 7800 });
    assert.equal(tokenEnd(early, null, 0, now), now + 10 * minute);
  });

  it('is unknown for anything else', () => {
    for (const token of ['opaque', 'a.b.c', jwt({}), jwt({ exp: 'soon' }), `h.${btoa('null')}.s`]) {
      assert.equal(tokenEnd(token, null, 0, now), null, token);
    }
  });
});

describe('renewal', () => {
  it('comes a fifth of the life before the end, 30 s to 5 min before it', () => {
    assert.equal(renewalDelay(now + 60 * minute, now), 55 * minute);
    assert.equal(renewalDelay(now + 10 * minute, now), 8 * minute);
    assert.equal(renewalDelay(now + 2 * minute, now), 1.5 * minute);
  });

  it('never comes before half of a short life, nor in a storm', () => {
    assert.equal(renewalDelay(now + 20_000, now), 10_000);
    assert.equal(renewalDelay(now - minute, now), 5000);
  });

  it('never waits longer than a timer can', () => {
    assert.equal(renewalDelay(now + 1e12, now), 12 * 60 * minute);
  });

  it('is not planned without an end', () => {
    assert.equal(renewalDelay(null, now), null);
  });
});

describe('clock skew', () => {
  it('is what the Date header says, from 2 s on', () => {
    assert.equal(clockSkew(new Date(now + 300_000).toUTCString(), now), 300_000);
    assert.equal(clockSkew(new Date(now - 300_000).toUTCString(), now), -300_000);
    assert.equal(clockSkew(new Date(now + 1000).toUTCString(), now), 0);
  });

  it('is 0 where there is no readable header', () => {
    assert.equal(clockSkew(null, now), 0);
    assert.equal(clockSkew('yesterday', now), 0);
  });
});
