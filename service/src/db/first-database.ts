/**
 * Makes the built-in database in a thread of its own: making one takes some hundred megabytes, which go with the thread. What
 * opens it afterwards needs a third of that.
 */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

/** Makes the database where there is none in the directory. Rejects where it cannot be made. */
export const makeFirstDatabase = async (directory: string): Promise<void> => {
  const there = await access(join(directory, 'PG_VERSION')).then(
    () => true,
    () => false,
  );
  if (there) return;
  await new Promise<void>((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { directory } });
    worker.once('error', reject);
    worker.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error('The database could not be made.')),
    );
  });
};

if (!isMainThread) {
  const { directory } = (workerData ?? {}) as { directory?: string };
  if (directory !== undefined) {
    const { PGlite } = await import('@electric-sql/pglite');
    await (await PGlite.create(directory)).close();
  }
}
