import { createHmac } from 'node:crypto';

const encodePart = (value: object): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

/** A session of a user of this site for the host, good for 15 minutes: docs/sign-in.md. */
export function clipSession(userId: string, secret: string): string {
  const iat = Math.floor(Date.now() / 1000);
  const claims = { aud: 'clip-host', sub: userId, iat, exp: iat + 900 };
  const text = `${encodePart({ alg: 'HS256', typ: 'JWT' })}.${encodePart(claims)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}
