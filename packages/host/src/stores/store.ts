import { attemptLifetime } from 'clip-kit/contract';

/** The stored facts of one attempt to start an export. */
export interface Attempt {
  /** The `Idempotency-Key`, unique per host user. */
  readonly key: string;
  readonly hostUser: string;
  /** The request as one canonical string. The same key with another request is refused. */
  readonly request: string;
  /** When the start was last sent to the service, in milliseconds since 1970. */
  readonly startedAt: number;
  /**
   * `open` until an answer is known; `unknown` after a start with an unknown outcome; `settled`
   * when its export is known.
   */
  readonly state: 'open' | 'unknown' | 'settled';
  /** The id of the export or task that was started; null if not known. */
  readonly exportId: string | null;
}

/** The version of an attempt that a change expects. */
export type AttemptVersion = Pick<Attempt, 'hostUser' | 'key' | 'state' | 'startedAt'>;

/** A task that a user has started, for services that list no tasks. */
export interface StartedTask {
  readonly hostUser: string;
  readonly id: string;
  /** The name in the request. */
  readonly name: string;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
}

/** Where a page of tasks ends. */
export type TaskPlace = Pick<StartedTask, 'id' | 'startedAt'>;

/**
 * Where a host keeps what must outlive a request. Every method is atomic, also across processes
 * that share the store, and rejects if the store cannot be reached. Ids are arbitrary strings: two
 * different strings are never the same id.
 */
export interface HostStore {
  /** The managed user of a host user, or null. */
  managedUser(hostUser: string): Promise<string | null>;
  /** Stores the managed user unless there is one already; returns the one that is stored. */
  keepManagedUser(hostUser: string, managedUser: string): Promise<string>;
  /**
   * Claims the creation of a managed user: true for only one caller. False if a user is stored, or
   * if another claim is less than `lease` milliseconds before or after `since` (milliseconds since
   * 1970). The claim of a process that has ended, or that has a wrong clock, therefore does not
   * hold forever. {@link keepManagedUser} also ends a claim.
   */
  claimCreation(hostUser: string, since: number, lease: number): Promise<boolean>;
  /** Gives up the claim that was made at `since`, if it still holds. */
  releaseCreation(hostUser: string, since: number): Promise<void>;
  /**
   * Replaces the managed user `from` with `to` if it is still `from`. Returns the one that is
   * stored then.
   */
  replaceManagedUser(hostUser: string, from: string, to: string): Promise<string>;
  /**
   * Writes the attempt unless its key is known for the user. Returns the known attempt, or null if
   * this one was written.
   */
  claimAttempt(attempt: Attempt): Promise<Attempt | null>;
  /**
   * Replaces the attempt with the same user and key if it still has the state and the start time of
   * `from`; returns whether it did. The time matters: if two requests resume the same abandoned
   * attempt, only one may start it again.
   */
  moveAttempt(from: AttemptVersion, to: Attempt): Promise<boolean>;
  /**
   * Drops an attempt that was refused, if it still has this state and start time: nothing was
   * started, and the key may be used again. The attempt of a process that has settled it meanwhile
   * stays.
   */
  dropAttempt(attempt: AttemptVersion): Promise<void>;
  attempt(hostUser: string, key: string): Promise<Attempt | null>;
  /** The attempts of the user that were started at `sinceMs` (milliseconds since 1970) or later. */
  attemptsSince(hostUser: string, sinceMs: number): Promise<readonly Attempt[]>;
  /** Stores the task for a year, unless it is stored already. */
  keepTask(task: StartedTask): Promise<void>;
  /** The user's tasks after `after` (null: from the first one), newest first, at most `limit`. */
  startedTasks(
    hostUser: string,
    limit: number,
    after: TaskPlace | null,
  ): Promise<readonly StartedTask[]>;
  /** Forgets the task; returns whether it was stored for the user. */
  dropTask(hostUser: string, taskId: string): Promise<boolean>;
}

/**
 * The age at which a store may drop an attempt. One hour more than the contract promises, because
 * the process that checks may have a faster clock than the one that wrote the attempt.
 */
export const attemptKeptMs = attemptLifetime + 3_600_000;

/** The age at which a store may forget a task: longer than services keep videos. */
export const taskKeptMs = 366 * 24 * 60 * 60 * 1000;

/** Newest first; of the same moment, by id. */
export const comparePlaces = (a: TaskPlace, b: TaskPlace): number =>
  b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1);

/** Whether a task comes after this place; always for none. */
export const isAfter = (task: TaskPlace, place: TaskPlace | null): boolean =>
  place === null || comparePlaces(task, place) > 0;

/** The error of a store whose server failed. Some drivers' errors contain only a code. */
export function storeFailure(server: string, cause: unknown): Error {
  const { message, code } = cause instanceof Error ? (cause as Error & { code?: unknown }) : {};
  const reason = message || (typeof code === 'string' ? code : 'no reason given');
  return new Error(`the ${server} store failed: ${reason}`, { cause });
}

/**
 * Maximum length of an id that is stored as it is, in UTF-16 units. Two of them fit into an index
 * of every database.
 */
const maxIdLength = 250;

/**
 * An id in a form that a database can store; almost always unchanged. An id with NUL or a lone
 * surrogate becomes its JSON, because UTF-8 columns cannot hold or distinguish it. A long id
 * becomes `#` and its SHA-256 in hex. Different ids stay different.
 */
export async function encodeId(id: string): Promise<string> {
  const json = JSON.stringify(id);
  const spelt = /^["#]|\0|\p{Cs}/u.test(id) ? json : id;
  if (spelt.length <= maxIdLength) return spelt;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(json));
  const bytes = [...new Uint8Array(digest)];
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
