import { HttpError } from '../client/errors.ts';
import type { ServiceClient } from '../client/service-client.ts';
import { HostProblem } from './host-problem.ts';
import type { HostStore } from './store.ts';

/** How long a process may take to make a user before another takes over, in milliseconds: longer than the call may take. */
export const makingLease = 60_000;

/** How long a request waits in all for another process to make its user, in milliseconds. */
const makingPatience = 30_000;

/** How long to wait before the next look, in milliseconds: a making takes some tenths of a second. */
const pauseBefore = (look: number): number => Math.min(25 * 2 ** look, 500);

const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

export interface IssuedToken {
  readonly managedUser: string;
  readonly token: string;
}

/** Maps the site's users to managed users of the service, each made once by all processes that share the store. */
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

  /** The managed user's id; requests that arrive together share one making. */
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

  /** Runs a call for the managed user; when the service no longer knows that user, one is made anew and the call repeated once. */
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
   * A refused call (403, 404) may have many reasons; that the user is gone is believed only when the service has no
   * token for it either. Else a wrong key would have a new user made at every request.
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

  /** An embed token for the host user's managed user, and who that is. */
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
    for (let waited = 0, look = 0; waited < makingPatience; look++) {
      // Once more, also at first: another request may have made it between the look and the making.
      const known = await this.#store.managedUser(hostUser);
      if (known !== null) return known;
      const since = this.#now();
      if (await this.#store.claimMaking(hostUser, since, makingLease)) {
        return this.#makeClaimed(hostUser, since);
      }
      await this.#pause(pauseBefore(look));
      waited += pauseBefore(look);
    }
    throw new HostProblem('service-unavailable', {
      detail: 'The user is being made by another process. Try again.',
      headers: { 'Retry-After': '10' },
    });
  }

  async #makeClaimed(hostUser: string, since: number): Promise<string> {
    try {
      const user = await this.#service.createUser();
      return await this.#store.keepManagedUser(hostUser, user.id);
    } catch (error) {
      // The failed making is what the caller is to hear of; a claim that stays ends by itself.
      await this.#store.releaseMaking(hostUser, since).catch(() => {});
      throw error;
    }
  }
}
