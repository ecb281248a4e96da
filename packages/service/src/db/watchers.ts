/** One who waits for changes of a key. */
export interface Watcher {
  /**
   * Ends at a change (at once if there has been one since the last call), or after `ms`, or when
   * the signal is aborted.
   */
  next(ms: number, signal: AbortSignal): Promise<void>;
  /** Must be called at the end. */
  close(): void;
}

/** Who waits for what: a change wakes only those who watch its key. */
export class Watchers {
  readonly #byKey = new Map<string, Set<() => void>>();
  #size = 0;

  /** How many wait. */
  get size(): number {
    return this.#size;
  }

  /** Counts from now on: what is read after this call and before `next` is not out of date. */
  watch(key: string): Watcher {
    let changed = false;
    let wake: (() => void) | null = null;
    const notice = (): void => {
      changed = true;
      wake?.();
    };
    const own = this.#byKey.get(key) ?? new Set();
    this.#byKey.set(key, own.add(notice));
    this.#size += 1;
    return {
      next: (ms, signal) =>
        new Promise((resolve) => {
          const done = (): void => {
            clearTimeout(timer);
            signal.removeEventListener('abort', done);
            wake = null;
            changed = false;
            resolve();
          };
          const timer = setTimeout(done, ms);
          signal.addEventListener('abort', done);
          wake = done;
          if (changed || signal.aborted) done();
        }),
      close: () => {
        if (own.delete(notice)) this.#size -= 1;
        if (own.size === 0 && this.#byKey.get(key) === own) this.#byKey.delete(key);
      },
    };
  }

  wake(key: string): void {
    for (const notice of this.#byKey.get(key) ?? []) notice();
  }

  wakeAll(): void {
    for (const key of this.keys()) this.wake(key);
  }

  keys(): string[] {
    return [...this.#byKey.keys()];
  }
}
