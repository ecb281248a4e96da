import { type HostStore, keptMs, type RecordName, type StoredRecord } from './store.ts';

/** The stored facts of one attempt to start an export. */
export interface PaidStart {
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

/** More than a store has of one user. */
const noLimit = 2 ** 31 - 1;

/** Decides what a record becomes; undefined: it stays as it is. */
type Change = (stored: StoredRecord | null) => StoredRecord | null | undefined;

/**
 * The memory of a host: managed users, attempts and started tasks. Each change is one step, also
 * across processes that share the store.
 */
export class HostRecords {
  readonly #store: HostStore;
  readonly #now: () => number;

  constructor(store: HostStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** The managed user of a host user, or null. */
  async managedUser(hostUser: string): Promise<string | null> {
    return (await this.#store.read(makeName('user', hostUser)))?.value || null;
  }

  /** Stores the managed user unless there is one already; returns the one that is stored. */
  async keepManagedUser(hostUser: string, managedUser: string): Promise<string> {
    const change: Change = (known) => (known?.value ? undefined : makeUser(managedUser));
    return (await this.#change(makeName('user', hostUser), change)).stored!.value;
  }

  /**
   * Claims the creation of a managed user: true for only one caller. False if a user is stored, or
   * if another claim is less than `lease` milliseconds before or after `since` (milliseconds since
   * 1970). The claim of a process that has ended, or that has a wrong clock, therefore does not
   * hold forever. {@link keepManagedUser} also ends a claim.
   */
  async claimCreation(hostUser: string, since: number, lease: number): Promise<boolean> {
    const { changed } = await this.#change(makeName('user', hostUser), (known) =>
      known && (known.value || Math.abs(known.at - since) < lease) ? undefined : makeClaim(since),
    );
    return changed;
  }

  /** Gives up the claim that was made at `since`, if it still holds. */
  async releaseCreation(hostUser: string, since: number): Promise<void> {
    await this.#store.replace(makeName('user', hostUser), makeClaim(since), null);
  }

  /**
   * Replaces the managed user `from` with `to` if it is still `from`. Returns the one that is
   * stored then.
   */
  async replaceManagedUser(hostUser: string, from: string, to: string): Promise<string> {
    const change: Change = (known) => ((known?.value || from) === from ? makeUser(to) : undefined);
    return (await this.#change(makeName('user', hostUser), change)).stored!.value;
  }

  /**
   * Writes the attempt unless its key is known for the user. Returns the known attempt, or null if
   * this one was written.
   */
  async claimPaidStart(attempt: PaidStart): Promise<PaidStart | null> {
    const name = makeName('attempt', attempt.hostUser, attempt.key);
    const own = writePaidStart(attempt);
    if (await this.#store.replace(name, null, own)) return null;
    const { changed, stored } = await this.#change(name, (known) =>
      this.#isKept(name, known) ? undefined : own,
    );
    return changed ? null : readPaidStart(name, stored!);
  }

  /**
   * Replaces the attempt with the same user and key if it is still `from`; returns whether it did.
   * If two requests resume the same abandoned attempt, only one may start it again.
   */
  movePaidStart(from: PaidStart, to: PaidStart): Promise<boolean> {
    const name = makeName('attempt', to.hostUser, to.key);
    return this.#store.replace(name, writePaidStart(from), writePaidStart(to));
  }

  /**
   * Drops an attempt that was refused: nothing was started, and the key may be used again. The
   * attempt of a process that has changed it meanwhile stays.
   */
  async dropPaidStart(attempt: PaidStart): Promise<void> {
    const name = makeName('attempt', attempt.hostUser, attempt.key);
    await this.#store.replace(name, writePaidStart(attempt), null);
  }

  /** The attempts of the user that were started at `sinceMs` (milliseconds since 1970) or later. */
  async listPaidStartsSince(hostUser: string, sinceMs: number): Promise<readonly PaidStart[]> {
    const since = Math.max(sinceMs, this.#now() - keptMs.attempt);
    const query = { kind: 'attempt', hostUser, since, after: null, limit: noLimit } as const;
    const found = await this.#store.list(query);
    return found.map((one) => readPaidStart({ hostUser, id: one.id }, one));
  }

  /** Stores the task for a year, unless it is stored already. */
  async keepTask({ hostUser, id, name, startedAt }: StartedTask): Promise<void> {
    // An id, as a value, may be any text: the store may have another form of it as a name.
    const value = JSON.stringify([id, name]);
    await this.#store.replace(makeName('task', hostUser, id), null, { at: startedAt, value });
  }

  /** The user's tasks after `after` (null: from the first one), newest first, at most `limit`. */
  async startedTasks(
    hostUser: string,
    limit: number,
    after: TaskPlace | null,
  ): Promise<readonly StartedTask[]> {
    const found = await this.#store.list({
      kind: 'task',
      ...{ hostUser, limit },
      since: this.#now() - keptMs.task,
      after: after && { at: after.startedAt, id: after.id },
    });
    return found.map(({ at: startedAt, value }) => {
      const [id, name] = JSON.parse(value) as [string, string];
      return { hostUser, id, name, startedAt };
    });
  }

  /** Forgets the task; returns whether it was stored for the user. */
  async dropTask(hostUser: string, taskId: string): Promise<boolean> {
    const name = makeName('task', hostUser, taskId);
    const change: Change = (known) => (this.#isKept(name, known) ? null : undefined);
    return (await this.#change(name, change)).changed;
  }

  /** Changes a record, again if another process has changed it meanwhile. */
  async #change(name: RecordName, change: Change) {
    for (;;) {
      const known = await this.#store.read(name);
      const next = change(known);
      if (next === undefined) return { changed: false, stored: known };
      if (await this.#store.replace(name, known, next)) return { changed: true, stored: next };
    }
  }

  /** Whether it is stored and not too old; a store removes old records when it likes. */
  #isKept({ kind }: RecordName, record: StoredRecord | null): record is StoredRecord {
    return record !== null && record.at >= this.#now() - keptMs[kind];
  }
}

const makeName = (kind: RecordName['kind'], hostUser: string, id = ''): RecordName => ({
  ...{ kind, hostUser, id },
});

const makeUser = (managedUser: string): StoredRecord => ({ at: 0, value: managedUser });

/** The claim of a creation is a user without an id. */
const makeClaim = (since: number): StoredRecord => ({ at: since, value: '' });

const writePaidStart = ({ request, startedAt, state, exportId }: PaidStart): StoredRecord => ({
  at: startedAt,
  value: JSON.stringify([request, state, exportId]),
});

function readPaidStart(
  { hostUser, id: key }: Pick<RecordName, 'hostUser' | 'id'>,
  { at: startedAt, value }: StoredRecord,
): PaidStart {
  const [request, state, exportId] = JSON.parse(value) as [
    string,
    PaidStart['state'],
    string | null,
  ];
  return { key, hostUser, request, startedAt, state, exportId };
}
