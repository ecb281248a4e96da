const real = {
  now: Date.now,
  ticks: performance.now,
  random: Math.random,
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  timeout: AbortSignal.timeout,
};

interface Timer {
  readonly due: number;
  readonly work: () => void;
}

/** Resolves when everything that can continue has continued: promises, streams, locks. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/**
 * The time of a test: `Date.now`, `performance.now`, `setTimeout` and `AbortSignal.timeout` use it,
 * and it passes only when the test says so. As in a computer there are two clocks: timers and
 * `performance.now` stop while it sleeps, the date does not. Random numbers are the same in every
 * run.
 */
export class VirtualClock {
  #time = Date.parse('2030-01-01T00:00:00Z');
  #wrong = 0;
  #ticks = 0;
  #last = 0;
  #seed = 1;
  readonly #timers = new Map<number, Timer>();

  install(): void {
    Date.now = () => this.#time + this.#wrong;
    performance.now = () => this.#ticks;
    Math.random = () => this.random();
    globalThis.setTimeout = ((work: () => void, ms = 0) => {
      this.#timers.set(++this.#last, { due: this.#ticks + Math.max(0, ms), work });
      return this.#last;
    }) as unknown as typeof setTimeout;
    globalThis.clearTimeout = ((id?: number) => {
      if (id !== undefined) this.#timers.delete(id);
    }) as typeof clearTimeout;
    AbortSignal.timeout = (ms) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(new DOMException('Time is up.', 'TimeoutError')), ms);
      return controller.signal;
    };
  }

  uninstall(): void {
    Date.now = real.now;
    performance.now = real.ticks;
    Math.random = real.random;
    globalThis.setTimeout = real.setTimeout;
    globalThis.clearTimeout = real.clearTimeout;
    AbortSignal.timeout = real.timeout;
  }

  /** The time of other clocks, in milliseconds since 1970. */
  get time(): number {
    return this.#time;
  }

  /** 0 to 1. */
  random(): number {
    this.#seed = (this.#seed * 16_807) % 2_147_483_647;
    return this.#seed / 2_147_483_647;
  }

  /** Advances the time, in milliseconds; every timer runs at its own moment. */
  async pass(ms: number): Promise<void> {
    const end = this.#ticks + ms;
    await settled();
    for (;;) {
      let next: [number, Timer] | null = null;
      for (const entry of this.#timers) if (!next || entry[1].due < next[1].due) next = entry;
      if (!next || next[1].due > end) break;
      this.#timers.delete(next[0]);
      this.#move(next[1].due - this.#ticks);
      next[1].work();
      await settled();
    }
    this.#move(end - this.#ticks);
  }

  /** Advances the time in steps until a condition holds. Throws if it does not within `maxMs`. */
  async passUntil(holds: () => boolean, maxMs: number): Promise<void> {
    const end = this.#ticks + maxMs;
    await settled();
    while (!holds()) {
      if (this.#ticks >= end)
        throw new Error(`The condition did not hold within ${maxMs / 1000} s.`);
      const dues = [...this.#timers.values()].map(({ due }) => due);
      await this.pass(Math.min(end, ...dues) - this.#ticks);
    }
  }

  /** The computer sleeps: the date continues, the timers stop. */
  sleep(ms: number): void {
    this.#time += ms;
  }

  /** Sets the date of this computer to another one, which is wrong by this much from now on. */
  setWrong(ms: number): void {
    this.#wrong = ms;
  }

  #move(ms: number): void {
    this.#ticks += ms;
    this.#time += ms;
  }
}
