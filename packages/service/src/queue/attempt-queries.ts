import { type RawBuilder, sql, type SqlBool, type Updateable } from 'kysely';
import { listIds } from '../db/id.ts';
import { deleteJobs, hasJob } from './queries.ts';
import { type Queue, type QueuedJob, type WorkKind, workKinds } from './queue.ts';
import type {
  Db,
  ExportRow,
  ExportTable,
  ProxyRow,
  ProxyTable,
  ProjectRow,
  ProjectTable,
  StageDetail,
  TaskRow,
  TaskTable,
  Trx,
} from '../db/schema.ts';
import type { Log } from '../config/config.ts';

/** `created_at` is the database's time, so `finished_at` is too: clocks of machines differ. */
export const databaseNow = sql<Date>`now()`;

/** The table of each kind; all have the columns of a row that is worked on. */
export const tables = {
  ingest: 'tasks',
  scan: 'tasks',
  preview: 'projects',
  export: 'exports',
  proxy: 'proxies',
} as const satisfies Record<WorkKind, string>;

/** Whether a row that is being processed waits for this kind of work. */
const waitsFor = {
  ingest: sql<SqlBool>`(source is null or not words ? 'transcriptKey')`,
  scan: sql<SqlBool>`source is not null and not scanned
    and (words is null or words ? 'transcriptKey')`,
  preview: sql<SqlBool>`exists (
    select 1 from tasks where tasks.id = projects.task_id and tasks.status <> 'error')`,
  export: sql<SqlBool>`true`,
  proxy: sql<SqlBool>`true`,
} satisfies Record<WorkKind, unknown>;

/**
 * One attempt at the work on a row. The number is the fence: a later attempt has a higher one. From
 * then on this attempt writes nothing, however late its process notices.
 */
export interface JobAttempt {
  readonly kind: WorkKind;
  /** The row's id. */
  readonly id: string;
  readonly number: number;
  /**
   * The revision of the clip whose preview it makes: an attempt at an earlier one publishes
   * nothing.
   */
  readonly revision?: number;
}

/** A later attempt has begun, or the row is settled: what this attempt has made is not needed. */
export class AttemptLost extends Error {
  override name = 'AttemptLost';

  constructor({ kind, id, number }: JobAttempt) {
    super(`Attempt ${number} at ${kind} ${id} has lost its row to a later one.`);
  }
}

/** Why a row ended in `error`. */
export interface Failure {
  code: string;
  /** A sentence for a person. */
  message: string;
}

/** The rows that each kind of work needs: its own, and parts of the rows that this belongs to. */
interface WorkRows {
  ingest: TaskRow;
  scan: TaskRow;
  preview: ProjectRow & Pick<TaskRow, 'source'>;
  export: ExportRow & Pick<ProjectRow, 'segment' | 'task_id'> & Pick<TaskRow, 'source'>;
  proxy: ProxyRow & Pick<ProjectRow, 'edit' | 'segment'> & Pick<TaskRow, 'source'>;
}

/** Changes of a row as work on it begins, and the place of the other values that the work needs. */
const taskAlone = { also: sql``, from: sql`where`, rest: sql`` };
const beginnings = {
  ingest: taskAlone,
  scan: taskAlone,
  preview: {
    also: sql``,
    from: sql`from tasks as task where task.id = projects.task_id
      and (preview_due_at is null or preview_due_at <= now()) and`,
    rest: sql`, task.source`,
  },
  // The render begins at once.
  export: {
    also: sql`, stage = 'render', share = 0, share_at = null, started_at = now()`,
    from: sql`from projects as clip join tasks as task on task.id = clip.task_id
      where clip.id = exports.project_id and`,
    rest: sql`, exports.edit, clip.segment, clip.task_id, task.source`,
  },
  proxy: {
    also: sql`, stage = 'proxy'`,
    from: sql`from projects as clip join tasks as task on task.id = clip.task_id
      where clip.id = proxies.id and`,
    rest: sql`, clip.edit, clip.segment, task.source`,
  },
};

