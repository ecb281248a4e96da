/** Milliseconds for which estimates are given again: no longer than anyone could see them move. */
const good = 500;

/**
 * The estimates for everyone who asks at about the same time: the whole queue is read and played forward for the first of them. Read
 * anew when a change has been announced, and after half a second in any case.
 */
export class KeptEstimates {
  readonly #read: () => Promise<Map<string, Date>>;
  readonly #changes: { readonly announced: number };
  readonly #clock: () => number;
  #kept: { at: number; announced: number; estimates: Promise<Map<string, Date>> } | null = null;

  /** @param clock milliseconds, never backwards */
  constructor(
    read: () => Promise<Map<string, Date>>,
    changes: { readonly announced: number },
    clock: () => number = () => performance.now(),
  ) {
    this.#read = read;
    this.#changes = changes;
    this.#clock = clock;
  }

  /** By id, as `readEstimates`. */
  current(): Promise<ReadonlyMap<string, Date>> {
    const { announced } = this.#changes;
    const at = this.#clock();
    if (this.#kept && this.#kept.announced === announced && at - this.#kept.at < good) {
      return this.#kept.estimates;
    }
    const estimates = this.#read();
    const kept = { at, announced, estimates };
    this.#kept = kept;
    // What could not be read is asked for again.
    estimates.catch(() => {
      if (this.#kept === kept) this.#kept = null;
    });
    return estimates;
  }
}
