import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { HostProblem } from '../../src/http/host-problem.ts';
import { Sessions, type SessionOptions } from '../../src/sessions/sessions.ts';

interface Vectors {
  readonly secret: string;
  readonly now: number;
  readonly accepted: readonly {
    name: string;
    token: string;
    claims: {
      sub: string;
      permissions?: readonly string[];
      limits?: { exports_per_day?: number };
      editor?: object;
    };
  }[];
  readonly refused: readonly { name: string; token: string; code: string; says: string }[];
}

const vectors = JSON.parse(
  readFileSync(new URL('../../sign-in.vectors.json', import.meta.url), 'utf8'),
) as Vectors;
const { secret, now } = vectors;
const other = 'f'.repeat(64);

const sessionsOf = (options: SessionOptions): Sessions => new Sessions(options, () => now * 1000);
const requestOf = (token: string): Request =>
  new Request('https://clips.example/host/exports', {
    headers: token ? { Authorization: `Bearer ${token}` } : {},
  });

const claims = { aud: 'clip-host', sub: 'ann', iat: now, exp: now + 900 };
type SigningKey = Parameters<SignJWT['sign']>[0];
const sign = (payload: object, key: SigningKey, alg: string): Promise<string> =>
  new SignJWT({ ...payload }).setProtectedHeader({ alg }).sign(key);
const withSecret = (payload: object): Promise<string> =>
  sign(payload, new TextEncoder().encode(secret), 'HS256');

async function refusalOf(sessions: Sessions, token: string): Promise<HostProblem> {
  const problem: unknown = await sessions.read(requestOf(token)).then(
    () => null,
    (error: unknown) => error,
  );
  assert.ok(problem instanceof HostProblem, `it was accepted: ${token}`);
  return problem;
}

describe('a session', () => {
  const sessions = sessionsOf({ secrets: [secret] });

  for (const { name, token, claims: expected } of vectors.accepted) {
    it(`is accepted: ${name}`, async () => {
      const { userId, permissions, exportsPerDay, editor } = await sessions.read(requestOf(token));
      assert.equal(userId, expected.sub);
      assert.deepEqual(
        [...permissions],
        expected.permissions ?? ['view', 'edit', 'export', 'upload', 'delete'],
      );
      assert.equal(exportsPerDay, expected.limits?.exports_per_day ?? null);
      assert.deepEqual(editor, expected.editor ?? {});
    });
  }

  for (const { name, token, code, says } of vectors.refused) {
    it(`is refused: ${name}`, async () => {
      const problem = await refusalOf(sessions, token);
      assert.equal(problem.code, code);
      assert.ok(problem.message.includes(says), `"${problem.message}" does not say "${says}"`);
      assert.equal(problem.status, 401);
      // Neither the secret nor the token is repeated to the caller.
      assert.ok(!problem.message.includes(secret.slice(0, 8)));
      const [, , signature = ''] = token.split('.');
      if (signature.length > 8) assert.ok(!problem.message.includes(signature));
    });
  }

  it('is accepted with the secret before, while it is replaced', async () => {
    const replaced = sessionsOf({ secrets: [other, secret] });
    assert.equal((await replaced.read(requestOf(await withSecret(claims)))).userId, 'ann');
    const problem = await refusalOf(sessionsOf({ secrets: [other] }), await withSecret(claims));
    assert.match(problem.message, /signature/);
  });

  it('may last as long as the host says', async () => {
    const hour = { ...claims, exp: now + 3600 };
    const longer = sessionsOf({ secrets: [secret], maxSeconds: 3600 });
    assert.equal((await longer.read(requestOf(await withSecret(hour)))).userId, 'ann');
    assert.match((await refusalOf(sessions, await withSecret(hour))).message, /at most 900/);
  });

  for (const [algorithm, form] of [
    ['EdDSA', 'pem'],
    ['EdDSA', 'jwk'],
    ['Ed25519', 'pem'],
    ['Ed25519', 'jwk'],
    ['ES256', 'pem'],
    ['ES256', 'jwk'],
  ] as const) {
    it(`is accepted by a public key: ${algorithm} as ${form}`, async () => {
      const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
      const key = form === 'pem' ? await exportSPKI(publicKey) : await exportJWK(publicKey);
      const own = sessionsOf({ publicKeys: [key] });
      const token = await sign(claims, privateKey, algorithm);
      assert.equal((await own.read(requestOf(token))).userId, 'ann');
      // The text of a public key is no secret: nobody may sign with it.
      const text = new TextEncoder().encode(JSON.stringify(key));
      assert.match((await refusalOf(own, await sign(claims, text, 'HS256'))).message, /HS256/);
      const { privateKey: stranger } = await generateKeyPair(algorithm);
      const forged = await sign(claims, stranger, algorithm);
      assert.match((await refusalOf(own, forged)).message, /signature/);
    });
  }
});

describe('the options of sessions', () => {
  for (const [name, options, message] of [
    ['nothing', {}, /set secrets or publicKeys/],
    ['a short secret', { secrets: ['x'.repeat(31)] }, /at least 32 bytes/],
    ['a secret that is not set', { secrets: [undefined as unknown as string] }, /at least 32/],
    ['a private key', { publicKeys: [{ kty: 'OKP', crv: 'Ed25519', d: 'x', x: 'x' }] }, /private/],
    ['a private PEM', { publicKeys: ['-----BEGIN PRIVATE KEY-----'] }, /BEGIN PUBLIC KEY/],
    ['another curve', { publicKeys: [{ kty: 'EC', crv: 'P-521' }] }, /Ed25519 or P-256/],
    ['no life', { secrets: [secret], maxSeconds: 0 }, /maxSeconds/],
  ] as const) {
    it(`are refused: ${name}`, () => {
      assert.throws(() => sessionsOf(options), { name: 'TypeError', message });
    });
  }
});