/** An attempt that has begun. */
export interface Begun<Kind extends WorkKind> {
  attempt: JobAttempt;
  /** The number of attempts that count towards the limit. */
  counted: number;
  row: WorkRows[Kind];
  /** The id of the organization that it is for. */
  organization: string;
}

/** Begins an attempt; null if nothing is left to do. */
export async function beginAttempt<Kind extends WorkKind>(
  db: Db,
  kind: Kind,
  id: string,
): Promise<Begun<Kind> | null> {
  const { also, from, rest } = beginnings[kind];
  const table = sql.table(tables[kind]);
  const { rows } = await sql<WorkRows[Kind] & { organization: string }>`
    update ${table} set attempts = ${table}.attempts + 1 ${also} ${from}
      ${table}.id = ${id} and ${table}.status = 'processing' and ${waitsFor[kind]}
      returning ${table}.* ${rest}, (
        select organization_id from users where users.id = ${table}.author_id
      ) as organization`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const revision = kind === 'preview' && { revision: (row as ProjectRow).revision };
  const attempt = { kind, id, number: row.attempts, ...revision };
  const { organization } = row;
  return { attempt, counted: row.attempts - row.uncounted_attempts, row, organization };
}

/** The row while it is at work and the attempt's own. */
export function selectOwnRow({ id, number, revision }: JobAttempt) {
  const own = sql<SqlBool>`id = ${id} and attempts = ${number} and status = 'processing'`;
  return revision === undefined ? own : sql<SqlBool>`${own} and revision = ${revision}`;
}

/** Locks the row for an attempt. No other attempt begins in between. Throws {@link AttemptLost}. */
export async function lockRow(trx: Trx, attempt: JobAttempt): Promise<void> {
  await trx
    .selectFrom(tables[attempt.kind])
    .select('id')
    .where(selectOwnRow(attempt))
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AttemptLost(attempt));
}

/** Whether the row is still there, at work, and the attempt's own. */
export const isOwn = async (db: Db, attempt: JobAttempt): Promise<boolean> =>
  (await db
    .selectFrom(tables[attempt.kind])
    .select('id')
    .where(selectOwnRow(attempt))
    .executeTakeFirst()) !== undefined;

/**
 * Writes for an attempt: all of it while the row is its own, or nothing. Throws
 * {@link AttemptLost}.
 */
export const writeAs = <T>(
  db: Db,
  attempt: JobAttempt,
  change: (trx: Trx) => Promise<T>,
): Promise<T> =>
  db.transaction().execute(async (trx) => {
    await lockRow(trx, attempt);
    return change(trx);
  });

type Columns = Updateable<TaskTable> &
  Updateable<ExportTable> &
  Updateable<ProxyTable> &
  Updateable<ProjectTable>;
type Computed = 'finished_at' | 'uncounted_attempts' | 'releases';
type Values = Omit<Columns, Computed> & {
  finished_at?: typeof databaseNow;
  uncounted_attempts?: RawBuilder<number>;
  releases?: RawBuilder<number>;
};

/** Changes the attempt's row, within {@link writeAs}. */
export const updateRow = (trx: Trx, { kind, id }: JobAttempt, values: Values): Promise<unknown> =>
  trx.updateTable(tables[kind]).set(values).where('id', '=', id).execute();

/** Changes the attempt's row. Throws {@link AttemptLost}. */
export async function updateAs(db: Db, attempt: JobAttempt, values: Values): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable(tables[attempt.kind])
    .set(values)
    .where(selectOwnRow(attempt))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new AttemptLost(attempt);
}

/** A row that waits for another attempt. */
const queuedRow = { stage: 'queued', share: 0 };

/** An attempt that does not count towards the limit. */
export const uncounted = { uncounted_attempts: sql<number>`uncounted_attempts + 1` };

/** The row waits for another attempt. Throws {@link AttemptLost}. */
export const queueAgain = (db: Db, attempt: JobAttempt): Promise<void> =>
  updateAs(db, attempt, queuedRow);

/**
 * The clip waits for another attempt if it was changed during this one, which does not count; false
 * if it was not.
 */
