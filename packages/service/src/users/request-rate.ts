/** Minimum number of counted names before those that have all of their requests are removed. */
const minSwept = 10_000;

/** Requests a minute by name, in this process: as many at once, then evenly. */
export class RequestRate {
  readonly #perMinute: number;
  readonly #now: () => number;
  readonly #buckets = new Map<string, { left: number; at: number }>();
  #sweepAt = minSwept;

  /** @param now milliseconds, never backwards */
  constructor(perMinute: number, now: () => number = () => performance.now()) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /** Takes one. Gives the seconds to wait if none is left, otherwise 0. */
  take(name: string): number {
    const at = this.#now();
    const known = this.#buckets.get(name);
    const left = known ? this.#filled(known, at) : this.#perMinute;
    if (left < 1) return ((1 - left) * 60) / this.#perMinute;
    this.#buckets.set(name, { left: left - 1, at });
    if (this.#buckets.size >= this.#sweepAt) this.#sweep(at);
    return 0;
  }

  #filled({ left, at }: { left: number; at: number }, now: number): number {
    return Math.min(this.#perMinute, left + ((now - at) * this.#perMinute) / 60_000);
  }

  #sweep(now: number): void {
    for (const [name, bucket] of this.#buckets) {
      if (this.#filled(bucket, now) >= this.#perMinute) this.#buckets.delete(name);
    }
    this.#sweepAt = Math.max(minSwept, this.#buckets.size * 2);
  }
}
