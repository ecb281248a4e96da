/** About as many as a user has open tabs. */
const maxPerUser = 10;

/** For all users of this process together. */
const maxHeld = 20_000;

/**
 * The requests that are held at the moment, whatever they wait for. One over the limit is answered
 * at once.
 */
export class Holds {
  readonly #held = new Map<string, number>();
  #heldTotal = 0;

  /** Counts a held request of the user; returns what ends it, or null if there are too many. */
  take(managedUser: string): (() => void) | null {
    if (this.#heldTotal >= maxHeld || (this.#held.get(managedUser) ?? 0) >= maxPerUser) {
      return null;
    }
    this.#count(managedUser, 1);
    return () => this.#count(managedUser, -1);
  }

  #count(managedUser: string, change: 1 | -1): void {
    this.#heldTotal += change;
    const held = (this.#held.get(managedUser) ?? 0) + change;
    if (held) this.#held.set(managedUser, held);
    else this.#held.delete(managedUser);
  }
}

/** A held request. */
interface Waiter<Ask, T> {
  readonly ask: Ask;
  /** A state other than this one ends the hold. */
  readonly before: string;
  /** The last that was read. */
  value: T;
  /** Answers with the value. */
  end(): void;
}

/** The held requests that share each read. */
interface Group<Ask, T> {
  readonly user: string;
  readonly waiting: Set<Waiter<Ask, T>>;
  /** The next read, and when it is due. */
  timer: ReturnType<typeof setTimeout> | null;
  due: number;
  failures: number;
}

/**
 * Holds requests until what they ask for changes. The requests of a group share each read; reading
 * stops when the last of them ends.
 */
export abstract class LongPoll<Ask, T> {
  readonly #holds: Holds;
  /** Aborted when the host closes. */
  readonly #closing: AbortSignal;
  readonly #groups = new Map<string, Group<Ask, T>>();