export async function queueChanged(db: Db, { id, number, revision }: JobAttempt): Promise<boolean> {
  if (revision === undefined) return false;
  const { numUpdatedRows } = await db
    .updateTable('projects')
    .set((row) => ({ ...queuedRow, uncounted_attempts: row.ref('attempts') }))
    .where('id', '=', id)
    .where('attempts', '=', number)
    .where('status', '=', 'processing')
    .where('revision', '<>', revision)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * The row waits for another attempt, and this one does not count. `byMachine`: its machine cannot
 * do the work. Throws {@link AttemptLost}.
 */
export const releaseAttempt = (db: Db, attempt: JobAttempt, byMachine = false): Promise<void> =>
  updateAs(db, attempt, {
    ...queuedRow,
    ...uncounted,
    ...(byMachine && { releases: sql<number>`releases + 1` }),
  });

/** A row that ended in `error`. */
export const makeFailedRow = ({ code, message }: Failure) => ({
  status: 'error' as const,
  failure_code: code,
  failure_message: message,
  finished_at: databaseNow,
});

/** Ends the row of an export or a proxy in `error`. Throws {@link AttemptLost}. */
export const failAttempt = (db: Db, attempt: JobAttempt, failure: Failure): Promise<unknown> =>
  updateAs(db, attempt, makeFailedRow(failure));

/** Notes how far the attempt is, if the row is still its own. */
export const writeProgress = (
  db: Db,
  attempt: JobAttempt,
  { stage, share, detail }: { stage: string; share: number; detail?: StageDetail },
): Promise<unknown> =>
  db
    .updateTable(tables[attempt.kind])
    .set({
      stage,
      share,
      ...(attempt.kind === 'export' && { share_at: databaseNow }),
      ...(tables[attempt.kind] === 'tasks' && {
        stage_detail: detail ? JSON.stringify(detail) : null,
      }),
    })
    .where(selectOwnRow(attempt))
    .execute();

/** A row of this kind that is at work, and that no job will end. */
const isLost = (kind: WorkKind) =>
  sql<SqlBool>`status = 'processing' and ${waitsFor[kind]} and not ${hasJob(kind, `${tables[kind]}.id`)}`;

/** Bounds the transaction to some seconds. The next run takes up the others. */
const lostAtATime = 1000;

/** Locks the rows that have lost their jobs, and returns what their new jobs need. */
async function takeUpLost(trx: Trx, kind: WorkKind): Promise<QueuedJob[]> {
  const table = tables[kind];
  const locked = await trx
    .selectFrom(table)
    .select('id')
    .where(isLost(kind))
    .limit(lostAtATime)
    .forUpdate()
    .skipLocked()
    .execute();
  if (locked.length === 0) return [];
  // Checked again: between that statement's read and its lock the row may have been passed on.
  const lost = await trx
    .updateTable(table)
    .set(queuedRow)
    .where('id', '=', sql<string>`any(${listIds(locked)}::text[])`)
    .where(isLost(kind))
    .returning(['id', 'turn', 'author_id'])
    .execute();
  await deleteJobs(trx, kind, listIds(lost));
  return lost;
}

/**
 * Whether an export may be there whose insertion has failed: a connection lost during the commit
 * says nothing about it. Also true if the database cannot be asked: a file too many is better than
 * a row without its file.
 */
export const mayBeKept = (db: Db, id: string): Promise<boolean> =>
  db
    .selectFrom('exports')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst()
    .then(
      (row) => row !== undefined,
      () => true,
    );

/**
 * Makes new jobs for rows that are processed and have none, whatever has happened to their jobs.
 * Whether a row was begun too often is for its job to say.
 */
export const reconcile = ({
  db,
  queue,
  log,
}: {
  db: Db;
  queue: Pick<Queue, 'send'>;
  log: Log;
}): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('clip reconcile')) as mine`.execute(trx);
    if (!rows[0]?.mine) return;
    for (const kind of workKinds) {
      for (const job of await takeUpLost(trx, kind)) {
        await queue.send(kind, job, trx);
        log({ event: 'recovered', kind, id: job.id });
      }
    }
  });
