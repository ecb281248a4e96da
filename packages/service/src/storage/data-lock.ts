import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another process has the data directory open. */
export class DataDirectoryInUse extends Error {
  override name = 'DataDirectoryInUse';
}

/** Keeps the locks of this process: a connection that nothing refers to is closed. */
const held = new Set<DatabaseSync>();

/** `SQLITE_BUSY` */
const busy = 5;

/**
 * Locks the data directory for this process, and returns the function that releases it. The
 * embedded database has no lock of its own, and two processes on one directory destroy it. Throws
 * {@link DataDirectoryInUse}.
 */
export function lockDataDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true });
  // SQLite locks through the system, which ends the lock of a process however that ends.
  const lock = new DatabaseSync(join(directory, 'lock.sqlite'));
  try {
    lock.exec(`PRAGMA user_version = ${process.pid}; BEGIN IMMEDIATE`);
  } catch (error) {
    const isBusy = (error as { errcode?: number }).errcode === busy;
    const pid = isBusy && lock.prepare('PRAGMA user_version').get()?.['user_version'];
    lock.close();
    if (!isBusy) throw error;
    throw new DataDirectoryInUse(
      `The data directory ${resolve(directory)} is in use by process ${pid}. ` +
        'Only one service may have it open: stop that process, or set DATA_DIR to another directory.',
    );
  }
  held.add(lock);
  return () => {
    held.delete(lock);
    lock.close();
  };
}
