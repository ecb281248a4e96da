import { randomUUID } from 'node:crypto';
import {
  type EditorLimits,
  editorLimitsSchema,
  type Permission,
  permissionSchema,
} from 'clip-kit/contract';
import { errors, jwtVerify, SignJWT } from 'jose';
import * as z from 'zod/mini';
import type { Db } from '../db/schema.ts';
import { makeRandomKey } from '../db/id.ts';
import { maxAgeMs, openCached, settle, writeSetting } from '../db/settings.ts';

const setting = 'token-secret';

interface TokenSecret {
  secret: string;
  /** Still accepted while tokens that it has signed may be valid. */
  previous?: { secret: string; replaced_at: string };
}

/** The secret of the tokens; made at first. */
export const settleTokenSecret = async (db: Db): Promise<TokenSecret> =>
  (await settle(db, setting, () => ({ secret: makeRandomKey() }))) as TokenSecret;

/** Replaces the secret of the tokens. With `now`, those that it has signed are refused. */
export async function replaceTokenSecret(db: Db, { now }: { now: boolean }): Promise<void> {
  const { secret } = await settleTokenSecret(db);
  const previous = { secret, replaced_at: new Date().toISOString() };
  await writeSetting(db, setting, { secret: makeRandomKey(), ...(!now && { previous }) });
}

const issuer = 'clip-service';

/** The purpose of a token: the calls of the embed page, or only the source of one clip. */
export type Audience = 'embed' | `source:${string}`;

/** Why a token was not taken. */
type TokenRefusal = 'token-invalid' | 'token-expired';

/** The contents of a token. */
interface TokenHolder {
  userId: string;
  permissions: readonly Permission[];
  editor: EditorLimits;
}

const claimsSchema = z.object({
  permissions: z.array(permissionSchema),
  editor: z.optional(editorLimitsSchema),
});

/** Issues and reads the external_access_token: a signed JWT for one user's embed page. */
export interface Tokens {
  /** The lifetime of a token, in seconds. */
  readonly lifetime: number;
  /** `permissions` and `editor`: all by default. `audience`: `embed` by default. */
  issue(
    userId: string,
    permissions?: readonly Permission[],
    more?: { audience?: Audience; editor?: EditorLimits | undefined },
  ): Promise<string>;
  /** Returns the token's claims, or why it was rejected. `audience`: `embed` by default. */
  read(token: string, audience?: Audience): Promise<TokenHolder | { refusal: TokenRefusal }>;
}

/**
 * `lifetime` in seconds.
 * @param secrets the first signs, and all are accepted; with `fresh`, those of this moment: a token
 *   may be of a secret that is new
 */
export const createTokens = (
  secrets: (ask?: { fresh: true }) => Promise<readonly [Uint8Array, ...Uint8Array[]]>,
  lifetime: number,
): Tokens => ({
  lifetime,
  issue: async (userId, permissions = permissionSchema.options, more = {}) =>
    new SignJWT({ permissions, ...(more.editor && { editor: more.editor }) })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer(issuer)
      .setAudience(more.audience ?? 'embed')
      .setSubject(userId)
      // Two of the same second differ: a renewed token differs from the one that it replaces.
      .setJti(randomUUID())
      .setIssuedAt()
      .setExpirationTime(Math.floor(Date.now() / 1000) + lifetime)
      .sign((await secrets())[0]),
  async read(token, audience = 'embed') {
    const first = await readWith(token, audience, await secrets());
    return 'userId' in first || first.refusal === 'token-expired'
      ? first
      : readWith(token, audience, await secrets({ fresh: true }));
  },
});

async function readWith(
  token: string,
  audience: Audience,
  secrets: readonly Uint8Array[],
): Promise<TokenHolder | { refusal: TokenRefusal }> {
  for (const secret of secrets) {
    try {
      const { payload } = await jwtVerify(token, secret, {
        algorithms: ['HS256'],
        issuer,
        audience,
        requiredClaims: ['exp', 'sub'],
      });
      const { success, data } = claimsSchema.safeParse(payload);
      if (!payload.sub || !success) return { refusal: 'token-invalid' };
      return { userId: payload.sub, permissions: data.permissions, editor: data.editor ?? {} };
    } catch (error) {
      if (error instanceof errors.JWTExpired) return { refusal: 'token-expired' };
    }
  }
  return { refusal: 'token-invalid' };
}

const decodeSecret = (secret: string): Uint8Array => Buffer.from(secret, 'base64url');

/** Works like {@link createTokens}, with the secret that is kept in the database. */
export async function openTokens(db: Db, lifetime: number): Promise<Tokens> {
  const stored = await openCached(() => settleTokenSecret(db));
  return createTokens(async (ask) => {
    const { secret, previous } = await stored(ask);
    // The last token that was signed with it has ended by then.
    const end = previous ? Date.parse(previous.replaced_at) + lifetime * 1000 + 2 * maxAgeMs : 0;
    const others = previous && Date.now() < end ? [decodeSecret(previous.secret)] : [];
    return [decodeSecret(secret), ...others];
  }, lifetime);
}
