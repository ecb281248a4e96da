import { HttpError, type ServiceClient } from 'clip-kit/client';
import {
  type EditorLimits,
  listFieldErrors,
  newTokenSchema,
  type Permission,
  type TokenAnswer,
} from 'clip-kit/contract';
import { decodeJwt } from 'jose';
import type { ManagedUsers, WantedToken } from './managed-users.ts';
import { HostProblem } from '../http/host-problem.ts';

/** A cached token is returned only while it is valid for at least this long. */
const minLifetimeMs = 60_000;
/** The time for which a token without an expiry time is reused. */
const noExpiryReuseMs = 30_000;

interface Cached {
  readonly answer: TokenAnswer;
  /** The owner of the token. If the managed user is created again, it needs a new token. */
  readonly managedUser: string;
  readonly reuseUntil: number;
}

/**
 * Caches each user's embed token until shortly before it expires. Concurrent calls share one
 * request.
 */
export class AccessTokens {
  readonly #users: ManagedUsers;
  readonly #now: () => number;
  readonly #cached = new Map<string, Cached>();
  readonly #pending = new Map<string, Promise<TokenAnswer>>();

  constructor(users: ManagedUsers, now: () => number) {
    this.#users = users;
    this.#now = now;
  }

  /**
   * `fresh`: skip the cache, because the page is renewing its token or found that it does not work.
   */
  async tokenOf(hostUser: string, wanted: WantedToken, fresh = false): Promise<TokenAnswer> {
    const name = JSON.stringify([hostUser, wanted]);
    const cached = this.#cached.get(name);
    if (
      cached &&
      !fresh &&
      this.#now() < cached.reuseUntil &&
      cached.managedUser === (await this.#users.idOf(hostUser))
    ) {
      return cached.answer;
    }
    let pending = this.#pending.get(name);
    if (!pending) {
      pending = this.#ask(hostUser, wanted, name).finally(() => this.#pending.delete(name));
      this.#pending.set(name, pending);
    }
    return pending;
  }

  async #ask(hostUser: string, wanted: WantedToken, name: string): Promise<TokenAnswer> {
    const { token, managedUser } = await this.#users.tokenOf(hostUser, wanted);
    const expiry = readExpiry(token);
    const answer: TokenAnswer = {
      external_access_token: token,
      expires_at: expiry === null ? null : new Date(expiry).toISOString(),
    };
    const now = this.#now();
    for (const [known, { reuseUntil }] of this.#cached) {
      if (reuseUntil <= now) this.#cached.delete(known);
    }
    this.#cached.set(name, {
      answer,
      managedUser,
      reuseUntil: expiry === null ? now + noExpiryReuseMs : expiry - minLifetimeMs,
    });
    return answer;
  }
}

/** The latest time that a `Date` can hold. */
const maxDateSeconds = 8.64e12;

/** The claims of a token; none if it is no JWT. */
function readClaims(token: string): Readonly<Record<string, unknown>> {
  try {
    return decodeJwt(token);
  } catch {
    return {};
  }
}

/** In milliseconds since 1970; null if the token has none, or is no JWT. */
function readExpiry(token: string): number | null {
  const { exp } = readClaims(token);
  return typeof exp === 'number' && Math.abs(exp) <= maxDateSeconds ? exp * 1000 : null;
}

interface TokenCallOptions {
  /** The site's setting. Undefined: `view` beside policies, otherwise the service's default. */
  readonly permissions: readonly Permission[] | undefined;
  /** Whether the site has policies that the service's pages know nothing of. */
  readonly hasPolicies: boolean;
}

/**
 * The service itself refuses the request. A proxy's error, which is not JSON, says nothing about
 * the service.
 */
const isRefusal = (cause: unknown): cause is HttpError =>
  cause instanceof HttpError &&
  (cause.status === 400 || cause.status === 422) &&
  cause.problem !== null;

const all: WantedToken = { allowed: null, editor: {} };

/** The call for an embed token of a managed user. Throws a `TypeError` for wrong permissions. */
export function createTokenCall(
  service: ServiceClient,
  { permissions, hasPolicies }: TokenCallOptions,
): (managedUser: string, wanted?: WantedToken) => Promise<string> {
  const { error } = newTokenSchema.safeParse({ permissions });
  if (error) {
    const [first] = listFieldErrors(error);
    throw new TypeError(`tokenPermissions: ${first?.message}`);
  }
  const create = async (
    managedUser: string,
    asked?: readonly Permission[],
    editor?: EditorLimits,
  ): Promise<string> => {
    const wanted = { permissions: asked && [...asked], editor };
    const { external_access_token: token } = await service.createToken(managedUser, wanted);
    if (!editor || readClaims(token)['editor'] !== undefined) return token;
    throw new HostProblem('service-error', {
      cause: new Error('the tokens of the service do not limit its editor: update the service'),
    });
  };

  return async (managedUser, { allowed, editor } = all) => {
    const most = permissions ?? (hasPolicies ? (['view'] as const) : undefined);
    const asked = allowed ? (most ?? allowed).filter((one) => allowed.includes(one)) : most;
    const isLimited = Object.keys(editor).length > 0 && (!asked || asked.includes('edit'));
    const limits = isLimited ? editor : undefined;
    if (!asked && !limits) return create(managedUser);
    try {
      return await create(managedUser, asked, limits);
    } catch (cause) {
      if (!isRefusal(cause)) throw cause;
      // The specification's tokens have no permissions; a service without them has no editor.
      const token = (permissions ?? allowed ?? limits) ? null : await create(managedUser);
      if (token !== null && readClaims(token)['permissions'] === undefined) return token;
      throw new HostProblem('service-error', {
        cause: new Error(`the service rejects token permissions: ${cause.message}`, { cause }),
      });
    }
  };
}
