/** No connection to the database server can be had. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

/**
 * Of Postgres: shut down, crashed, starting, too many connections, a transaction that stood still.
 * Of the socket: cut off in the middle of a query.
 */
// prettier-ignore
const goneCodes: ReadonlySet<unknown> = new Set([
  '57P01', '57P02', '57P03', '53300', '25P03', 'ECONNRESET', 'EPIPE',
]);

/** pg has no code for a connection that ends while a query waits, or that ended before it. */
const lostConnection = /^Connection terminated|connection error and is not queryable/;

/** Whether an error, or its cause, means that the database server is away, maybe for a moment. */
export function isDatabaseGone(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    // A number in errors of the web platform.
    const { code } = at as { code?: unknown };
    if (at instanceof DatabaseUnavailable || goneCodes.has(code)) return true;
    if (/^08/.test(String(code)) || lostConnection.test(at.message)) return true;
  }
  return false;
}

/** Postgres' code for a row that names another one which is not there. */
const foreignKeyViolation = '23503';

/** Whether something that a new row needs was deleted at the same moment. */
export const isDeletedMeanwhile = (error: unknown): boolean =>
  error instanceof Error && (error as NodeJS.ErrnoException).code === foreignKeyViolation;
