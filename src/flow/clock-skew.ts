/** A smaller difference may come from whole seconds in `Date` and the time in transit. */
const noiseMs = 2000;

/**
 * Milliseconds that the server's clock is ahead of this one (`now`), by the `Date` header of an
 * answer that has just arrived. 0 if the header cannot be read or the difference is noise.
 */
export function clockSkew(date: string | null, now: number): number {
  const difference = Date.parse(date ?? '') - now;
  return Math.abs(difference) > noiseMs ? difference : 0;
}
