import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type LocalFile, readText, type Storage } from './storage.ts';

/** Where files are: finished ones in the store, unfinished ones in the work directory. */
export interface Files {
  storage: Storage;
  workDirectory: string;
}

/** An unfinished file that was not touched for this time is abandoned. */
const maxUntouchedMs = 24 * 60 * 60 * 1000;

/**
 * Makes the directory of unfinished files ready, and removes what a crash has left there: all of it
 * if no other service uses it (`own`), otherwise what has not been touched for a day.
 */
export async function prepareWorkDirectory(
  directory: string,
  { own, now = Date.now() }: { own: boolean; now?: number },
): Promise<void> {
  if (own) await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    // Another service may remove the same at this moment.
    const touched = await findLastChange(path).catch(() => now);
    if (now - touched > maxUntouchedMs) await rm(path, { recursive: true, force: true });
  }
}

/** When it was last written to, at any depth: a long render touches a file, but no directory. */
async function findLastChange(path: string): Promise<number> {
  const found = await stat(path);
  if (!found.isDirectory()) return found.mtimeMs;
  const within = await Promise.all(
    (await readdir(path)).map((name) => findLastChange(join(path, name))),
  );
  return Math.max(found.mtimeMs, ...within);
}

/** Does work in a temporary directory of its own. */
export async function withWorkDirectory<T>(
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

/**
 * The JSON that is kept under a storage key; made and kept if it is missing or does not fit.
 * For answers that cost time or money: another attempt at a task reuses them.
 */
export async function cacheJson<T>(
  { storage, workDirectory }: Files,
  key: string,
  { fits, make }: { fits?: (value: T) => boolean; make: () => Promise<T> },
): Promise<T> {
  const kept = tryParse<T>((await readText(storage, key)) ?? '');
  if (kept !== null && (!fits || fits(kept))) return kept;
  const value = await make();
  const path = join(workDirectory, `${randomUUID()}.json`);
  await writeFile(path, JSON.stringify(value));
  await storage.put(key, path);
  return value;
}

/** Null for what a crash has left unreadable. */
function tryParse<T>(text: string): T | null {
  try {
    return JSON.parse(text) as T;
  } catch {
    return null;
  }
}

/**
 * Does work with stored objects as local files, for programs that read paths. A file that
 * `localPath` returns stays there until the work is done. The signal ends the wait for a file.
 */
export async function withLocalFiles<T>(
  storage: Pick<Storage, 'openLocal'>,
  signal: AbortSignal,
  work: (localPath: (key: string) => Promise<string>) => Promise<T>,
): Promise<T> {
  const files: LocalFile[] = [];
  try {
    return await work(async (key) => {
      const file = await storage.openLocal(key, signal);
      files.push(file);
      return file.path;
    });
  } finally {
    for (const file of files) file.release();
  }
}
