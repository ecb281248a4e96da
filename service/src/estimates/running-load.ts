/** A running job that is counted. */
export interface Counted {
  /**
   * Ends it, once. Says how long it took, and how many ran at the time, itself included: the mean.
   */
  end(): { seconds: number; concurrency: number };
  /** Does not count it while it waits for another machine. */
  elsewhere<T>(wait: () => Promise<T>): Promise<T>;
}

/** Counts what runs at the same time, over time. */
export class RunningLoad {
  readonly #clock: () => number;
  #running = 0;
  /** Job seconds until `#at`. */
  #passed = 0;
  #at: number;

  /** @param clock seconds, never backwards */
  constructor(clock: () => number) {
    this.#clock = clock;
    this.#at = clock();
  }

  #pass(change: 1 | -1): number {
    const now = this.#clock();
    this.#passed += (now - this.#at) * this.#running;
    this.#running += change;
    return (this.#at = now);
  }

  /** Begins to count a job. */
  begin(): Counted {
    const began = this.#pass(1);
    const before = this.#passed;
    let ended: { seconds: number; concurrency: number } | null = null;
    return {
      end: () => {
        if (ended) return ended;
        const running = this.#running;
        const seconds = this.#pass(-1) - began;
        const concurrency = seconds > 0 ? (this.#passed - before) / seconds : running;
        return (ended = { seconds, concurrency });
      },
      elsewhere: async (wait) => {
        this.#pass(-1);
        try {
          return await wait();
        } finally {
          this.#pass(1);
        }
      },
    };
  }
}
