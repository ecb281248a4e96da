import type { Permission } from 'clip-kit/contract';
import type { MiddlewareHandler } from 'hono';
import { learnCause } from '../operations/cause.ts';
import type { ServiceContext } from '../context.ts';
import { findUser } from '../users/queries.ts';
import { bearer } from './authentication.ts';
import type { AppEnv } from './methods.ts';
import { ApiError } from './problem.ts';

const refuse = (detail: string, reason: string): ApiError =>
  new ApiError('unauthenticated', detail, {
    reason,
    headers: { 'WWW-Authenticate': 'Bearer realm="embed"' },
  });

/** Section 4.13: the calls of the embed page are made with an external_access_token. */
export const embedAuthentication =
  (service: Pick<ServiceContext, 'db' | 'limits' | 'tokens'>): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const token = bearer(c.req.header('authorization'));
    if (token === null) throw refuse('An external_access_token is needed.', 'token-missing');
    const read = await service.tokens.read(token);
    if ('refusal' in read) {
      throw read.refusal === 'token-expired'
        ? refuse('The external_access_token has expired.', read.refusal)
        : refuse('The external_access_token is not valid.', read.refusal);
    }
    const user = await findUser(service.db, read.userId);
    // Erased, with all clips.
    if (!user) throw new ApiError('clip-not-found', 'There is no such clip.');
    learnCause({ organization: user.organization_id, user: user.id });
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
