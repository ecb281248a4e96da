import { AttemptLost, type JobAttempt } from '../queue/attempt-queries.ts';
import type { Storage } from '../storage/storage.ts';
import { makeRandomKey } from '../db/id.ts';

/**
 * Moves an attempt's files into the store and then notes them in the database. The order is what
 * keeps a finished file: until the row is written no one knows of them, and an attempt that has
 * lost its row only removes its own files. Throws {@link AttemptLost}.
 */
export async function publish<T>(
  storage: Storage,
  files: PublishedFiles,
  note: () => Promise<T>,
): Promise<T> {
  await store(storage, files);
  return recordStored(storage, files, note);
}

/** Paths of local files by storage key. */
export type PublishedFiles = Readonly<Record<string, string>>;

/** The first half of {@link publish}. */
export async function store(storage: Storage, files: PublishedFiles): Promise<void> {
  for (const [key, path] of Object.entries(files)) {
    // The previews that are rendered next read the segments.
    await storage.put(key, path, { keepLocal: key.startsWith('segments/') });
  }
}

/** The second half of {@link publish}, which no longer needs the local files. */
export async function recordStored<T>(
  storage: Storage,
  files: PublishedFiles,
  note: () => Promise<T>,
): Promise<T> {
  try {
    return await note();
  } catch (error) {
    // After any other error the note may have been made: the settled row decides.
    if (error instanceof AttemptLost) {
      for (const key of Object.keys(files)) await storage.remove(key);
    }
    throw error;
  }
}

/** Returns a unique file name that cannot be guessed. */
export const makeAttemptFileName = ({ number }: JobAttempt, extension: string): string =>
  `${number}-${makeRandomKey()}.${extension}`;
