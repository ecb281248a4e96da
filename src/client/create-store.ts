import type { TaskType } from '../contract/task.ts';
import type { CreateBody } from '../flow/create-request.ts';
import { forgetText, readText, removeText, storedNames, writeText } from './page-storage.ts';

/** A file as it is known again: what a page may read of it without its bytes. */
export interface FileMark {
  readonly name: string;
  readonly size: number;
  readonly modified: number;
}

/** A task that somebody wants, from the click until it has started. Times: ms since 1970. */
export interface CreateJob {
  readonly id: string;
  readonly endpoint: string;
  /** The tag of the account that wants it; empty before it is named, and if the host sends none. */
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
  /** How often the file was sent again, because what had arrived of it was gone. */
  readonly resent?: number;
  /** Id of an upload that another has replaced; it is removed before that begins. */
  readonly replacedUploadId?: string | null;
  /** Address of the video; null until the whole file has arrived. */
  readonly sourceUrl: string | null;
  /** The same of a file of subtitles; undefined if there is none. */
  readonly subtitlesUrl?: string | null;
  /** When the start was sent and its answer has not come; null otherwise. */
  readonly startSentAt: number | null;
  /** How often a person has started it anew after a start whose outcome stayed unknown. */
  readonly tries?: number;
  /** The try of which a person has decided that it may be started anew. */
  readonly unresolvedTry?: number;
  /** Somebody has paused it. */
  readonly isPaused: boolean;
}

const prefix = 'clip-kit:create:';

/** What nobody has continued for a week is forgotten. */
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

/** What is called in this page when a job has ended: only other pages get an event for it. */
const listeners = new Set<(ended: string) => void>();

export function dropJob(id: string): void {
  removeText(prefix + id);
  for (const listener of [...listeners]) listener(id);
}

/** The jobs at an endpoint, oldest first: those of an account, or all. */
export function jobsOf(endpoint: string, account?: string): CreateJob[] {
  const jobs: CreateJob[] = [];
  for (const name of storedNames(prefix)) {
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
