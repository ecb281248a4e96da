import { textHash } from 'clip-kit/contract';
import { HostProblem } from '../http/host-problem.ts';

/**
 * The header with the tag of the account that an answer is for, and in a request that of the
 * account which the page shows.
 */
export const accountHeader = 'Clip-Account';

/**
 * A short tag of a user, by which a browser tells its accounts apart. It is a hash, so that the id
 * itself is not stored there.
 */
export const accountTag = (hostUser: string): string => textHash(`account ${hostUser}`);

/** Throws 409 if the page shows another account: what was clicked there is not for this user. */
export function checkAccount(request: Request, hostUser: string): void {
  const shown = request.headers.get(accountHeader);
  if (shown === null || shown === accountTag(hostUser)) return;
  throw new HostProblem('account-changed', {
    detail: 'The page shows another account than the one that is signed in. Nothing was done.',
  });
}
