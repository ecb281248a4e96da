/**
 * The wait in milliseconds that a `Retry-After` header asks for (seconds, or an HTTP date), or null where there is none
 * or it has passed.
 */
export const retryAfterOf = (header: string | null, now: number): number | null => {
  if (!header) return null;
  const delay = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return delay >= 0 ? delay : null;
};
