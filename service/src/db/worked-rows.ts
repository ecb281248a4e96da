import type { Kysely, Transaction } from 'kysely';
import type { Database } from './schema.ts';
import type { WorkKind } from './queue.ts';

/** The table of each queue's rows; both have the columns of a row that is worked on. */
export const tables = { task: 'tasks', export: 'exports' } as const;

/**
 * One go at the work on a row. The number is the fence: a later attempt has a higher one, and from then on this one
 * writes nothing any more, however late its process notices.
 */
export interface Attempt {
  readonly kind: WorkKind;
  /** The row's id. */
  readonly id: string;
  readonly number: number;
}

/** A later attempt has begun on the row, or the row is settled: what this attempt has made is not needed. */
export class AttemptLost extends Error {
  override name = 'AttemptLost';

  constructor({ kind, id, number }: Attempt) {
    super(`Attempt ${number} at ${kind} ${id} has lost its row to a later one.`);
  }
}

/** Begins an attempt and tells how many count towards the limit; null if the row has nothing left to do. */
export const beginAttempt = async (
  db: Kysely<Database>,
  kind: WorkKind,
  id: string,
): Promise<{ attempt: Attempt; counted: number } | null> => {
  const row = await db
    .updateTable(tables[kind] as 'exports')
    .set((column) => ({ attempts: column('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .returning(['attempts', 'given_back'])
    .executeTakeFirst();
  return (
    (row && {
      attempt: { kind, id, number: row.attempts },
      counted: row.attempts - row.given_back,
    }) ??
    null
  );
};

/**
 * Writes for an attempt: all of it while the row is its own, or nothing. No other attempt begins in between.
 * Throws {@link AttemptLost}.
 */
export const writeAs = <T>(
  db: Kysely<Database>,
  attempt: Attempt,
  change: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> =>
  db.transaction().execute(async (trx) => {
    const held = await trx
      .selectFrom(tables[attempt.kind] as 'exports')
      .select('id')
      .where('id', '=', attempt.id)
      .where('attempts', '=', attempt.number)
      .where('status', '=', 'processing')
      .forUpdate()
      .executeTakeFirst();
    if (!held) throw new AttemptLost(attempt);
    return change(trx);
  });

/**
 * Whether a row may be there whose insertion has failed: a connection that was lost during the commit says nothing about
 * it. Also true where the database cannot be asked: a file too many is better than a row without its file.
 */
export const mayBeKept = async (
  db: Kysely<Database>,
  table: 'tasks' | 'exports',
  id: string,
): Promise<boolean> => {
  try {
    const row = await db
      .selectFrom(table as 'exports')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst();
    return row !== undefined;
  } catch {
    return true;
  }
};
