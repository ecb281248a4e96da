import type { Permission } from 'clip-kit/contract';
import type { Context, MiddlewareHandler } from 'hono';
import { addToRequestContext } from '../telemetry/tracing.ts';
import type { Changes } from '../operations/changes.ts';
import type { UsageLimits } from '../users/limits.ts';
import type { UserRow, Db } from '../db/schema.ts';
import { actsFor, type AppEnv } from './methods.ts';
import { ApiError, makeNoClipError, makeUnknownUserError } from '../api-error.ts';
import { findUser } from '../users/queries.ts';
import type { Audience, Tokens } from '../users/tokens.ts';

const refuse = (detail: string, reason: string, challenge: string): ApiError =>
  new ApiError('unauthenticated', detail, {
    reason,
    headers: { 'WWW-Authenticate': `Bearer ${challenge}` },
  });

/** The bearer value of an Authorization header, or null. */
const readBearer = (header: string | undefined): string | null =>
  /^Bearer +([^\s]+) *$/i.exec(header ?? '')?.[1] ?? null;

/**
 * Section 5: the API key says which organization calls, and `X-On-Behalf-Of` for which of its
 * managed users. Without that header it acts for the organization's owner.
 */
export const authenticateKey =
  (service: { changes: Changes; limits: UsageLimits }): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const { accounts } = service.changes;
    const owner = c.env[actsFor] ?? (await findOwner(c.req.header('authorization'), accounts));
    const behalf = c.req.header('x-on-behalf-of')?.trim();
    let user = owner;
    if (behalf !== undefined) {
      const managed = await accounts.managedUser(owner.organization_id, behalf);
      if (!managed) throw makeUnknownUserError();
      user = managed;
    }
    addToRequestContext({ organization: user.organization_id, user: user.id });
    service.limits.takeRequest(user);
    c.set('owner', owner);
    c.set('user', user);
    await next();
  };

async function findOwner(
  header: string | undefined,
  accounts: Changes['accounts'],
): Promise<UserRow> {
  const key = readBearer(header);
  const realm = 'realm="clip-service"';
  if (key === null) {
    const detail = 'An API key is required: Authorization: Bearer <API_KEY>.';
    throw refuse(detail, 'key-missing', realm);
  }
  const owner = await accounts.owner(key);
  if (owner) return owner;
  const detail =
    key.split('.').length === 3
      ? 'This looks like an external_access_token: it is only for the embed page. Use an API key here.'
      : 'The API key is not valid.';
  throw refuse(detail, 'key-unknown', `${realm}, error="invalid_token"`);
}

/**
 * Returns the token of a call and the required audience. A `<video>` sends no header, so the
 * address of a source has a token only for it.
 */
function readToken(c: Context): [token: string | null, audience: Audience] {
  const clip = /^\/embed-api\/projects\/([^/]+)\/source$/.exec(c.req.path)?.[1];
  return clip === undefined
    ? [readBearer(c.req.header('authorization')), 'embed']
    : [c.req.query('source_token') ?? null, `source:${clip}`];
}

/** Section 4.13: the calls of the embed page are made with an external_access_token. */
export const authenticateEmbed =
  (service: { db: Db; limits: UsageLimits; tokens: Tokens }): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const [token, audience] = readToken(c);
    const realm = 'realm="embed"';
    if (token === null) {
      throw refuse('An external_access_token is required.', 'token-missing', realm);
    }
    const read = await service.tokens.read(token, audience);
    if ('refusal' in read) {
      const fault = read.refusal === 'token-expired' ? 'has expired' : 'is not valid';
      throw refuse(`The external_access_token ${fault}.`, read.refusal, realm);
    }
    const user = await findUser(service.db, read.userId);
    // Erased, with all clips.
    if (!user) throw makeNoClipError();
    addToRequestContext({ organization: user.organization_id, user: user.id });
    if (c.req.method !== 'GET') service.limits.takeRequest(user);
    c.set('user', user);
    c.set('permissions', read.permissions);
    c.set('editor', read.editor);
    await next();
  };

/** Refuses a token without the permission. */
export const requirePermission =
  (permission: Permission): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    if (!c.get('permissions').includes(permission)) {
      throw new ApiError(
        'forbidden',
        `This external_access_token does not have the permission "${permission}".`,
        {
          reason: 'permission-missing',
        },
      );
    }
    await next();
  };
