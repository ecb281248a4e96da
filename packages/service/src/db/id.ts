import { hash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';

/** Whether the text is a UUID, as every id of this service is. */
export const isId = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text);

/** The length that HS256 needs for the secret of the tokens. */
const keyBytes = 32;

/** A random key that fits into a URL and a file name. */
export const makeRandomKey = (): string => randomBytes(keyBytes).toString('base64url');

/** Keys are random and long, so a plain hash is enough: there is nothing to guess at. */
export const hashKey = (key: string): string => hash('sha256', key);

export const listIds = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/** Matches ids, however many there are: as a single parameter, the statement stays the same. */
export const matchAny = (ids: readonly string[]) => sql<string>`any(${ids}::text[])`;
