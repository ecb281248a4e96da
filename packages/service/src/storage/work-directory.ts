import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Storage } from './storage.ts';

/** Where files are: finished ones in the store, unfinished ones in the work directory. */
export interface Files {
  storage: Storage;
  workDirectory: string;
}

/** Nobody works on an unfinished file for so long. */
const maxUntouchedMs = 24 * 60 * 60 * 1000;

/**
 * Makes the directory of unfinished files ready, and removes what a crash has left there: all of it
 * if no other service uses it (`own`), otherwise what has not been touched for a day.
 */
export async function readyWorkDirectory(
  directory: string,
  { own, now = Date.now() }: { own: boolean; now?: number },
): Promise<void> {
  if (own) await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    // Another service may remove the same at this moment.
    const touched = await lastTouched(path).catch(() => now);
    if (now - touched > maxUntouchedMs) await rm(path, { recursive: true, force: true });
  }
}

/** When it was last written to, at any depth: a long render touches a file, but no directory. */
async function lastTouched(path: string): Promise<number> {
  const found = await stat(path);
  if (!found.isDirectory()) return found.mtimeMs;
  const within = await Promise.all(
    (await readdir(path)).map((name) => lastTouched(join(path, name))),
  );
  return Math.max(found.mtimeMs, ...within);
}

/** Does work in a directory for unfinished files that nothing else uses; it is gone afterwards. */
export async function inWorkDirectory<T>(
  { workDirectory }: Pick<Files, 'workDirectory'>,
  name: string,
  work: (directory: string) => Promise<T>,
): Promise<T> {
  const directory = join(workDirectory, name);
  await mkdir(directory, { recursive: true });
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
