import { createHash } from 'node:crypto';
import { discoverAuthorizationServerMetadata } from '@modelcontextprotocol/sdk/client/auth.js';
import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import * as z from 'zod';
import type { Access } from './http.ts';
import { scopes } from './scopes.ts';
import { isSafeUrl, type Settings, SettingsError, type SignIn } from './settings.ts';

/** Algorithms with public keys: a secret that others know proves nothing. */
const algorithms = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA', 'Ed25519'];

/** Returns the address of the issuer's keys. Throws a {@link SettingsError} if it is not safe. */
async function findKeys(issuer: string): Promise<URL> {
  const fetchFn = (address: string | URL, init?: RequestInit) =>
    fetch(address, { ...init, redirect: 'error', signal: AbortSignal.timeout(10_000) });
  const found = await discoverAuthorizationServerMetadata(issuer, { fetchFn }).catch(() => null);
  const metadataSchema = z.object({
    issuer: z.literal(issuer),
    jwks_uri: z.string().refine(isSafeUrl, 'must be an https URL'),
    code_challenge_methods_supported: z
      .array(z.string())
      .refine((methods) => methods.includes('S256'), 'must contain "S256" (PKCE)'),
  });
  if (!found) throw new SettingsError(`The metadata of ${issuer} cannot be read from here.`);
  const { data, error } = metadataSchema.safeParse(found);
  if (data) return new URL(data.jwks_uri);
  const faults = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new SettingsError(`The metadata of ${issuer} does not fit: ${faults.join('; ')}.`);
}

/** Returns the id of a person for the host: that of the site, or one of the issuer's own. */
function nameUser(payload: JWTPayload, userClaim: string | null): string {
  if (userClaim === null) {
    const identity = JSON.stringify([payload.iss, payload.sub]);
    return `mcp-${createHash('sha256').update(identity).digest('hex')}`;
  }
  const user = payload[userClaim];
  if (typeof user === 'string' && user !== '') return user;
  throw new errors.JWTInvalid(`it has no text in ${userClaim}`);
}

/** Returns who has a token, and what it allows. Throws for one that is not for this server. */
async function verifyToken(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, publicUrl: audience, userClaim }: SignIn,
): Promise<{ id: string; granted: string[] }> {
  const expected = { issuer, audience, algorithms, requiredClaims: ['exp', 'sub'] };
  const { payload, protectedHeader } = await jwtVerify(token, keys, expected);
  const type = protectedHeader.typ?.toLowerCase().replace('application/', '') ?? 'jwt';
  if (!['jwt', 'at+jwt'].includes(type)) throw new errors.JWTInvalid('it is no access token');
  // Only the holder of a key may use it, and nothing proves that here.
  if (payload['cnf'] !== undefined) throw new errors.JWTInvalid('it is bound to a key');
  return { id: nameUser(payload, userClaim), granted: `${payload['scope']}`.split(' ') };
}

/** The keys of the issuer could not be read, which says nothing of a token. */
const isUnreadable = (error: unknown): boolean =>
  !(error instanceof errors.JOSEError) ||
  ['ERR_JWKS_TIMEOUT', 'ERR_JOSE_GENERIC'].includes(error.code);

/**
 * Lets in people who have signed in at the issuer, with a token for this server (RFC 9068), and
 * says where they do (RFC 9728). Throws a {@link SettingsError} for an issuer that is not safe.
 */
export async function openOAuth(
  signIn: SignIn,
  { mayExport, mayShare }: Pick<Settings, 'mayExport' | 'mayShare'>,
): Promise<Access> {
  const { issuer, publicUrl: resource } = signIn;
  const keys = createRemoteJWKSet(await findKeys(issuer));
  const url = new URL(resource);
  // All of them: many clients register for the scopes of their first sign-in, and for no more.
  const withheld = [!mayExport && 'clips:export', !mayShare && 'clips:share'];
  const offered = scopes.filter((one) => !withheld.includes(one));

  function challenge(status: 401 | 403, values: object): Response {
    const end = url.pathname.replace(/^\/$/, '');
    const resource_metadata = `${url.origin}/.well-known/oauth-protected-resource${end}`;
    const all = { scope: offered.join(' '), ...values, resource_metadata };
    // Quotes would end a value.
    const pairs = Object.entries(all).map(([name, value]) => [name, value.replaceAll('"', "'")]);
    const header = `Bearer ${pairs.map(([name, value]) => `${name}="${value}"`).join(', ')}`;
    const text = status === 401 ? 'Sign in: send a token.\n' : 'The token allows less than this.\n';
    return new Response(text, { status, headers: { 'WWW-Authenticate': header } });
  }

  return {
    url,
    metadata: {
      resource,
      resource_name: 'Clips',
      authorization_servers: [issuer],
      scopes_supported: offered,
      bearer_methods_supported: ['header'],
    },
    async admit(authorization, needed) {
      const [, token] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
      if (token === undefined) return challenge(401, {});
      try {
        const { id, granted } = await verifyToken(token, keys, signIn);
        if (needed.every((one) => granted.includes(one))) return id;
        const wanted = scopes.filter((one) => granted.includes(one) || needed.includes(one));
        return challenge(403, { error: 'insufficient_scope', scope: wanted.join(' ') });
      } catch (error) {
        const { message } = error as Error;
        if (!isUnreadable(error)) {
          const why = `The token was refused: ${message}`;
          return challenge(401, { error: 'invalid_token', error_description: why });
        }
        console.error(`The keys of ${issuer} cannot be read: ${message}`);
        return new Response('Tokens cannot be checked now.\n', { status: 503 });
      }
    },
  };
}
