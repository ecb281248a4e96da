/** With which the sites of the tests sign. */
export const siteSecret = 'the secret of a site in the tests, 32 bytes or more';

const encoder = new TextEncoder();

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** A session that a site gives its user for a quarter of an hour: a JWT by HS256. */
export async function sessionOf(
  user: string,
  { endedMs = 0, secret = siteSecret }: { endedMs?: number; secret?: string } = {},
): Promise<string> {
  const seconds = Math.floor((Date.now() - endedMs) / 1000);
  const iat = endedMs ? seconds - 900 : seconds;
  const claims = { aud: 'clip-host', sub: user, iat, exp: iat + 900, jti: crypto.randomUUID() };
  const signed = [{ alg: 'HS256' }, claims]
    .map((one) => base64url(encoder.encode(JSON.stringify(one))))
    .join('.');
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), hmac, false, ['sign']);
  const signature = await crypto.subtle.sign(hmac, key, encoder.encode(signed));
  return `${signed}.${base64url(new Uint8Array(signature))}`;
}
