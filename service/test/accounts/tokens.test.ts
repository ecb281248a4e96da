import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { SignJWT, UnsecuredJWT } from 'jose';
import { createTokens } from '../../src/accounts/tokens.ts';

describe('the external_access_token', () => {
  const secret = randomBytes(32);
  const tokens = createTokens(secret, 60);
  const invalid = { refusal: 'token-invalid' };
  const signed = (claims: Record<string, unknown>, key: Uint8Array = secret): Promise<string> =>
    new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(key);
  const claims = {
    iss: 'clip-service',
    aud: 'embed',
    sub: 'u1',
    exp: Math.floor(Date.now() / 1000) + 60,
  };

  it('says whose it is', async () => {
    assert.deepEqual(await tokens.read(await tokens.issue('u1')), { userId: 'u1' });
    assert.deepEqual(await tokens.read(await signed(claims)), { userId: 'u1' });
  });

  it('ends', async () => {
    const old = await createTokens(secret, -1).issue('u1');
    assert.deepEqual(await tokens.read(old), { refusal: 'token-expired' });
  });

  it('is refused with another signature, or none', async () => {
    assert.deepEqual(await tokens.read(await signed(claims, randomBytes(32))), invalid);
    assert.deepEqual(await tokens.read(new UnsecuredJWT(claims).encode()), invalid);
    assert.deepEqual(await tokens.read('a.b.c'), invalid);
    assert.deepEqual(await tokens.read(''), invalid);
  });

  it('is refused for another use, or without an end or a user', async () => {
    const { exp: _exp, ...endless } = claims;
    const { sub: _sub, ...nobody } = claims;
    for (const other of [{ ...claims, aud: 'api' }, { ...claims, iss: 'else' }, endless, nobody]) {
      assert.deepEqual(await tokens.read(await signed(other)), invalid);
    }
  });
});
