/** The latest time that a `Date` can hold. */
const maxDateSeconds = 8.64e12;

/**
 * `exp` and `iat` of a JWT, in milliseconds since 1970; null if it is missing or no such time, or
 * the token is no JWT. The signature is not checked.
 */
export function jwtTimes(token: string): {
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
