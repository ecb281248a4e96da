/** What a host remembers of one attempt to start an export. */
export interface Attempt {
  /** The `Idempotency-Key`, unique per host user. */
  readonly key: string;
  readonly hostUser: string;
  /** The request as sent, in one canonical spelling: the same key with another request is refused. */
  readonly request: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** `open` until an answer is known; `unknown` after a start whose outcome nobody knows; `settled` with its export. */
  readonly state: 'open' | 'unknown' | 'settled';
  readonly exportId: string | null;
}

/**
 * Where a host keeps what must outlive a request. Every method is atomic, also among processes that share the store, and
 * rejects when the store cannot be reached. Ids are any strings: none is equal to another, however it is spelt.
 */
export interface HostStore {
  /** The managed user of a host user, or null. */
  managedUser(hostUser: string): Promise<string | null>;
  /** Keeps the managed user unless there is one already; gives the one that is kept. */
  keepManagedUser(hostUser: string, managedUser: string): Promise<string>;
  /**
   * Claims the making of a managed user: true for one caller alone. False where a user is kept, and where another claim is
   * less than `lease` milliseconds away from `since` (milliseconds since 1970), to either side: the claim of a process that
   * has ended, or whose clock is wrong, does not hold for ever. A claim ends with {@link keepManagedUser} too.
   */
  claimMaking(hostUser: string, since: number, lease: number): Promise<boolean>;
  /** Gives up the claim that was made at `since`, if it still holds. */
  releaseMaking(hostUser: string, since: number): Promise<void>;
  /** Drops the managed user if it is still this one. */
  dropManagedUser(hostUser: string, managedUser: string): Promise<void>;
  /** Writes the attempt unless its key is known for the user; gives the known one, or null when this one was written. */
  claimAttempt(attempt: Attempt): Promise<Attempt | null>;
  /**
   * Replaces the attempt with the same user and key, if it still has the state and the start time of `from`; tells
   * whether it did. The time matters: of two requests that take up the same abandoned attempt, one may start it anew.
   */
  moveAttempt(from: Pick<Attempt, 'state' | 'startedAt'>, to: Attempt): Promise<boolean>;
  /** Drops an attempt whose start was refused: nothing was started, and the key may be used again. */
  dropAttempt(hostUser: string, key: string): Promise<void>;
  attempt(hostUser: string, key: string): Promise<Attempt | null>;
  /** Those of the ids that are some attempt's export. */
  attributed(exportIds: readonly string[]): Promise<ReadonlySet<string>>;
}
