/** Shortest time that estimates are given again: nobody sees them move faster. */
const minAgeMs = 500;
/** A long queue is read less often: at most this share of the time goes into reading it. */
const maxShare = 0.1;

/** The estimates for all who ask at about the same time: the queue is read once for them. */
export class KeptEstimates {
  readonly #read: () => Promise<ReadonlyMap<string, Date>>;
  readonly #clock: () => number;
  #kept: { until: number; estimates: Promise<ReadonlyMap<string, Date>> } | null = null;

  /** @param clock milliseconds, never backwards */
  constructor(
    read: () => Promise<ReadonlyMap<string, Date>>,
    clock: () => number = () => performance.now(),
  ) {
    this.#read = read;
    this.#clock = clock;
  }

  /** By id, as `readEstimates`. */
  current(): Promise<ReadonlyMap<string, Date>> {
    const began = this.#clock();
    if (this.#kept && began < this.#kept.until) return this.#kept.estimates;
    const estimates = this.#read();
    const kept = { until: Infinity, estimates };
    this.#kept = kept;
    estimates.then(
      () => {
        const tookMs = this.#clock() - began;
        kept.until = began + Math.max(minAgeMs, tookMs / maxShare);
      },
      // A failed read is tried again by the next one who asks.
      () => {
        if (this.#kept === kept) this.#kept = null;
      },
    );
    return estimates;
  }
}
