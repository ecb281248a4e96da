import { sql } from 'kysely';
import { ApiError } from '../api-error.ts';
import type { Db, Trx } from './schema.ts';

/** A creating call that its caller may send again without making anything twice. */
export interface KeyedCall {
  userId: string;
  /** The `Idempotency-Key`, unique per user. */
  key: string;
  /** Hash of the request. */
  requestHash: string;
}

/** An earlier call with the key has made this row. */
export class AlreadyMade extends Error {
  override name = 'AlreadyMade';
  readonly id: string;

  constructor(id: string) {
    super('An earlier call with this Idempotency-Key already created it.');
    this.id = id;
  }
}

/** The time for which a key is kept. */
const kept = sql`interval '1 day'`;

/** Finds the row that a call with the key has made, and the hash of the request. */
export const findKey = (db: Db, { userId, key }: Pick<KeyedCall, 'userId' | 'key'>) =>
  db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'made_id'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .where('created_at', '>', sql<Date>`now() - ${kept}`)
    .executeTakeFirst();

/** The id of what an earlier call has made; null if there was none. Throws if that was another. */
export async function findMade(db: Db, call: KeyedCall): Promise<string | null> {
  const found = await findKey(db, call);
  if (found && found.request_hash !== call.requestHash) {
    throw new ApiError(
      'attempt-mismatch',
      'This Idempotency-Key was used for another request. Use a new key for a new request.',
    );
  }
  return found?.made_id ?? null;
}

/**
 * Records the created object, in the transaction that creates it. One of two concurrent calls waits
 * here for the other. Throws as {@link findMade}, and {@link AlreadyMade}.
 */
export async function claimKey(trx: Trx, call: KeyedCall, id: string): Promise<void> {
  const { userId, key, requestHash } = call;
  const claimed = await sql`
    insert into idempotency_keys as known (user_id, key, request_hash, made_id)
      values (${userId}, ${key}, ${requestHash}, ${id})
      on conflict (user_id, key) do update
        set request_hash = excluded.request_hash, made_id = excluded.made_id,
          created_at = excluded.created_at
        where known.created_at <= now() - ${kept}
      returning made_id`.execute(trx);
  if (claimed.rows.length > 0) return;
  const earlier = await findMade(trx, call);
  // Null if its day ended between the two statements.
  if (earlier === null) return claimKey(trx, call, id);
  throw new AlreadyMade(earlier);
}

/** Deletes the keys that are no longer kept. */
export const deleteOldKeys = (db: Db): Promise<unknown> =>
  db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<=', sql<Date>`now() - ${kept}`)
    .execute();
