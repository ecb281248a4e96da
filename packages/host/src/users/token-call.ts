import { HttpError, type ServiceClient } from 'clip-kit/client';
import { fieldErrors, newTokenSchema, type Permission } from 'clip-kit/contract';
import { HostProblem } from '../http/host-problem.ts';

/**
 * How long a service that refuses permissions is asked without them. Not longer, because it may get
 * an editor by an update.
 */
const withoutPermissionsMs = 3_600_000;

interface TokenCallOptions {
  /** What the site has set. Undefined: `view` beside policies, otherwise the service's default. */
  readonly permissions: readonly Permission[] | undefined;
  /** Whether the site has policies that the service's pages know nothing of. */
  readonly hasPolicies: boolean;
  readonly now: () => number;
}

/**
 * The service itself refuses the request. A proxy, which does not answer in JSON, says nothing of
 * what the service knows.
 */
const isRefusal = (cause: unknown): cause is HttpError =>
  cause instanceof HttpError &&
  (cause.status === 400 || cause.status === 422) &&
  cause.problem !== null;

/**
 * The call for an embed token of a managed user. `allowed`: what the user's session allows; null
 * for a user without one. Throws a `TypeError` for wrong permissions.
 */
export function tokenCall(
  service: ServiceClient,
  { permissions, hasPolicies, now }: TokenCallOptions,
): (managedUser: string, allowed?: readonly Permission[] | null) => Promise<string> {
  const { error } = newTokenSchema.safeParse({ permissions });
  if (error) {
    const [first] = fieldErrors(error);
    throw new TypeError(`tokenPermissions: ${first?.message}`);
  }
  let withoutUntil = -Infinity;
  const create = async (managedUser: string, asked?: readonly Permission[]): Promise<string> =>
    (await service.createToken(managedUser, asked && { permissions: [...asked] }))
      .external_access_token;

  return async (managedUser, allowed = null) => {
    const most = permissions ?? (hasPolicies ? (['view'] as const) : undefined);
    const asked = allowed ? (most ?? allowed).filter((one) => allowed.includes(one)) : most;
    if (!asked || now() < withoutUntil) return create(managedUser);
    try {
      return await create(managedUser, asked);
    } catch (cause) {
      if (!isRefusal(cause)) throw cause;
      if (permissions ?? allowed) {
        throw new HostProblem('service-error', {
          cause: new Error(`the service refuses permissions of tokens: ${cause.message}`, {
            cause,
          }),
        });
      }
      // The specification's tokens have no permissions; a service without them has no editor.
      const token = await create(managedUser);
      withoutUntil = now() + withoutPermissionsMs;
      return token;
    }
  };
}
