import { HttpError } from '../client/errors.ts';
import type { ServiceClient } from '../client/service-client.ts';
import { HostProblem } from './host-problem.ts';
import type { HostStore } from './store.ts';

/**
 * How long a process may take to create a user before another takes over. Longer than the call may
 * take.
 */
export const makingLeaseMs = 60_000;

/** How long a request waits in total for another process to create its user. */
const maxMakingWaitMs = 30_000;

/**
 * The pause before the next look, in milliseconds. Creating a user takes some tenths of a second.
 */
const pauseBeforeMs = (look: number): number => Math.min(25 * 2 ** look, 500);

const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

export interface IssuedToken {
  readonly managedUser: string;
  readonly token: string;
}

/**
 * Maps the site's users to managed users of the service. All processes that share the store create
 * each user only once.
 */
export class ManagedUsers {
  readonly #service: ServiceClient;
  readonly #store: HostStore;
  readonly #now: () => number;
  readonly #pause: (milliseconds: number) => Promise<void>;
  readonly #making = new Map<string, Promise<string>>();

  constructor(service: ServiceClient, store: HostStore, now: () => number, pause = sleep) {
    this.#service = service;
    this.#store = store;
    this.#now = now;
    this.#pause = pause;
  }

  /** The managed user's id. Concurrent requests share one creation. */
  async idOf(hostUser: string): Promise<string> {
    const known = await this.#store.managedUser(hostUser);
    if (known !== null) return known;
    let making = this.#making.get(hostUser);
    if (!making) {
      making = this.#make(hostUser).finally(() => this.#making.delete(hostUser));
      this.#making.set(hostUser, making);
    }
    return making;
  }

  /**
   * Runs a call for the managed user. If the service no longer knows the user, creates a new one
   * and repeats the call once.
   */
  async with<T>(hostUser: string, call: (managedUser: string) => Promise<T>): Promise<T> {
    const managedUser = await this.idOf(hostUser);
    try {
      return await call(managedUser);
    } catch (error) {
      if (!(await this.#isGone(managedUser, error))) throw error;
      await this.#store.dropManagedUser(hostUser, managedUser);
      return call(await this.idOf(hostUser));
    }
  }

  /**
   * A call can be refused (403, 404) for many reasons. The user is gone only if the service has no
   * token for it either. Otherwise a wrong key would create a new user on every request.
   */
  async #isGone(managedUser: string, error: unknown): Promise<boolean> {
    if (!(error instanceof HttpError) || error.status !== 403) return false;
    try {
      await this.#service.createToken(managedUser);
      return false;
    } catch (answer) {
      return answer instanceof HttpError && answer.status === 404;
    }
  }

  /** An embed token for the host user's managed user, and the id of that managed user. */
  async tokenOf(hostUser: string): Promise<IssuedToken> {
    const managedUser = await this.idOf(hostUser);
    const issue = async (id: string): Promise<IssuedToken> => ({
      managedUser: id,
      token: (await this.#service.createToken(id)).external_access_token,
    });
    try {
      return await issue(managedUser);
    } catch (error) {
      if (!(error instanceof HttpError && error.status === 404)) throw error;
      await this.#store.dropManagedUser(hostUser, managedUser);
      return issue(await this.idOf(hostUser));
    }
  }

  async #make(hostUser: string): Promise<string> {
    for (let waitedMs = 0, look = 0; waitedMs < maxMakingWaitMs; look++) {
      // Look again, also the first time: another request may have created the user since the last
      // look.
      const known = await this.#store.managedUser(hostUser);
      if (known !== null) return known;
      const since = this.#now();
      if (await this.#store.claimMaking(hostUser, since, makingLeaseMs)) {
        return this.#makeClaimed(hostUser, since);
      }
      await this.#pause(pauseBeforeMs(look));
      waitedMs += pauseBeforeMs(look);
    }
    throw new HostProblem('service-unavailable', {
      detail: 'Another process is creating this user. Try again in a few seconds.',
      headers: { 'Retry-After': '10' },
    });
  }

  async #makeClaimed(hostUser: string, since: number): Promise<string> {
    try {
      const user = await this.#service.createUser();
      return await this.#store.keepManagedUser(hostUser, user.id);
    } catch (error) {
      // Report the failed creation to the caller, not a failed release. A claim that stays ends by
      // itself.
      await this.#store.releaseMaking(hostUser, since).catch(() => {});
      throw error;
    }
  }
}
