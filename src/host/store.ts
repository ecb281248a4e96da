/** What a host stores about one attempt to start an export. */
export interface Attempt {
  /** The `Idempotency-Key`, unique per host user. */
  readonly key: string;
  readonly hostUser: string;
  /** The request as one canonical string. The same key with another request is refused. */
  readonly request: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /**
   * `open` until an answer is known; `unknown` after a start with an unknown outcome; `settled`
   * when its export is known.
   */
  readonly state: 'open' | 'unknown' | 'settled';
  readonly exportId: string | null;
}

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
  claimMaking(hostUser: string, since: number, lease: number): Promise<boolean>;
  /** Gives up the claim that was made at `since`, if it still holds. */
  releaseMaking(hostUser: string, since: number): Promise<void>;
  /** Drops the managed user if it is still this one. */
  dropManagedUser(hostUser: string, managedUser: string): Promise<void>;
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
  moveAttempt(from: Pick<Attempt, 'state' | 'startedAt'>, to: Attempt): Promise<boolean>;
  /** Drops an attempt that was refused: nothing was started, and the key may be used again. */
  dropAttempt(hostUser: string, key: string): Promise<void>;
  attempt(hostUser: string, key: string): Promise<Attempt | null>;
  /** The ids among these that belong to any attempt. */
  attributed(exportIds: readonly string[]): Promise<ReadonlySet<string>>;
}
