import { hashText } from 'clip-kit/contract';
import { HostProblem } from '../http/host-problem.ts';

/** A logged-in user of the site. */
export interface HostUser {
  /**
   * The site's own id of the user: stable, unique, and never taken from the request's body or
   * query.
   */
  readonly id: string;
}

/** Texts that stand for a missing value: with them, all visitors would share one account. */
const missingIds = ['', 'undefined', 'null', 'NaN', '[object Object]'];

/** Throws a 500 with the reason unless `authenticate` gave a usable id. */
export function checkUser(user: HostUser): void {
  const { id } = user as { id: unknown };
  if (typeof id === 'string' && !missingIds.includes(id)) return;
  const given = typeof id === 'string' ? JSON.stringify(id) : typeof id;
  throw new HostProblem('internal-error', {
    cause: new Error(`authenticate must return {id} with a text of your own, not ${given}`),
  });
}

/**
 * The header with an account's tag: in a response the user's account, in a request the account that
 * the page shows.
 */
export const accountHeader = 'Clip-Account';

/**
 * A short tag of a user, by which a browser tells its accounts apart. It is a hash, so that the id
 * itself is not stored there.
 */
export const makeAccountTag = (hostUser: string): string => hashText(`account ${hostUser}`);

/** Throws 409 if the page shows another account: the click was not this user's. */
export function checkAccount(request: Request, hostUser: string): void {
  const shown = request.headers.get(accountHeader);
  if (shown === null || shown === makeAccountTag(hostUser)) return;
  throw new HostProblem('account-changed', {
    detail: 'The page shows a different account than the one signed in. Nothing was done.',
  });
}
