/** So many bytes were sent at this moment, in milliseconds. */
export interface SentSample {
  readonly at: number;
  readonly sent: number;
}

/** The rate is that of the last seconds: a connection changes. */
const windowMs = 20_000;
/** A shorter time says nothing. */
const minWindowMs = 2000;

/** The samples with a new one. Fewer bytes than before: what was lost does not count. */
export function withSample(samples: readonly SentSample[], next: SentSample): SentSample[] {
  const last = samples.at(-1);
  if (last && next.sent < last.sent) return [next];
  return [...samples.filter(({ at }) => next.at - at <= windowMs), next];
}

/** Milliseconds until all bytes are sent at the rate of the samples; null if it is not known. */
export function sendingMsLeft(samples: readonly SentSample[], size: number): number | null {
  const [first] = samples;
  const last = samples.at(-1);
  if (!first || !last || last.at - first.at < minWindowMs || last.sent <= first.sent) return null;
  return ((size - last.sent) * (last.at - first.at)) / (last.sent - first.sent);
}
