import type { Holds } from '../holds.ts';

/** Pause between two reads of something that somebody waits for. */
const lookMs = 1000;

/** Resolves after `ms` milliseconds, or when the signal is aborted. */
const pause = (ms: number, signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve(null);
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });

interface Reading<T> {
  /** Reads what has this name for the user. */
  readonly read: (managedUser: string, name: string) => Promise<T>;
  /** What a page shows of it: a change ends a hold. */
  readonly stateOf: (value: T) => string;
  /** Whether it changes by itself. */
  readonly isMoving: (value: T) => boolean;
}

/** Holds requests until something changes. Requests for the same thing share each read. */
export class HeldReads<T> {
  readonly #reading: Reading<T>;
  readonly #holds: Holds;
  /** Aborted when the host closes. */
  readonly #closing: AbortSignal;
  /** The next read, by user and name. */
  readonly #next = new Map<string, Promise<T | null>>();
  /** Who holds a request, by the name. */
  readonly #listeners = new Map<string, Set<(value: T) => void>>();

  constructor(reading: Reading<T>, holds: Holds, closing: AbortSignal) {
    this.#reading = reading;
    this.#holds = holds;
    this.#closing = closing;
  }

  /** Ends the holds that wait for what has this name: the service has reported a change. */
  notify(name: string, value: T): void {
    for (const listener of this.#listeners.get(name) ?? []) listener(value);
  }

  /**
   * The value: at once if it is settled or `waitMs` is 0, otherwise when its state is no longer
   * `known` (by default the present one) or the time is over. A failed read during the hold is
   * tried again. `held` is false if there are too many requests or the host is closing.
   */
  async watch(
    managedUser: string,
    name: string,
    waitMs: number,
    known: string | null,
    request: Pick<Request, 'signal'>,
  ): Promise<{ value: T; held: boolean }> {
    const { read, stateOf, isMoving } = this.#reading;
    let value = await read(managedUser, name);
    const closing = this.#closing;
    const mayHold = waitMs > 0 && isMoving(value) && !closing.aborted;
    const release = mayHold ? this.#holds.take(managedUser) : null;
    if (!release) return { value, held: false };
    const done = new AbortController();
    const ends = AbortSignal.any([request.signal, closing, done.signal]);
    let isOver = false;
    const over = pause(waitMs, ends).then(() => {
      isOver = true;
      return null;
    });
    let notified: T | null = null;
    const listener = (changed: T): void => {
      notified = changed;
      done.abort();
    };
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    try {
      const before = known ?? stateOf(value);
      while (!isOver && stateOf(value) === before) {
        value = (await Promise.race([this.#look(managedUser, name), over])) ?? value;
      }
      return { value: notified ?? value, held: !closing.aborted };
    } finally {
      listeners.delete(listener);
      if (!listeners.size) this.#listeners.delete(name);
      done.abort();
      release();
    }
  }

  /** The next read, shared by all who wait for it; null if it fails. */
  #look(managedUser: string, name: string): Promise<T | null> {
    const key = JSON.stringify([managedUser, name]);
    const closing = this.#closing;
    let look = this.#next.get(key);
    if (!look) {
      look = pause(lookMs, closing)
        .then(() => (closing.aborted ? null : this.#reading.read(managedUser, name)))
        .catch(() => null)
        .finally(() => this.#next.delete(key));
      this.#next.set(key, look);
    }
    return look;
  }
}
