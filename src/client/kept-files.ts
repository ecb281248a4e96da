/** Files of uploads that have not ended, so that a reload need not ask for them again. */

/** What is kept of a job. */
export interface KeptFiles {
  /** Reads the file again, if the browser has such handles (Chromium). */
  readonly handle?: FileSystemFileHandle | undefined;
  /** The file itself, if it is small. */
  readonly file?: File | undefined;
  readonly subtitles?: File | undefined;
}

/** The browser copies a file that it keeps. */
const maxKeptBytes = 64_000_000;

const database = 'clip-kit';
const storeName = 'files';

const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error as Error);
  });

/** Null where a browser keeps nothing, as in some private windows. */
async function inStore<T>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | null> {
  try {
    const opening = indexedDB.open(database, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(storeName);
    const db = await settled(opening);
    try {
      return await settled(ask(db.transaction(storeName, mode).objectStore(storeName)));
    } finally {
      db.close();
    }
  } catch {
    return null;
  }
}

export async function keepFiles(jobId: string, { handle, file, subtitles }: KeptFiles) {
  const kept: KeptFiles = {
    handle,
    file: !handle && file && file.size <= maxKeptBytes ? file : undefined,
    subtitles,
  };
  await inStore('readwrite', (store) => store.put(kept, jobId));
}

export const keptFiles = (jobId: string): Promise<KeptFiles | null> =>
  inStore<KeptFiles>('readonly', (store) => store.get(jobId)).then((kept) => kept ?? null);

export const forgetFiles = (jobId: string): Promise<unknown> =>
  inStore('readwrite', (store) => store.delete(jobId));

/** Not yet in every declaration of a handle. */
interface WithPermission extends FileSystemFileHandle {
  queryPermission?(options: { mode: 'read' }): Promise<PermissionState>;
  requestPermission?(options: { mode: 'read' }): Promise<PermissionState>;
}

/**
 * The file of a handle; null if the browser would have to ask the person first. `asks`: it may,
 * which only works right after a click.
 */
export async function fileOf(handle: FileSystemFileHandle, asks: boolean): Promise<File | null> {
  const { queryPermission, requestPermission } = handle as WithPermission;
  try {
    let state = (await queryPermission?.call(handle, { mode: 'read' })) ?? 'granted';
    if (state === 'prompt' && asks) {
      state = (await requestPermission?.call(handle, { mode: 'read' })) ?? state;
    }
    return state === 'granted' ? await handle.getFile() : null;
  } catch {
    return null;
  }
}
