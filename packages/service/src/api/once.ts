import { hash } from 'node:crypto';
import { attemptKeySchema } from 'clip-kit/contract';
import type { Context } from 'hono';
import { AlreadyMade, claimKey, findMade, type KeyedCall } from '../db/idempotency-keys.ts';
import type { Db, Trx } from '../db/schema.ts';
import type { AppEnv } from './methods.ts';
import { ApiError } from '../api-error.ts';

export interface Making<Row> {
  /** `admit` is called with the id, in the transaction that makes the row. */
  make: (admit: (trx: Trx, id: string) => Promise<void>) => Promise<Row>;
  /** Reads the result of an earlier call, as it is now; undefined if it has been deleted. */
  read: (id: string) => Promise<Row | undefined>;
}

/** The `Idempotency-Key` of a request; or null. Throws 400 for an invalid one. */
export function readIdempotencyKey(c: Context): string | null {
  const header = c.req.header('idempotency-key');
  if (header === undefined) return null;
  const key = attemptKeySchema.safeParse(header);
  if (!key.success) {
    const message = 'must be 8 to 128 characters of A-Z a-z 0-9 . _ -, new for each request';
    const errors = [{ path: 'Idempotency-Key', message }];
    throw new ApiError('invalid-request', `Idempotency-Key ${message}.`, { errors });
  }
  return key.data;
}

const hashRequest = (c: Context, asked: object): string =>
  hash('sha256', JSON.stringify([c.req.path, asked]));

/**
 * Creates an object once for each `Idempotency-Key`: a call that is repeated within a day gets the
 * same object. `asked` is the parsed request. Throws 409 if the object was deleted.
 */
export async function makeOnce<Row>(
  db: Db,
  c: Context<AppEnv>,
  asked: object,
  making: Making<Row>,
): Promise<Row> {
  const { make, read } = making;
  const key = readIdempotencyKey(c);
  if (key === null) return make(async () => {});
  const call: KeyedCall = { userId: c.get('user').id, key, requestHash: hashRequest(c, asked) };
  const readMade = async (id: string): Promise<Row> => {
    const row = await read(id);
    if (row !== undefined) return row;
    // Taken back by the call that made it, whose source was refused: nothing was made.
    if ((await findMade(db, call)) === null) return makeOnce(db, c, asked, making);
    throw new ApiError(
      'attempt-mismatch',
      'The result of this Idempotency-Key was deleted. Use a new key to create it again.',
    );
  };
  try {
    return await make((trx, id) => claimKey(trx, call, id));
  } catch (error) {
    if (error instanceof AlreadyMade) return readMade(error.id);
    throw error;
  }
}
