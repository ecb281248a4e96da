import { idSchema, tokenAnswerSchema } from 'clip-kit/contract';
import { decodeJwt, SignJWT } from 'jose';
import type { SignIn } from './settings.ts';

/**
 * Returns the managed user of a person. The host knows it, and creates it once: the person has the
 * same clips here as on a site whose users have the same ids. Throws if the host does not say it.
 */
export async function findManagedUser(
  { hostUrl, hostSecret }: SignIn,
  person: string,
): Promise<string> {
  const session = await new SignJWT({ aud: 'clip-host', sub: person, permissions: ['view'] })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt()
    .setExpirationTime('1 minute')
    .sign(new TextEncoder().encode(hostSecret));
  const headers = { Authorization: `Bearer ${session}`, 'Content-Type': 'application/json' };
  const response = await fetch(`${hostUrl}/token`, {
    ...{ method: 'POST', body: '{}', redirect: 'error', signal: AbortSignal.timeout(40_000) },
    // Not a stored answer: the person may have been erased since.
    headers: { ...headers, 'Cache-Control': 'no-cache' },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`The host answered ${response.status}: ${text}`);
  const { external_access_token: token } = tokenAnswerSchema.parse(JSON.parse(text));
  return idSchema.parse(decodeJwt(token).sub);
}
