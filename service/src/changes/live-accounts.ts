import { findManagedUser, findOwnerByKey, hashKey } from '../db/accounts.ts';
import type { Db, UserRow } from '../db/schema.ts';
import { Kept } from './kept.ts';

const keptUsers = 10_000;

/** Whose key it is, and the managed users: read once, and again when an organization changes. */
export class LiveAccounts {
  readonly #db: Db;
  /** By the key's hash. */
  readonly #owners = new Kept<UserRow>(keptUsers);
  /** By organization and id. */
  readonly #users = new Kept<UserRow>(keptUsers);

  constructor(db: Db) {
    this.#db = db;
  }

  /** The owner of the key's organization; undefined for a key that nobody has. */
  async owner(key: string): Promise<UserRow | undefined> {
    const hash = hashKey(key);
    const kept = this.#owners.get(hash);
    if (kept) return kept;
    const { age } = this.#owners;
    const found = await findOwnerByKey(this.#db, hash);
    if (found) this.#owners.keep(hash, found, age);
    return found;
  }

  /** A managed user of the organization. */
  async managedUser(organizationId: string, id: string): Promise<UserRow | undefined> {
    const name = `${organizationId} ${id}`;
    const kept = this.#users.get(name);
    if (kept) return kept;
    const { age } = this.#users;
    const found = await findManagedUser(this.#db, organizationId, id);
    if (found) this.#users.keep(name, found, age);
    return found;
  }

  /** Organizations, keys and users change seldom: all are read again. */
  changed(): void {
    this.#owners.forgetAll();
    this.#users.forgetAll();
  }

  /** Whether every change is heard of from now on. */
  trust(state: boolean): void {
    this.#owners.trust(state);
    this.#users.trust(state);
  }
}
