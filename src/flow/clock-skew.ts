/** Below this a difference may be the `Date` header's whole seconds and the way of the answer. */
const noise = 2000;

/**
 * How far the server's clock is ahead of this one, in milliseconds, by the `Date` header of an answer that has just come
 * (`now`: this clock). 0 where the header is not readable or the difference means nothing.
 */
export const clockSkew = (date: string | null, now: number): number => {
  const difference = Date.parse(date ?? '') - now;
  return Math.abs(difference) > noise ? difference : 0;
};
