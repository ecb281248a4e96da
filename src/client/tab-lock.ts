/** Holds a lock of the browser's across tabs, by whatever the browser has for that. */
import { newAttemptKey } from './attempt-key.ts';
import { Pause } from './pause.ts';

/** How long a lease is good for unless it is renewed: its tab may have been closed, in milliseconds. */
const leaseMs = 10_000;
const retryMs = 100;
/** What another tab wrote into storage just before it gave up its lease may take so long to be seen here. */
const storageLagMs = 100;

interface Lease {
  readonly owner: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

const table = 'leases';

const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error as Error);
  });

const openTable = (): Promise<IDBDatabase> => {
  const request = indexedDB.open('clip-kit', 1);
  request.onupgradeneeded = () => request.result.createObjectStore(table);
  return settled(request);
};

/** Takes or renews a lease, unless another tab has it; gives the lease before, or false. Transactions exclude one another. */
const take = async (
  database: IDBDatabase,
  name: string,
  owner: string,
): Promise<Lease | null | false> => {
  const rows = database.transaction(table, 'readwrite').objectStore(table);
  const before = ((await settled(rows.get(name))) as Lease | undefined) ?? null;
  const now = Date.now();
  // One that ends later than any lease can was written under another clock.
  const left = before ? before.until - now : 0;
  if (before && before.owner !== owner && left > 0 && left <= leaseMs) return false;
  await settled(rows.put({ owner, until: now + leaseMs } satisfies Lease, name));
  return before;
};

const release = async (database: IDBDatabase, name: string, owner: string): Promise<void> => {
  const rows = database.transaction(table, 'readwrite').objectStore(table);
  const lease = (await settled(rows.get(name))) as Lease | undefined;
  if (lease?.owner === owner) await settled(rows.put({ owner, until: 0 } satisfies Lease, name));
};

/** A lock by leases in IndexedDB: pages on plain http have no Web Locks. */
const leased = async <T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
  let database: IDBDatabase;
  try {
    database = await openTable();
  } catch {
    // No storage at all: nothing is shared with another tab, and this page's own session is the lock.
    return work();
  }
  const owner = newAttemptKey();
  const pause = new Pause();
  try {
    let before = await take(database, name, owner);
    while (before === false) {
      await pause.for(retryMs, signal);
      before = await take(database, name, owner);
    }
    if (before) await pause.for(storageLagMs, signal);
    const renewal = setInterval(() => {
      take(database, name, owner).catch(() => {});
    }, leaseMs / 3);
    try {
      return await work();
    } finally {
      clearInterval(renewal);
    }
  } finally {
    await release(database, name, owner).catch(() => {});
    database.close();
  }
};

/**
 * Does the work while no other tab of the browser does work of the same name. Rejects as the work does, or with the
 * signal's reason. Where all storage is blocked (a sandboxed frame, say) there is no other tab to wait for.
 */
export const withTabLock = async <T>(
  name: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> => {
  let begun = false;
  try {
    if (navigator.locks) {
      return await navigator.locks.request(name, { signal }, () => {
        begun = true;
        return work();
      });
    }
  } catch (cause) {
    // Where cookies are blocked there are locks, and each request for one is refused.
    if (begun || signal.aborted) throw cause;
  }
  return leased(name, signal, work);
};
