import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { SignJWT, UnsecuredJWT } from 'jose';
import { createTokens, openTokens, replaceTokenSecret } from '../../src/users/tokens.ts';
import { jobWorld } from '../support/job-world.ts';

describe('the external_access_token', () => {
  const secret = randomBytes(32);
  const secrets = async () => [secret] as const;
  const tokens = createTokens(secrets, 60);
  const invalid = { refusal: 'token-invalid' };
  const signed = (claims: Record<string, unknown>, key: Uint8Array = secret): Promise<string> =>
    new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(key);
  const claims = {
    iss: 'clip-service',
    aud: 'embed',
    sub: 'u1',
    exp: Math.floor(Date.now() / 1000) + 3600,
    permissions: ['view'],
  };

  it('says whose it is', async () => {
    assert.deepEqual(await tokens.read(await tokens.issue('u1')), {
      userId: 'u1',
      permissions: ['view', 'edit', 'export'],
      editor: {},
    });
    assert.deepEqual(await tokens.read(await signed(claims)), {
      userId: 'u1',
      permissions: ['view'],
      editor: {},
    });
    const editor = { tools: ['cut' as const], presets: ['bold'], text: false };
    const limited = await tokens.read(await tokens.issue('u1', ['view', 'edit'], { editor }));
    assert.deepEqual(limited, { userId: 'u1', permissions: ['view', 'edit'], editor });
  });

  it('ends', async () => {
    const old = await createTokens(secrets, -1).issue('u1');
    assert.deepEqual(await tokens.read(old), { refusal: 'token-expired' });
  });

  it('is refused with another signature, or none', async () => {
    assert.deepEqual(await tokens.read(await signed(claims, randomBytes(32))), invalid);
    assert.deepEqual(await tokens.read(new UnsecuredJWT(claims).encode()), invalid);
    assert.deepEqual(await tokens.read('a.b.c'), invalid);
    assert.deepEqual(await tokens.read(''), invalid);
  });

  for (const [name, other] of Object.entries({
    'for another use': { ...claims, aud: 'api' },
    'of another issuer': { ...claims, iss: 'else' },
    'without an end': { ...claims, exp: undefined },
    'without a user': { ...claims, sub: undefined },
    'that does not say what it permits': { ...claims, permissions: undefined },
    'with an unknown permission': { ...claims, permissions: ['view', 'all'] },
    'with an unknown tool': { ...claims, editor: { tools: ['paint'] } },
    'with an unknown limit': { ...claims, editor: { colours: [] } },
    'with limits that cannot be read': { ...claims, editor: null },
  })) {
    it(`is refused ${name}`, async () => {
      assert.deepEqual(await tokens.read(await signed(other)), invalid);
    });
  }
});

describe('the secret of the tokens', () => {
  const world = jobWorld();

  it('is replaced while processes run, and tokens of the one before stay valid until they end', async (t) => {
    const { db } = world().service;
    const [here, there] = [await openTokens(db, 60), await openTokens(db, 60)];
    const old = await here.issue('u1');
    let ahead = 0;
    const [now, wall] = [performance.now(), Date.now()];
    t.mock.method(performance, 'now', () => now + ahead);
    t.mock.method(Date, 'now', () => wall + ahead);
    await replaceTokenSecret(db, { now: false });
    ahead = 2000;
    const late = await here.issue('u1');
    assert.deepEqual(await (await openTokens(db, 60)).read(late), {
      userId: 'u1',
      permissions: ['view', 'edit', 'export'],
      editor: {},
    });
    ahead = 11_000;
    const renewed = await here.issue('u1');
    ahead = 12_100;
    for (const token of [old, late, renewed]) {
      assert.deepEqual(await there.read(token), {
        userId: 'u1',
        permissions: ['view', 'edit', 'export'],
        editor: {},
      });
    }
    // The old secret must not make tokens forever.
    ahead = 90_000;
    const forged = await createTokens(async () => {
      const { value } = await db
        .selectFrom('settings')
        .select('value')
        .where('name', '=', 'token-secret')
        .executeTakeFirstOrThrow();
      const { previous } = value as { previous: { secret: string } };
      return [Buffer.from(previous.secret, 'base64url')];
    }, 3600).issue('u1');
    assert.deepEqual(await there.read(forged), { refusal: 'token-invalid' });
  });

  it('can be refused at once', async (t) => {
    const { db } = world().service;
    const tokens = await openTokens(db, 3600);
    const old = await tokens.issue('u1');
    await replaceTokenSecret(db, { now: true });
    const later = performance.now() + 11_000;
    t.mock.method(performance, 'now', () => later);
    assert.deepEqual(await tokens.read(old), { refusal: 'token-invalid' });
  });
});
