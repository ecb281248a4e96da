import { formatError } from 'clip-engine';
import type { Changes } from './changes.ts';
import type { Log } from '../config/config.ts';
import {
  deleteRemoved,
  leaveToRemove,
  findNeededFiles,
  type StoredKind,
  storedKinds,
  takeFilesToRemove,
} from '../storage/queries.ts';
import type { Db } from '../db/schema.ts';
import { isStorageKey, type Storage } from '../storage/storage.ts';

const atATime = 50;
/** A notification may be missed, and a store may be available again. */
const pollIntervalMs = 60_000;

interface Dependencies {
  db: Db;
  storage: Storage;
}

/** Removes a key, or all files of a prefix, from the store. */
async function remove({ db, storage }: Dependencies, prefix: string): Promise<void> {
  if (isStorageKey(prefix)) return storage.remove(prefix);
  const [kind, id, left] = prefix.split('/') as [StoredKind, string, string?];
  const keys =
    left === undefined
      ? await storage.list(prefix)
      : ((await listUnneeded({ db, storage }, kind, [id])).get(id) ?? []);
  for (const key of keys) await storage.remove(key);
  if (kind === 'uploads') await storage.abortIncoming(`${kind}/${id}`);
}

/** Removes some files from the store. Returns whether there may be more. */
async function removeSome(service: Dependencies): Promise<boolean> {
  const { db } = service;
  const taken = await takeFilesToRemove(db, atATime);
  const removed: string[] = [];
  try {
    for (const prefix of taken) {
      await remove(service, prefix);
      removed.push(prefix);
    }
  } finally {
    await deleteRemoved(db, removed);
    if (removed.length < taken.length) await leaveToRemove(db, taken.slice(removed.length));
  }
  return taken.length === atATime;
}

/** Removes all files that are to be removed from the store. Rejects as the store does. */
export async function removeFiles(service: Dependencies): Promise<void> {
  while (await removeSome(service));
}

/** Removes files of deleted rows, until the service stops. */
export async function removeFilesUntilClosed(
  service: Dependencies & { changes: Changes; closing: AbortSignal; log: Log },
): Promise<void> {
  const { changes, closing, log } = service;
  const watcher = changes.watch('removal');
  while (!closing.aborted) {
    try {
      await removeFiles(service);
    } catch (error) {
      log({ event: 'files-not-removed', level: 'warn', message: formatError(error) });
    }
    await watcher.next(pollIntervalMs, closing);
  }
  watcher.close();
}

/**
 * The keys of stored files that no row names, by the id that they are kept under. A row that is at
 * work may have more files than it names: its id is missing.
 */
async function listUnneeded(
  { db, storage }: { db: Db; storage: Storage },
  kind: StoredKind,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  const needed = await findNeededFiles(db, kind, ids);
  const unneeded = new Map<string, string[]>();
  for (const id of ids) {
    const named = needed.get(id);
    if (named === null) continue;
    // Answers that were kept for another attempt go with the source.
    const isNeeded = (key: string): boolean =>
      (named?.has(key) ?? false) ||
      (kind === 'sources' && key.endsWith('.json') && (named?.size ?? 0) > 0);
    const keys = await storage.list(`${kind}/${id}`);
    unneeded.set(
      id,
      keys.filter((key) => !isNeeded(key)),
    );
  }
  return unneeded;
}

/** A file that no row names. */
export interface Orphan {
  key: string;
  bytes: number;
}

/** A younger file may belong to a row that is not written yet. */
const minAgeMs = 24 * 60 * 60 * 1000;
const idsAtATime = 200;

async function* splitIntoBatches<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < idsAtATime) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/**
 * Yields the stored files that no row names, left by deletions and lost attempts. Files younger
 * than a day, and files of running work, are skipped.
 */
export async function* findOrphans(
  service: { db: Db; storage: Storage },
  now = Date.now(),
): AsyncGenerator<Orphan> {
  const { storage } = service;
  for (const kind of storedKinds) {
    for await (const ids of splitIntoBatches(storage.ids(kind))) {
      for (const key of [...(await listUnneeded(service, kind, ids)).values()].flat()) {
        const file = await storage.stat(key);
        if (file && now - file.modified.getTime() > minAgeMs) yield { key, bytes: file.bytes };
      }
    }
  }
}
