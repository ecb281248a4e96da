/** The latest time that a `Date` can hold. */
const maxDateSeconds = 8.64e12;

/**
 * When a JWT expires (`exp`), in milliseconds since 1970; null for a token that is not a JWT or has
 * no expiry. The signature is not checked.
 */
export const tokenExpiry = (token: string): number | null => {
  const [, payload, signature, more] = token.split('.');
  if (!payload || signature === undefined || more !== undefined) return null;
  try {
    const base64 = payload.replaceAll('-', '+').replaceAll('_', '/');
    const { exp } = JSON.parse(atob(base64)) as { exp?: unknown };
    return typeof exp === 'number' && Math.abs(exp) <= maxDateSeconds ? exp * 1000 : null;
  } catch {
    return null;
  }
};
