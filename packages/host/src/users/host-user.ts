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
