import { randomBytes } from 'node:crypto';

/** As many as HS256 needs for the secret of the tokens. */
const keyBytes = 32;

/** A random key that fits into a URL and a file name. */
export const unguessableKey = (): string => randomBytes(keyBytes).toString('base64url');
