import { Pause } from './pause.ts';

/** A lease ends after this time unless it is renewed, because its tab may have been closed. */
const leaseMs = 10_000;
const retryMs = 100;
/** What another tab wrote to storage may take this long to be visible here. */
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

function openTable(): Promise<IDBDatabase> {
  const request = indexedDB.open('clip-kit', 1);
  request.onupgradeneeded = () => request.result.createObjectStore(table);
  return settled(request);
}

/** Takes or renews a lease and returns the one before, or false if another tab has it. */
async function take(
  database: IDBDatabase,
  name: string,
  owner: string,
): Promise<Lease | null | false> {
  const rows = database.transaction(table, 'readwrite').objectStore(table);
  const before = ((await settled(rows.get(name))) as Lease | undefined) ?? null;
  const now = Date.now();
  // A lease that ends too far in the future was written before the clock was set back.
  const left = before ? before.until - now : 0;
  if (before && before.owner !== owner && left > 0 && left <= leaseMs) return false;
  await settled(rows.put({ owner, until: now + leaseMs } satisfies Lease, name));
  return before;
}

async function release(database: IDBDatabase, name: string, owner: string): Promise<void> {
  const rows = database.transaction(table, 'readwrite').objectStore(table);
  const lease = (await settled(rows.get(name))) as Lease | undefined;
  if (lease?.owner === owner) await settled(rows.put({ owner, until: 0 } satisfies Lease, name));
}

/** A lock made of leases in IndexedDB, for pages without Web Locks (plain http). */
async function leased<T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  let database: IDBDatabase;
  try {
    database = await openTable();
  } catch {
    // Without storage no tab shares anything, so there is nothing to lock.
    return work();
  }
  const owner = `${Math.random()}`;
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
}

/**
 * Does the work while no other tab does work with the same name. Rejects as the work does, or with
 * the signal's reason. If all storage is blocked (a sandboxed frame), it waits for nobody.
 */
export async function withTabLock<T>(
  name: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  let begun = false;
  try {
    if (navigator.locks) {
      return await navigator.locks.request(name, { signal }, () => {
        begun = true;
        return work();
      });
    }
  } catch (cause) {
    // If cookies are blocked, the browser has locks but refuses every request for one.
    if (begun || signal.aborted) throw cause;
  }
  return leased(name, signal, work);
}
