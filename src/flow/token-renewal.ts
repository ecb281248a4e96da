/** The lifetime of a token from the moment it is received. */
export interface TokenLife {
  readonly ms: number;
  /** False: it is known by this page's clock only, which may be wrong. */
  readonly sure: boolean;
}

export interface ReceivedToken {
  readonly token: string;
  /** When it ends, as the source says, in milliseconds since 1970; null if it does not say. */
  readonly expiresAt: number | null;
  /** This page's clock. */
  readonly now: number;
  /** The server's clock minus this one; null if not known. */
  readonly skew: number | null;
  /** Whether it replaces another token, and so was issued a moment ago. */
  readonly fresh: boolean;
}

/** The life of a token; null if it is not known when it ends. */
export function computeTokenLife({
  token,
  expiresAt,
  now,
  skew,
  fresh,
}: ReceivedToken): TokenLife | null {
  const { exp, iat } = readJwtTimes(token);
  const end = expiresAt ?? exp;
  if (end === null) return null;
  const left = end - now - (skew ?? 0);
  const whole = Math.min(end, exp ?? end) - (iat ?? end);
  if (whole <= 0) return { ms: left, sure: skew !== null };
  // `exp - iat` needs no other clock. But a token that was kept somewhere has less time left.
  const issuedNow = fresh && (skew === null || left <= 0);
  return { ms: issuedNow ? whole : Math.min(left, whole), sure: true };
}

const maxWaitMs = 12 * 60 * 60 * 1000;
const minWaitMs = 5000;
const maxHurryMs = 5 * 60_000;

/** A shorter life probably means a wrong clock, or a token that was kept too long. */
const shortLifeMs = 60_000;

/** Whether a token ends so soon that the pauses between renewals must grow. */
export const isHurried = (life: TokenLife | null): boolean =>
  life !== null && (life.ms <= 0 || (!life.sure && life.ms < shortLifeMs));

/**
 * Milliseconds from receipt until a token is renewed: a fifth of its life before the end, at least
 * 30 s and at most 5 min, but not before half of its life. After two fifths of a life that is not
 * sure, in case the clock is behind. `hurries`: hurried tokens in a row before this one. Null if
 * the end is not known.
 */
export function computeRenewalDelay(life: TokenLife | null, hurries = 0): number | null {
  if (!life) return null;
  const { ms, sure } = life;
  const marginMs = sure
    ? Math.min(ms / 2, Math.max(30_000, Math.min(ms / 5, 300_000)))
    : (ms * 3) / 5;
  const shortestMs = isHurried(life) ? Math.min(maxHurryMs, minWaitMs * 2 ** hurries) : minWaitMs;
  return Math.min(maxWaitMs, Math.max(shortestMs, ms - marginMs));
}

/** The latest time that a `Date` can hold. */
const maxDateSeconds = 8.64e12;

/**
 * `exp` and `iat` of a JWT, in milliseconds since 1970; null if it is missing or not a time, or
 * the token is not a JWT. The signature is not checked.
 */
export function readJwtTimes(token: string): {
  readonly exp: number | null;
  readonly iat: number | null;
} {
  const [, payload = '', ...more] = token.split('.');
  let claims: Record<string, unknown> | null = null;
  try {
    if (more.length === 1) {
      claims = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    }
  } catch {
    // Not a JWT.
  }
  const time = (name: string): number | null => {
    const value = claims?.[name];
    return typeof value === 'number' && Math.abs(value) <= maxDateSeconds ? value * 1000 : null;
  };
  return { exp: time('exp'), iat: time('iat') };
}
