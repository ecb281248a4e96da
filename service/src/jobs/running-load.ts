/** Counts what runs at the same time, over time. */
export class RunningLoad {
  readonly #clock: () => number;
  #running = 0;
  /** Seconds times what ran in them, until `#at`. */
  #passed = 0;
  #at: number;

  /** @param clock seconds, never backwards */
  constructor(clock: () => number) {
    this.#clock = clock;
    this.#at = clock();
  }

  #pass(): number {
    const now = this.#clock();
    this.#passed += (now - this.#at) * this.#running;
    return (this.#at = now);
  }

  /** Something begins. The function given back ends it (once) and says how long it took, and how much ran beside it, itself included: the mean. */
  begin(): () => { seconds: number; beside: number } {
    const began = this.#pass();
    const before = this.#passed;
    this.#running += 1;
    let ended: { seconds: number; beside: number } | null = null;
    return () => {
      if (ended) return ended;
      const seconds = this.#pass() - began;
      this.#running -= 1;
      return (ended = {
        seconds,
        beside: seconds > 0 ? (this.#passed - before) / seconds : this.#running + 1,
      });
    };
  }
}
