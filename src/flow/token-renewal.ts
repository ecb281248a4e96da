/** `exp` and `iat` of a JWT in milliseconds, null where it has none. Null for a token that is no readable JWT. */
const jwtTimes = (token: string): { exp: number | null; iat: number | null } | null => {
  try {
    const body = token.split('.')[1] ?? '';
    const claims: unknown = JSON.parse(atob(body.replaceAll('-', '+').replaceAll('_', '/')));
    if (typeof claims !== 'object' || claims === null) return null;
    const time = (name: string): number | null => {
      const value = (claims as Record<string, unknown>)[name];
      return typeof value === 'number' && Number.isFinite(value) ? value * 1000 : null;
    };
    return { exp: time('exp'), iat: time('iat') };
  } catch {
    return null;
  }
};

/**
 * When a token that was received at `now` ends, in milliseconds of this page's clock; null where nothing says.
 * `expiresAt`: the host's word on it, in the server's time. `skew`: server's clock minus this one.
 */
export const tokenEnd = (
  token: string,
  expiresAt: number | null,
  skew: number,
  now: number,
): number | null => {
  if (expiresAt !== null) return expiresAt - skew;
  const times = jwtTimes(token);
  if (!times || times.exp === null) return null;
  const end = times.exp - skew;
  // A token just received that has ended already, or is not issued yet: this clock is wrong, its lifetime is right.
  const clockIsWrong = times.iat !== null && (end <= now || times.iat - skew > now + 60_000);
  return clockIsWrong ? now + times.exp - (times.iat ?? 0) : end;
};

/** Longest single wait: what a page's timers can take, and a fresh look at the clock twice a day. */
const longestWait = 12 * 60 * 60 * 1000;
const shortestWait = 5000;

/**
 * Milliseconds from `now` until a token that ends at `end` is renewed: a fifth of its life before the end, at least 30 s
 * and at most 5 min, but never before half of it has gone. Null where the end is not known.
 */
export const renewalDelay = (end: number | null, now: number): number | null => {
  if (end === null) return null;
  const life = end - now;
  const margin = Math.min(life / 2, Math.max(30_000, Math.min(life / 5, 300_000)));
  return Math.min(longestWait, Math.max(shortestWait, life - margin));
};
