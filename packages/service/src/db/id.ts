import { randomBytes } from 'node:crypto';

/** Every id that this service gives out is a UUID. Anything else is the id of nothing. */
export const isId = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text);

/** As many as HS256 needs for the secret of the tokens. */
const keyBytes = 32;

/** A random key that fits into a URL and a file name. */
export const unguessableKey = (): string => randomBytes(keyBytes).toString('base64url');
