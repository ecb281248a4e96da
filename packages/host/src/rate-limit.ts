import { HostProblem } from './http/host-problem.ts';

/** `paid`: a new export or task. `request`: every request, including those. */
export type RateKind = 'request' | 'paid';

/** Far more than a person needs, but too little for a script to use up a plan in a minute. */
const rates = {
  request: { burst: 600, perMinute: 600 },
  paid: { burst: 100, perMinute: 30 },
} as const;

interface Bucket {
  left: number;
  at: number;
}

/** Minimum number of buckets before full ones are removed. */
const minSweptBuckets = 10_000;

/** Counts what users do, in this process's memory. */
export class RateLimit {
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();
  #sweepAt = minSweptBuckets;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Uses one allowed request. Returns the milliseconds to wait if none is left, otherwise 0. */
  take(who: string, kind: RateKind): number {
    const time = this.#now();
    if (this.#buckets.size >= this.#sweepAt) this.#sweep(time);
    const key = `${kind} ${who}`;
    const { burst, perMinute } = rates[kind];
    const left = this.#left(this.#buckets.get(key) ?? { left: burst, at: time }, kind, time);
    if (left < 1) return Math.ceil(((1 - left) * 60_000) / perMinute);
    this.#buckets.set(key, { left: left - 1, at: time });
    return 0;
  }

  /** Uses one allowed request. Throws 429 if none is left. */
  spend(who: string, kind: RateKind): void {
    const waitMs = this.take(who, kind);
    if (waitMs === 0) return;
    throw new HostProblem('rate-limited', {
      detail: 'Too many requests at once. Wait a moment, then try again.',
      headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
    });
  }

  #left({ left, at }: Bucket, kind: RateKind, time: number): number {
    const { burst, perMinute } = rates[kind];
    return Math.min(burst, left + (Math.max(0, time - at) * perMinute) / 60_000);
  }

  #sweep(time: number): void {
    for (const [key, bucket] of this.#buckets) {
      const kind = key.startsWith('paid ') ? 'paid' : 'request';
      if (this.#left(bucket, kind, time) >= rates[kind].burst) this.#buckets.delete(key);
    }
    this.#sweepAt = Math.max(minSweptBuckets, this.#buckets.size * 2);
  }
}
