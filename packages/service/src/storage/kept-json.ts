import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readText } from './storage.ts';
import type { Files } from './work-directory.ts';

/**
 * The JSON that is kept under a storage key; made and kept if it is missing or does not fit.
 * For answers that cost time or money: another attempt at a task does not ask again.
 */
export async function keptJson<T>(
  { storage, workDirectory }: Files,
  key: string,
  { fits, make }: { fits?: (value: T) => boolean; make: () => Promise<T> },
): Promise<T> {
  const kept = parsed<T>((await readText(storage, key)) ?? '');
  if (kept !== null && (!fits || fits(kept))) return kept;
  const value = await make();
  const path = join(workDirectory, `${randomUUID()}.json`);
  await writeFile(path, JSON.stringify(value));
  await storage.put(key, path);
  return value;
}

/** Null for what a crash has left unreadable. */
function parsed<T>(text: string): T | null {
  try {
    return JSON.parse(text) as T;
  } catch {
    return null;
  }
}
