/** The latest time that a `Date` can hold, in seconds since 1970. */
const latest = 8.64e12;

/** When a JWT ends, in milliseconds since 1970 (its `exp`), or null for a token that is no JWT or does not say. The signature is not checked. */
export const tokenExpiry = (token: string): number | null => {
  const [, payload, signature, more] = token.split('.');
  if (!payload || signature === undefined || more !== undefined) return null;
  try {
    const base64 = payload.replaceAll('-', '+').replaceAll('_', '/');
    const { exp } = JSON.parse(atob(base64)) as { exp?: unknown };
    return typeof exp === 'number' && Math.abs(exp) <= latest ? exp * 1000 : null;
  } catch {
    return null;
  }
};
