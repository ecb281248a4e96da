import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readJwtTimes } from '../../src/flow/token-renewal.ts';

const jwt = (payload: unknown) =>
  `h.${Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload)).toString('base64url')}.s`;

describe('the end of a JWT', () => {
  for (const [token, end] of [
    [jwt({ exp: 1_769_853_600 }), 1_769_853_600_000],
    [jwt({ exp: 1_769_853_600, name: 'Jürgen ÿ?>~' }), 1_769_853_600_000],
    [jwt({}), null],
    [jwt({ exp: 'soon' }), null],
    [jwt({ exp: 1e300 }), null],
    [jwt('no JSON'), null],
    [jwt('null'), null],
    ['opaque', null],
    ['a.b', null],
    [`${jwt({ exp: 1_769_853_600 })}.d`, null],
    ['a.b.c.d', null],
    ['..', null],
    ['', null],
  ] as const) {
    it(`${token.slice(0, 30)} is ${end}`, () => assert.equal(readJwtTimes(token).exp, end));
  }
});

it('a JWT also says when it was issued', () => {
  assert.deepEqual(readJwtTimes(jwt({ iat: 1_769_850_000 })), {
    exp: null,
    iat: 1_769_850_000_000,
  });
});
