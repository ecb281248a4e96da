import { sql, type SqlBool, type Updateable } from 'kysely';
import { databaseNow } from './database-now.ts';
import type { WorkKind } from './queue.ts';
import type { Db, ExportTable, ProjectTable, TaskTable, Trx } from './schema.ts';

/** The table of each kind; all have the columns of a row that is worked on. */
const tables = {
  ingest: 'tasks',
  scan: 'tasks',
  preview: 'projects',
  export: 'exports',
} as const satisfies Record<WorkKind, string>;

/** Whether a row that is being processed waits for this kind of work. */
const waitsFor = {
  ingest: sql<SqlBool>`source is null`,
  scan: sql<SqlBool>`source is not null
    and not exists (select 1 from projects where projects.task_id = tasks.id)`,
  preview: sql<SqlBool>`exists (
    select 1 from tasks where tasks.id = projects.task_id and tasks.status = 'processing')`,
  export: sql<SqlBool>`true`,
} satisfies Record<WorkKind, unknown>;

/**
 * One go at the work on a row. The number is the fence: a later attempt has a higher one, and from
 * then on this one writes nothing any more, however late its process notices.
 */
export interface Attempt {
  readonly kind: WorkKind;
  /** The row's id. */
  readonly id: string;
  readonly number: number;
}

/** A later attempt has begun, or the row is settled: what this attempt has made is not needed. */
export class AttemptLost extends Error {
  override name = 'AttemptLost';

  constructor({ kind, id, number }: Attempt) {
    super(`Attempt ${number} at ${kind} ${id} has lost its row to a later one.`);
  }
}

/** Why a row ended in `error`. */
export interface Failure {
  code: string;
  /** A sentence for a person. */
  message: string;
}

/** Begins an attempt and tells how many count towards the limit; null if nothing is left to do. */
export async function beginAttempt(
  db: Db,
  kind: WorkKind,
  id: string,
): Promise<{ attempt: Attempt; counted: number } | null> {
  const row = await db
    .updateTable(tables[kind])
    .set((column) => ({ attempts: column('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .where(waitsFor[kind])
    .returning(['attempts', 'given_back'])
    .executeTakeFirst();
  if (!row) return null;
  return { attempt: { kind, id, number: row.attempts }, counted: row.attempts - row.given_back };
}

/** Locks the row for an attempt. No other attempt begins in between. Throws {@link AttemptLost}. */
export async function holdRow(trx: Trx, { kind, id, number }: Attempt): Promise<void> {
  const held = await trx
    .selectFrom(tables[kind])
    .select('id')
    .where('id', '=', id)
    .where('attempts', '=', number)
    .where('status', '=', 'processing')
    .forUpdate()
    .executeTakeFirst();
  if (!held) throw new AttemptLost({ kind, id, number });
}

/**
 * Writes for an attempt: all of it while the row is its own, or nothing. Throws
 * {@link AttemptLost}.
 */
export const writeAs = <T>(
  db: Db,
  attempt: Attempt,
  change: (trx: Trx) => Promise<T>,
): Promise<T> =>
  db.transaction().execute(async (trx) => {
    await holdRow(trx, attempt);
    return change(trx);
  });

type Columns = Updateable<TaskTable> & Updateable<ExportTable> & Updateable<ProjectTable>;
type Values = Omit<Columns, 'finished_at'> & { finished_at?: typeof databaseNow };

/** Changes the attempt's row, within {@link writeAs}. */
export const updateRow = (trx: Trx, { kind, id }: Attempt, values: Values): Promise<unknown> =>
  trx.updateTable(tables[kind]).set(values).where('id', '=', id).execute();

/** Changes the attempt's row. Throws {@link AttemptLost}. */
export const updateAs = (db: Db, attempt: Attempt, values: Values): Promise<unknown> =>
  writeAs(db, attempt, (trx) => updateRow(trx, attempt, values));

/** The row waits for another attempt, within {@link writeAs}. */
export const queueAgain = (trx: Trx, attempt: Attempt): Promise<unknown> =>
  updateRow(trx, attempt, { stage: 'queued', share: 0 });

/** This attempt does not count towards the limit, within {@link writeAs}. */
export const discountAttempt = (trx: Trx, { kind, id }: Attempt): Promise<unknown> =>
  trx
    .updateTable(tables[kind])
    .set((row) => ({ given_back: row('given_back', '+', 1) }))
    .where('id', '=', id)
    .execute();

/** The row waits for another attempt, and this one does not count. Throws {@link AttemptLost}. */
export const giveBack = (db: Db, attempt: Attempt): Promise<unknown> =>
  writeAs(db, attempt, async (trx) => {
    await discountAttempt(trx, attempt);
    await queueAgain(trx, attempt);
  });

/** A row that ended in `error`. */
export const inError = ({ code, message }: Failure) => ({
  status: 'error' as const,
  failure_code: code,
  failure_message: message,
  finished_at: databaseNow,
});

/**
 * Ends the row of a task or an export in `error`. A task that has no clips needs no source. Throws
 * {@link AttemptLost}.
 */
export const endInError = (db: Db, attempt: Attempt, failure: Failure): Promise<unknown> =>
  updateAs(db, attempt, {
    ...inError(failure),
    ...(attempt.kind !== 'export' && { source: null }),
  });

/** Notes how far the attempt is, if the row is still its own. */
export const writeProgress = (
  db: Db,
  { kind, id, number }: Attempt,
  progress: { stage: string; share: number },
): Promise<unknown> =>
  db
    .updateTable(tables[kind])
    .set({ ...progress, ...(kind === 'export' && { share_at: new Date() }) })
    .where('id', '=', id)
    .where('attempts', '=', number)
    .where('status', '=', 'processing')
    .execute();

/** The rows that wait for this kind of work, or are worked on, oldest first. */
export const listProcessing = (db: Db, kind: WorkKind) =>
  db
    .selectFrom(tables[kind])
    .select(['id', 'attempts', 'given_back', 'turn', 'author_id'])
    .where('status', '=', 'processing')
    .where(waitsFor[kind])
    .orderBy('turn')
    .orderBy('created_at')
    .execute();

/** Rows settled since then that may have files of lost attempts: with a single attempt, none. */
export const listSettledSince = (
  db: Db,
  kind: 'scan' | 'export',
  since: Date,
): Promise<{ id: string }[]> =>
  db
    .selectFrom(tables[kind])
    .select('id')
    .where('finished_at', '>', since)
    .where((row) =>
      row.or([
        row('attempts', '>', 1),
        row('status', '=', 'error'),
        ...(kind === 'scan'
          ? [
              sql<SqlBool>`exists (
                select 1 from projects where projects.task_id = tasks.id and attempts > 1)`,
            ]
          : []),
      ]),
    )
    .execute();

/**
 * Whether a row may be there whose insertion has failed: a connection lost during the commit says
 * nothing about it. Also true if the database cannot be asked: a file too many is better than a row
 * without its file.
 */
export async function mayBeKept(db: Db, kind: WorkKind, id: string): Promise<boolean> {
  try {
    const row = await db
      .selectFrom(tables[kind])
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst();
    return row !== undefined;
  } catch {
    return true;
  }
}
