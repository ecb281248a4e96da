import { HttpError } from '../client/errors.ts';
import type { ServiceClient } from '../client/service-client.ts';
import type { HostStore } from './store.ts';

export interface IssuedToken {
  readonly managedUser: string;
  readonly token: string;
}

/** Maps the site's users to managed users of the service, each made once. */
export class ManagedUsers {
  readonly #service: ServiceClient;
  readonly #store: HostStore;
  readonly #making = new Map<string, Promise<string>>();

  constructor(service: ServiceClient, store: HostStore) {
    this.#service = service;
    this.#store = store;
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
    // Once more: another request may have made it between the look and the making.
    const known = await this.#store.managedUser(hostUser);
    if (known !== null) return known;
    const user = await this.#service.createUser();
    return this.#store.keepManagedUser(hostUser, user.id);
  }
}
