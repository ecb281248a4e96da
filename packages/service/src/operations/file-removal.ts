import { errorText } from 'clip-engine';
import type { Changes } from './changes.ts';
import type { Log } from '../config/config.ts';
import { forgetRemoved, leaveToRemove, takeFilesToRemove } from '../storage/queries.ts';
import type { Db } from '../db/schema.ts';
import type { StoredKind } from '../storage/stored-kinds.ts';
import { isStorageKey, type Storage } from '../storage/storage.ts';
import { listUnneeded } from './unneeded-files.ts';

const atATime = 50;
/** A notice may be missed, and a store that was away may obey again. */
const lookIntervalMs = 60_000;

interface Needs {
  db: Db;
  storage: Storage;
}

/** Has the store remove a key, or a prefix as it is in the list. */
async function remove({ db, storage }: Needs, prefix: string): Promise<void> {
  if (isStorageKey(prefix)) return storage.remove(prefix);
  const [kind, id, left] = prefix.split('/') as [StoredKind, string, string?];
  const keys =
    left === undefined
      ? await storage.list(prefix)
      : ((await listUnneeded({ db, storage }, kind, [id])).get(id) ?? []);
  for (const key of keys) await storage.remove(key);
  if (kind === 'uploads') await storage.endArrivals(`${kind}/${id}`);
}

/** Has the store remove some files. Gives whether there may be more. Rejects as the store does. */
async function removeSome(service: Needs): Promise<boolean> {
  const { db } = service;
  const taken = await takeFilesToRemove(db, atATime);
  const removed: string[] = [];
  try {
    for (const prefix of taken) {
      await remove(service, prefix);
      removed.push(prefix);
    }
  } finally {
    await forgetRemoved(db, removed);
    if (removed.length < taken.length) await leaveToRemove(db, taken.slice(removed.length));
  }
  return taken.length === atATime;
}

/** Has the store remove all files that are to be removed now. Rejects as the store does. */
export async function removeFiles(service: Needs): Promise<void> {
  while (await removeSome(service));
}

/** Removes files of what is deleted, until the service stops. */
export async function keepRemovingFiles(
  service: Needs & { changes: Changes; closing: AbortSignal; log: Log },
): Promise<void> {
  const { changes, closing, log } = service;
  const watcher = changes.watch('removal');
  while (!closing.aborted) {
    try {
      await removeFiles(service);
    } catch (error) {
      log({ event: 'files-not-removed', level: 'warn', message: errorText(error) });
    }
    await watcher.next(lookIntervalMs, closing);
  }
  watcher.close();
}
