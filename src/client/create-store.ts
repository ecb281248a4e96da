import type { TaskType } from '../contract/task.ts';
import type { CreateBody } from '../flow/create-request.ts';
import { forgetText, readText, removeText, listStoredNames, writeText } from './across-tabs.ts';

/** The properties by which a file is recognised: a page reads them without its bytes. */
export interface FileMark {
  readonly name: string;
  readonly size: number;
  readonly modified: number;
}

/** Returns a unique id. */
export const makeId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

/** A requested task, from the click until it has started. Times: ms since 1970. */
export interface CreateJob {
  readonly id: string;
  readonly endpoint: string;
  /** The tag of the user's account; empty until the host has named it, or if it never does. */
  readonly account: string;
  readonly at: number;
  readonly type: TaskType;
  readonly body: CreateBody;
  /** The file to send; null for a link. */
  readonly file: FileMark | null;
  /** Length of the video in seconds, if the page could read it. */
  readonly seconds: number | null;
  /** Id of the upload; null before there is one. */
  readonly uploadId: string | null;
  /** The number of times that the upload began again, because the partial upload was lost. */
  readonly resent?: number;
  /** Id of an upload that another has replaced; it is removed before that begins. */
  readonly replacedUploadId?: string | null;
  /** Address of the video; null until the whole file has arrived. */
  readonly sourceUrl: string | null;
  /** Address of the subtitles; undefined without any, null until they have arrived. */
  readonly subtitlesUrl?: string | null;
  /** When the start was sent and its answer has not come; null otherwise. */
  readonly startSentAt: number | null;
  /** The user has paused it. */
  readonly isPaused: boolean;
}

const prefix = 'clip-kit:create:';

/** A job that has not continued for a week is deleted. */
const lifetimeMs = 7 * 24 * 60 * 60 * 1000;

export function readJob(id: string): CreateJob | null {
  try {
    return JSON.parse(readText(prefix + id) ?? 'null') as CreateJob | null;
  } catch {
    return null;
  }
}

export const writeJob = (job: CreateJob): void => writeText(prefix + job.id, JSON.stringify(job));

/** Changes a job as it is stored now, unless it has ended. */
export function updateJob(id: string, change: Partial<CreateJob>): void {
  const job = readJob(id);
  if (job) writeJob({ ...job, ...change });
}

/** Listeners in this page for ended jobs: only other pages get a storage event. */
const listeners = new Set<(ended: string) => void>();

export function dropJob(id: string): void {
  removeText(prefix + id);
  for (const listener of [...listeners]) listener(id);
}

/** The jobs at an endpoint, oldest first: those of an account, or all. */
export function listJobs(endpoint: string, account?: string): CreateJob[] {
  const jobs: CreateJob[] = [];
  for (const name of listStoredNames(prefix)) {
    const id = name.slice(prefix.length);
    const job = readJob(id);
    if (!job?.at || Date.now() - job.at > lifetimeMs) dropJob(id);
    else if (job.endpoint === endpoint && job.account === (account ?? job.account)) jobs.push(job);
  }
  return jobs.toSorted((a, b) => a.at - b.at);
}

/** Calls `listener` when another tab has changed a job, or any has ended one, with its id. */
export function onJobs(listener: (ended: string | null) => void, signal: AbortSignal): void {
  listeners.add(listener);
  signal.addEventListener('abort', () => listeners.delete(listener));
  const stored = ({ key, newValue }: StorageEvent): void => {
    // Without a key, all was removed.
    if (key !== null && !key.startsWith(prefix)) return;
    if (key && !newValue) forgetText(key);
    listener(key && !newValue ? key.slice(prefix.length) : null);
  };
  addEventListener('storage', stored, { signal });
}

/** Files of uploads that have not ended, so that a reload need not ask for them again. */

/** The stored files of a job. */
export interface StoredFiles {
  /** Reads the file again, if the browser has such handles (Chromium). */
  readonly handle?: FileSystemFileHandle | undefined;
  /** The file itself, if it is small. */
  readonly file?: File | undefined;
  readonly subtitles?: File | undefined;
}

/** The size limit of a stored file: the browser copies it. */
const maxStoredBytes = 64_000_000;

const database = 'clip-kit';
const storeName = 'files';

const waitForRequest = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error as Error);
  });

/** Runs a request in the store; null if the browser has none, as in some private windows. */
async function withStore<T>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | null> {
  try {
    const opening = indexedDB.open(database, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(storeName);
    const db = await waitForRequest(opening);
    try {
      return await waitForRequest(ask(db.transaction(storeName, mode).objectStore(storeName)));
    } finally {
      db.close();
    }
  } catch {
    return null;
  }
}

export async function storeFiles(jobId: string, { handle, file, subtitles }: StoredFiles) {
  const kept: StoredFiles = {
    handle,
    file: !handle && file && file.size <= maxStoredBytes ? file : undefined,
    subtitles,
  };
  await withStore('readwrite', (store) => store.put(kept, jobId));
}

export const readFiles = (jobId: string): Promise<StoredFiles | null> =>
  withStore<StoredFiles>('readonly', (store) => store.get(jobId)).then((kept) => kept ?? null);

export const deleteFiles = (jobId: string): Promise<unknown> =>
  withStore('readwrite', (store) => store.delete(jobId));

/** The permission methods, which some type declarations of a handle lack. */
interface WithPermission extends FileSystemFileHandle {
  queryPermission?(options: { mode: 'read' }): Promise<PermissionState>;
  requestPermission?(options: { mode: 'read' }): Promise<PermissionState>;
}

/**
 * The file of a handle; null if the browser would have to ask the person first. `asks`: it may,
 * which only works right after a click.
 */
export async function openFile(handle: FileSystemFileHandle, asks: boolean): Promise<File | null> {
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
