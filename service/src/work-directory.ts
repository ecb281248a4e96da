import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceContext } from './context.ts';

/** Milliseconds after which nobody works on an unfinished file any more: no job takes so long. */
const day = 24 * 60 * 60 * 1000;

/**
 * Makes the directory of unfinished files ready, and removes what a crash has left there: all of it where no other service uses it
 * (`own`), or what has not been touched for a day where others may be at work.
 */
export const readyWorkDirectory = async (
  directory: string,
  { own, now = Date.now() }: { own: boolean; now?: number },
): Promise<void> => {
  if (own) await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    // Another service may remove the same at this moment.
    const touched = await lastTouched(path).catch(() => now);
    if (now - touched > day) await rm(path, { recursive: true, force: true });
  }
};

/** When something was last written in there, at any depth: a long render writes to one file and touches no directory. */
const lastTouched = async (path: string): Promise<number> => {
  const found = await stat(path);
  if (!found.isDirectory()) return found.mtimeMs;
  const within = await Promise.all(
    (await readdir(path)).map((name) => lastTouched(join(path, name))),
  );
  return Math.max(found.mtimeMs, ...within);
};

/** Does work in a directory for unfinished files that nothing else uses; it is gone afterwards. */
export const inWorkDirectory = async <T>(
  service: Pick<ServiceContext, 'workDirectory'>,
  name: string,
  work: (directory: string) => Promise<T>,
): Promise<T> => {
  const directory = join(service.workDirectory, name);
  await mkdir(directory, { recursive: true });
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};