  constructor(holds: Holds, closing: AbortSignal) {
    this.#holds = holds;
    this.#closing = closing;
    closing.addEventListener('abort', () => {
      for (const { waiting } of this.#groups.values()) for (const waiter of waiting) waiter.end();
    });
  }

  /** The name of the group of a request. */
  protected abstract groupOf(user: string, ask: Ask): string;
  /** The present value. One that others wait for will do if the request is to be held. */
  protected abstract read(user: string, ask: Ask, isHeld: boolean): Promise<T>;
  /** Reads for all requests of a group; returns what finds the value of each. */
  protected abstract poll(user: string, asks: readonly Ask[]): Promise<(ask: Ask) => T>;
  /** Returns the part of the value that a page shows. */
  protected abstract stateOf(value: T): string;
  /** Whether the value still changes without a call. */
  protected abstract isMoving(value: T): boolean;
  /** Returns the time to wait before the next read, in milliseconds. */
  protected abstract delayOf(values: readonly T[], failures: number): number;

  /**
   * The value: at once if it is settled or `waitMs` is 0, otherwise when its state is no longer
   * `known` (by default the present one) or the time is over. A failed read during the hold is
   * tried again. `mayHold` is false if there are too many requests or the host is closing.
   */
  protected async hold(
    user: string,
    ask: Ask,
    waitMs: number,
    known: string | null,
    request: Pick<Request, 'signal'>,
  ): Promise<{ value: T; wasMoving: boolean; mayHold: boolean }> {
    const release = waitMs > 0 && !this.#closing.aborted ? this.#holds.take(user) : null;
    try {
      let value = await this.read(user, ask, release !== null);
      const wasMoving = this.isMoving(value);
      const state = this.stateOf(value);
      if (release && wasMoving && state === (known ?? state)) {
        // Read the signal as late as possible: on servers that create it on first access, that
        // costs more than the rest of the answer.
        value = await this.#wait(user, { ask, before: state, value }, waitMs, request.signal);
      }
      return { value, wasMoving, mayHold: release !== null && !this.#closing.aborted };
    } finally {
      release?.();
    }
  }

  /** The values of the held requests of a group. */
  protected waitedFor(group: string): T[] {
    return [...(this.#groups.get(group)?.waiting ?? [])].map(({ value }) => value);
  }

  /** Ends the holds for which `change` returns a new value, in all groups or in this one. */
  protected change(change: (value: T, ask: Ask) => T | null, group?: string): void {
    const groups = group === undefined ? this.#groups.values() : [this.#groups.get(group)];
    for (const waiter of [...groups].flatMap((one) => [...(one?.waiting ?? [])])) {
      const value = change(waiter.value, waiter.ask);
      if (value === null) continue;
      waiter.value = value;
      waiter.end();
    }
  }

  /**
   * Resolves with the last value when it changes, the time is over, or no request waits any longer.
   */
  #wait(
    user: string,
    start: Omit<Waiter<Ask, T>, 'end'>,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<T> {
    const name = this.groupOf(user, start.ask);
    const fresh = { user, waiting: new Set<never>(), timer: null, due: 0, failures: 0 };
    const group: Group<Ask, T> = this.#groups.get(name) ?? fresh;
    this.#groups.set(name, group);
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(over);
        signal.removeEventListener('abort', end);
        group.waiting.delete(waiter);
        if (!group.waiting.size) {
          clearTimeout(group.timer ?? undefined);
          this.#groups.delete(name);
        }
        resolve(waiter.value);
      };
      const waiter: Waiter<Ask, T> = { ...start, end };
      const over = setTimeout(end, waitMs);
      signal.addEventListener('abort', end);
      group.waiting.add(waiter);
      if (signal.aborted || this.#closing.aborted) end();
      else this.#schedule(group, [waiter]);
    });
  }

  /** Schedules the next read for these requests, unless an earlier one is already scheduled. */
  #schedule(group: Group<Ask, T>, waiting: readonly Waiter<Ask, T>[]): void {
    const delay = this.delayOf(
      waiting.map(({ value }) => value),
      group.failures,
    );
    const due = Date.now() + delay;
    if (group.timer !== null && group.due <= due) return;
    clearTimeout(group.timer ?? undefined);
    group.due = due;
    group.timer = setTimeout(() => void this.#look(group), delay);
  }

  async #look(group: Group<Ask, T>): Promise<void> {
    group.timer = null;
    const asking = [...group.waiting];
    try {
      const find = await this.poll(
        group.user,
        asking.map(({ ask }) => ask),
      );
      group.failures = 0;
      for (const waiter of asking.filter((one) => group.waiting.has(one))) {
        waiter.value = find(waiter.ask);
        if (this.stateOf(waiter.value) !== waiter.before) waiter.end();
      }
    } catch {
      group.failures += 1;
    }
    if (group.waiting.size) this.#schedule(group, [...group.waiting]);
  }
}

/** The pause between two reads of a watched object. */
const lookMs = 1000;

interface Reading<T> {
  /** Reads what has this name for the user. */
  readonly read: (managedUser: string, name: string) => Promise<T>;
  /** Returns the part of the value that a page shows: a change answers the waiting requests. */
  readonly stateOf: (value: T) => string;
  /** Whether it still changes without a call. */
  readonly isMoving: (value: T) => boolean;
}

/** Holds requests until something changes. Requests for the same thing share each read. */
export class HeldReads<T> extends LongPoll<string, T> {
  readonly #reading: Reading<T>;

  constructor(reading: Reading<T>, holds: Holds, closing: AbortSignal) {
    super(holds, closing);
    this.#reading = reading;
  }

  /** Ends the holds that wait for what has this name: the service has reported a change. */
  notify(name: string, value: T): void {
    this.change((_, asked) => (asked === name ? value : null));
  }

  /**
   * Returns the value of this name; `held` is false where nothing moves. See {@link LongPoll.hold}.
   */
  async watch(
    ...asked: Parameters<LongPoll<string, T>['hold']>
  ): Promise<{ value: T; held: boolean }> {
    const { value, wasMoving, mayHold } = await this.hold(...asked);
    return { value, held: wasMoving && mayHold };
  }

  protected groupOf = (managedUser: string, name: string) => JSON.stringify([managedUser, name]);
  protected read = (managedUser: string, name: string) => this.#reading.read(managedUser, name);
  protected stateOf = (value: T) => this.#reading.stateOf(value);
  protected isMoving = (value: T) => this.#reading.isMoving(value);
  protected delayOf = () => lookMs;

  protected async poll(managedUser: string, [name]: readonly string[]): Promise<() => T> {
    const value = await this.#reading.read(managedUser, name!);
    return () => value;
  }
}
