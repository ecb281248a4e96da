import type { Permission } from 'clip-kit/contract';
import type { MiddlewareHandler } from 'hono';
import { addToRequestContext } from '../operations/tracing.ts';
import type { ServiceContext } from '../context.ts';
import type { UserRow } from '../db/schema.ts';
import { actsFor, type AppEnv } from './methods.ts';
import { ApiError, noClip, unknownUser } from '../api-error.ts';
import { findUser } from '../users/queries.ts';

const refuse = (detail: string, reason: string): ApiError =>
  new ApiError('unauthenticated', detail, {
    reason,
    headers: {
      'WWW-Authenticate':
        reason === 'key-missing'
          ? 'Bearer realm="clip-service"'
          : 'Bearer realm="clip-service", error="invalid_token"',
    },
  });

/** The bearer value of an Authorization header, or null. */
const bearer = (header: string | undefined): string | null =>
  /^Bearer +([^\s]+) *$/i.exec(header ?? '')?.[1] ?? null;

/**
 * Section 5: the API key says which organization calls, and `X-On-Behalf-Of` for which of its
 * managed users. Without that header it acts for the organization's owner.
 */
export const authentication =
  (service: Pick<ServiceContext, 'changes' | 'limits'>): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const owner = c.env[actsFor] ?? (await ownerOf(c.req.header('authorization'), service));
    const behalf = c.req.header('x-on-behalf-of')?.trim();
    let user = owner;
    if (behalf !== undefined) {
      const managed = await service.changes.accounts.managedUser(owner.organization_id, behalf);
      if (!managed) throw unknownUser();
      user = managed;
    }
    addToRequestContext({ organization: user.organization_id, user: user.id });
    service.limits.takeRequest(user);
    c.set('owner', owner);
    c.set('user', user);
    await next();
  };

async function ownerOf(
  header: string | undefined,
  { changes }: Pick<ServiceContext, 'changes'>,
): Promise<UserRow> {
  const key = bearer(header);
  if (key === null) {
    throw refuse('An API key is needed: Authorization: Bearer <API_KEY>.', 'key-missing');
  }
  const owner = await changes.accounts.owner(key);
  if (owner) return owner;
  throw key.split('.').length === 3
    ? refuse(
        'This looks like an external_access_token: it is only for the embed page. Use an API key here.',
        'key-unknown',
      )
    : refuse('The API key is not known.', 'key-unknown');
}

const refuseToken = (detail: string, reason: string): ApiError =>
  new ApiError('unauthenticated', detail, {
    reason,
    headers: { 'WWW-Authenticate': 'Bearer realm="embed"' },
  });

/** Section 4.13: the calls of the embed page are made with an external_access_token. */
export const embedAuthentication =
  (service: Pick<ServiceContext, 'db' | 'limits' | 'tokens'>): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const token = bearer(c.req.header('authorization'));
    if (token === null) throw refuseToken('An external_access_token is needed.', 'token-missing');
    const read = await service.tokens.read(token);
    if ('refusal' in read) {
      throw read.refusal === 'token-expired'
        ? refuseToken('The external_access_token has expired.', read.refusal)
        : refuseToken('The external_access_token is not valid.', read.refusal);
    }
    const user = await findUser(service.db, read.userId);
    // Erased, with all clips.
    if (!user) throw noClip();
    addToRequestContext({ organization: user.organization_id, user: user.id });
    if (c.req.method !== 'GET') service.limits.takeRequest(user);
    c.set('user', user);
    c.set('permissions', read.permissions);
    await next();
  };

/** Refuses a token without the permission. */
export const permitted =
  (permission: Permission): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    if (!c.get('permissions').includes(permission)) {
      throw new ApiError('forbidden', `This external_access_token may not ${permission}.`, {
        reason: 'permission-missing',
      });
    }
    await next();
  };
