import { findManagedUser, findOwnerByKey } from './queries.ts';
import { hashKey } from '../db/id.ts';
import { readPrivateClips } from '../links/queries.ts';
import type { Db, UserRow } from '../db/schema.ts';
import { RowCache } from '../db/live-rows.ts';

const maxCachedUsers = 10_000;

async function readOnce<Value>(
  kept: RowCache<Value>,
  name: string,
  read: () => Promise<Value | undefined>,
): Promise<Value | undefined> {
  const known = kept.get(name);
  if (known) return known;
  const { age } = kept;
  const found = await read();
  if (found) kept.set(name, found, age);
  return found;
}

/** Whose key it is, and the managed users: read once, and again when an organization changes. */
export class LiveAccounts {
  readonly #db: Db;
  /** By the key's hash. */
  readonly #owners = new RowCache<UserRow>(maxCachedUsers);
  /** By organization and id. */
  readonly #users = new RowCache<UserRow>(maxCachedUsers);
  /** Whether clips are private, by organization. */
  readonly #privateClips = new RowCache<{ setting: boolean | null }>(maxCachedUsers);
  readonly #all = [this.#owners, this.#users, this.#privateClips];

  constructor(db: Db) {
    this.#db = db;
  }

  /** Returns the owner of the key's organization; undefined for an unknown key. */
  owner(key: string): Promise<UserRow | undefined> {
    const hash = hashKey(key);
    return readOnce(this.#owners, hash, () => findOwnerByKey(this.#db, hash));
  }

  /** A managed user of the organization. */
  managedUser(organizationId: string, id: string): Promise<UserRow | undefined> {
    const read = () => findManagedUser(this.#db, organizationId, id);
    return readOnce(this.#users, `${organizationId} ${id}`, read);
  }

  /** Returns the organization's setting for its clips: private, public, or null for none. */
  async privateClips(organizationId: string): Promise<boolean | null> {
    const read = async () => ({ setting: await readPrivateClips(this.#db, organizationId) });
    return (await readOnce(this.#privateClips, organizationId, read))!.setting;
  }

  /** Organizations, keys and users change seldom: all are read again. */
  clear(): void {
    for (const cache of this.#all) cache.clear();
  }

  /** Whether every change is noticed from now on. */
  setTrusted(state: boolean): void {
    for (const cache of this.#all) cache.setTrusted(state);
  }
}
