import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Files } from './work-directory.ts';

/**
 * The JSON that is kept under a storage key; made and kept if there is none, or it does not fit.
 * For answers that cost time or money: another attempt at a task does not ask again.
 */
export async function keptJson<T>(
  { storage, workDirectory }: Files,
  key: string,
  { fits, make }: { fits?: (value: T) => boolean; make: () => Promise<T> },
): Promise<T> {
  if (await storage.stat(key)) {
    const text = await readFile(await storage.localPath(key), 'utf8');
    const value = parsed<T>(text);
    if (value !== null && (!fits || fits(value))) return value;
  }
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
