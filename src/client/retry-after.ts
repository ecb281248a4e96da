/**
 * The milliseconds that a `Retry-After` header asks for, in seconds or as an HTTP date. Null if it
 * is missing or has passed.
 */
export function retryAfterOf(header: string | null, now: number): number | null {
  if (!header) return null;
  const delay = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return delay >= 0 ? delay : null;
}
