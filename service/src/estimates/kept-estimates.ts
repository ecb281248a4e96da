/** Longest time that estimates are given again: nobody sees them move faster. */
const maxAgeMs = 500;

/**
 * The estimates for all who ask at about the same time: the queue is read once for them. It is read
 * again after a change was heard of, or after half a second.
 */
export class KeptEstimates {
  readonly #read: () => Promise<ReadonlyMap<string, Date>>;
  readonly #changes: { readonly heard: number };
  readonly #clock: () => number;
  #kept: { at: number; heard: number; estimates: Promise<ReadonlyMap<string, Date>> } | null = null;

  /** @param clock milliseconds, never backwards */
  constructor(
    read: () => Promise<ReadonlyMap<string, Date>>,
    changes: { readonly heard: number },
    clock: () => number = () => performance.now(),
  ) {
    this.#read = read;
    this.#changes = changes;
    this.#clock = clock;
  }

  /** By id, as `readEstimates`. */
  current(): Promise<ReadonlyMap<string, Date>> {
    const { heard } = this.#changes;
    const at = this.#clock();
    if (this.#kept && this.#kept.heard === heard && at - this.#kept.at < maxAgeMs) {
      return this.#kept.estimates;
    }
    const estimates = this.#read();
    const kept = { at, heard, estimates };
    this.#kept = kept;
    // A failed read is tried again by the next one who asks.
    estimates.catch(() => {
      if (this.#kept === kept) this.#kept = null;
    });
    return estimates;
  }
}
