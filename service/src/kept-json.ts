import { readFile, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { ServiceContext } from './context.ts';

/**
 * The JSON that is kept under a storage key; made and kept where there is none, or what is there does not fit. For answers
 * that cost time or money: a task that is begun again does not ask again.
 */
export const keptJson = async <T>(
  service: Pick<ServiceContext, 'storage' | 'workDirectory'>,
  key: string,
  { fits, make }: { fits?: (value: T) => boolean; make: () => Promise<T> },
): Promise<T> => {
  if (await service.storage.stat(key)) {
    const text = await readFile(await service.storage.localPath(key), 'utf8');
    const value = parsed<T>(text);
    if (value !== null && (!fits || fits(value))) return value;
  }
  const value = await make();
  const path = join(service.workDirectory, `${randomUUID()}.json`);
  await writeFile(path, JSON.stringify(value));
  await service.storage.put(key, path);
  return value;
};

/** Null for what a crash has left unreadable. */
const parsed = <T>(text: string): T | null => {
  try {
    return JSON.parse(text) as T;
  } catch {
    return null;
  }
};
