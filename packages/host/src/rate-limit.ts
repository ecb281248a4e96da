/** `paid`: a new export or task. `request`: every request, including those. */
export type RateKind = 'request' | 'paid';

/** Counts what a user does. A site with several processes needs one that counts for all of them. */
export interface RateLimit {
  /** Takes one. Returns the milliseconds to wait if nothing is left, otherwise 0. */
  take(hostUser: string, kind: RateKind): number | Promise<number>;
}

/** `burst` at once, then `perMinute`. */
export interface Rate {
  readonly burst: number;
  readonly perMinute: number;
}

export type RateLimits = Readonly<Partial<Record<RateKind, Rate>>>;

/** Far more than a person needs, but too little for a script to use up a plan in a minute. */
const defaultRates: Readonly<Record<RateKind, Rate>> = {
  request: { burst: 600, perMinute: 600 },
  paid: { burst: 100, perMinute: 30 },
};

interface Bucket {
  left: number;
  at: number;
}

/** Minimum number of buckets before full ones are removed. */
const minSweptBuckets = 10_000;

/** Counts in this process's memory. Throws a `TypeError` for rates that allow nothing. */
export function memoryRateLimit(limits: RateLimits = {}, now = Date.now): RateLimit {
  const rates = { ...defaultRates, ...limits };
  for (const [kind, { burst, perMinute }] of Object.entries(rates)) {
    if (!(burst >= 1 && perMinute > 0)) {
      throw new TypeError(
        `rateLimit.${kind}: burst must be at least 1, and perMinute greater than 0`,
      );
    }
  }
  const buckets = new Map<string, Bucket>();
  const filled = (bucket: Bucket, { burst, perMinute }: Rate, time: number): number =>
    Math.min(burst, bucket.left + (Math.max(0, time - bucket.at) * perMinute) / 60_000);
  let sweepAt = minSweptBuckets;
  const sweep = (time: number): void => {
    for (const [key, bucket] of buckets) {
      const rate = rates[key.startsWith('paid ') ? 'paid' : 'request'];
      if (filled(bucket, rate, time) >= rate.burst) buckets.delete(key);
    }
    sweepAt = Math.max(minSweptBuckets, buckets.size * 2);
  };
  return {
    take(hostUser, kind) {
      const rate = rates[kind];
      const time = now();
      if (buckets.size >= sweepAt) sweep(time);
      const key = `${kind} ${hostUser}`;
      const left = filled(buckets.get(key) ?? { left: rate.burst, at: time }, rate, time);
      if (left < 1) return Math.ceil(((1 - left) * 60_000) / rate.perMinute);
      buckets.set(key, { left: left - 1, at: time });
      return 0;
    },
  };
}
