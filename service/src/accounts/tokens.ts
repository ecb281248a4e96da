import { randomUUID } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import type { Db } from '../db/schema.ts';
import { settle } from '../db/settings.ts';
import { unguessableKey } from '../unguessable-key.ts';

const issuer = 'clip-service';
const audience = 'embed';

/** Why a token was not taken. */
type TokenRefusal = 'token-invalid' | 'token-expired';

/** Issues and reads the external_access_token: a signed JWT for one user's embed page. */
export interface Tokens {
  issue(userId: string): Promise<string>;
  /** Gives the user's id, or why the token was not taken. */
  read(token: string): Promise<{ userId: string } | { refusal: TokenRefusal }>;
}

/** `lifetime` in seconds. */
export const createTokens = (secret: Uint8Array, lifetime: number): Tokens => ({
  issue: (userId) =>
    new SignJWT({})
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(userId)
      // Two of the same second differ: a renewed token can be told from the one that it replaces.
      .setJti(randomUUID())
      .setIssuedAt()
      .setExpirationTime(Math.floor(Date.now() / 1000) + lifetime)
      .sign(secret),
  async read(token) {
    try {
      const { payload } = await jwtVerify(token, secret, {
        algorithms: ['HS256'],
        issuer,
        audience,
        requiredClaims: ['exp', 'sub'],
      });
      return payload.sub ? { userId: payload.sub } : { refusal: 'token-invalid' };
    } catch (error) {
      return { refusal: error instanceof errors.JWTExpired ? 'token-expired' : 'token-invalid' };
    }
  },
});

/** As {@link createTokens}, with the secret that is made once and kept in the database. */
export async function openTokens(db: Db, lifetime: number): Promise<Tokens> {
  const stored = await settle(db, 'token-secret', { secret: unguessableKey() });
  return createTokens(Buffer.from((stored as { secret: string }).secret, 'base64url'), lifetime);
}
