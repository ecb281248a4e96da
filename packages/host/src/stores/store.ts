/** What a host stores about one attempt to start an export. */
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
  /** What it started: the id of an export, or of a task. Null if not known. */
  readonly exportId: string | null;
}

/** The version of an attempt that a change expects. */
export type AttemptVersion = Pick<Attempt, 'hostUser' | 'key' | 'state' | 'startedAt'>;

/** A task that a user has started, for services that list no tasks. */
export interface StartedTask {
  readonly hostUser: string;
  readonly id: string;
  /** As in the request. */
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
