/** `exp` and `iat` of a JWT in milliseconds, null where it has none, or is no readable JWT. */
const jwtTimes = (token: string): { exp: number | null; iat: number | null } => {
  let claims: Record<string, unknown> | null = null;
  try {
    const body = token.split('.')[1] ?? '';
    claims = JSON.parse(atob(body.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    // Not a JWT.
  }
  const time = (name: string): number | null => {
    const value = claims?.[name];
    return typeof value === 'number' && Number.isFinite(value) ? value * 1000 : null;
  };
  return { exp: time('exp'), iat: time('iat') };
};

/** How long a token lives from the moment it is received. */
export interface TokenLife {
  readonly ms: number;
  /** False: only this page's clock says so, and it may be wrong. */
  readonly sure: boolean;
}

export interface ReceivedToken {
  readonly token: string;
  /** The source's word on when it ends, in milliseconds since 1970; null if it says nothing. */
  readonly expiresAt: number | null;
  /** This page's clock. */
  readonly now: number;
  /** The server's clock minus this one; null if not known. */
  readonly skew: number | null;
  /** Whether it replaces another token, so that it was issued a moment ago. */
  readonly fresh: boolean;
}

/** The life of a token; null if nothing says when it ends. */
export const tokenLife = ({
  token,
  expiresAt,
  now,
  skew,
  fresh,
}: ReceivedToken): TokenLife | null => {
  const { exp, iat } = jwtTimes(token);
  const end = expiresAt ?? exp;
  if (end === null) return null;
  const left = end - now - (skew ?? 0);
  const whole = Math.min(end, exp ?? end) - (iat ?? end);
  if (whole <= 0) return { ms: left, sure: skew !== null };
  // The issuer's clock measures the life of a token by itself. A token that was kept somewhere has less left.
  const issuedNow = fresh && (skew === null || left <= 0);
  return { ms: issuedNow ? whole : Math.min(left, whole), sure: true };
};

const longestWaitMs = 12 * 60 * 60 * 1000;
const shortestWaitMs = 5000;
const longestHurryMs = 5 * 60_000;

/** A life as short as this is more likely a wrong clock, or a token that was kept too long. */
const shortLifeMs = 60_000;

/** Whether a token must be replaced so soon that its successor is asked for with growing pauses. */
export const isHurried = (life: TokenLife | null): boolean =>
  life !== null && (life.ms <= 0 || (!life.sure && life.ms < shortLifeMs));

/**
 * Milliseconds from receipt until a token is renewed: a fifth of its life before the end, at least 30 s and at most 5 min,
 * but never before half of it has gone. At two fifths of a life that is not sure, so that a clock that is behind does not
 * miss the end. `hurries`: hurried tokens in a row, before this one. Null if the end is not known.
 */
export const renewalDelay = (life: TokenLife | null, hurries = 0): number | null => {
  if (!life) return null;
  const { ms, sure } = life;
  const margin = sure
    ? Math.min(ms / 2, Math.max(30_000, Math.min(ms / 5, 300_000)))
    : (ms * 3) / 5;
  const shortest = isHurried(life)
    ? Math.min(longestHurryMs, shortestWaitMs * 2 ** hurries)
    : shortestWaitMs;
  return Math.min(longestWaitMs, Math.max(shortest, ms - margin));
};
