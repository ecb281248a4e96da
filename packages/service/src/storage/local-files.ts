import type { LocalFile, Storage } from './storage.ts';

/**
 * Does work with stored objects as local files, for programs that read paths. A file that
 * `localPath` gives stays there until the work is done. The signal ends the wait for a file.
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
