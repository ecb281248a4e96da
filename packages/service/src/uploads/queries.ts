import { sql } from 'kysely';
import { listIds, matchAny } from '../db/id.ts';
import { removeLater } from '../storage/queries.ts';
import type { Db, Trx, UploadField, UploadRow } from '../db/schema.ts';
import { lockTurns } from '../queue/queries.ts';
import { ApiError, makeUnknownUserError, makeUnprocessableError } from '../api-error.ts';

export type NewUploadRow = Pick<
  UploadRow,
  'id' | 'author_id' | 'name' | 'kind' | 'size' | 'sha256' | 'file_key'
>;

/** The uploads of a user that no task has taken. */
export interface UploadUsage {
  /** Uploads that are not finished. */
  open: number;
  /** Bytes that all of them have, or will have. */
  bytes: number;
}

/** The time for which an unfinished upload is kept after its last byte. */
const openFor = sql`interval '1 day'`;

/** No task has taken it. */
const untaken = sql<boolean>`not exists (
  select from upload_uses where upload_uses.upload_id = uploads.id)`;

/** Creates an upload. `admit`: throws if the user's limits do not permit it. */
export const createUpload = (
  db: Db,
  upload: NewUploadRow,
  admit: (trx: Trx, usage: UploadUsage) => Promise<void>,
): Promise<UploadRow> =>
  db.transaction().execute(async (trx) => {
    if (!(await lockTurns(trx, upload.author_id))) throw makeUnknownUserError();
    const { rows } = await sql<UploadUsage>`
      select (count(*) filter (where finished_at is null))::int as open,
          coalesce(sum(size), 0)::float8 as bytes
        from uploads where author_id = ${upload.author_id} and ${untaken}`.execute(trx);
    await admit(trx, rows[0]!);
    return trx
      .insertInto('uploads')
      .values({ ...upload, expires_at: sql<Date>`now() + ${openFor}` })
      .returningAll()
      .executeTakeFirstOrThrow();
  });

/** The time after its last byte for which an upload still has the room for the rest. */
const reservedFor = sql`interval '1 hour'`;

/**
 * Returns the bytes that are still to come of the uploads that were active of late. Until the end
 * of the transaction no other upload is made that asks for this.
 */
export async function lockAnnouncedBytes(trx: Trx): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('clip upload room'))`.execute(trx);
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(size - received), 0)::float8 as bytes from uploads
      where finished_at is null and expires_at - ${openFor} > now() - ${reservedFor}`.execute(trx);
  return rows[0]!.bytes;
}

export const readUpload = (db: Db, id: string): Promise<UploadRow | undefined> =>
  db.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirst();

/** The parts of a bucket's multipart upload. */
export const readUploadParts = (db: Db, id: string): Promise<{ etag: string; bytes: number }[]> =>
  db
    .selectFrom('upload_parts')
    .select(['etag', 'bytes'])
    .where('upload_id', '=', id)
    .orderBy('number')
    .execute();

/** Whether the holder has the upload now: `gone` if it was deleted. */
export async function lockUpload(
  db: Db,
  id: string,
  { holder, leaseMs }: { holder: string; leaseMs: number },
): Promise<'held' | 'busy' | 'gone'> {
  const { rows } = await sql<{ state: 'held' | 'busy' | 'gone' }>`
    with held as (
      update uploads set holder = ${holder}, wanted = false,
          held_until = now() + ${leaseMs} * interval '1 millisecond'
        where id = ${id} and (holder is null or held_until < now()) returning id
    )
    select case when exists (select from held) then 'held'
      when exists (select from uploads where id = ${id}) then 'busy' else 'gone' end as state`.execute(
    db,
  );
  return rows[0]!.state;
}

/** Records that another client waits for the upload. */
export const requestUpload = (db: Db, id: string): Promise<unknown> =>
  db.updateTable('uploads').set({ wanted: true }).where('id', '=', id).execute();

/** The holder is alive. Undefined if it holds the upload no more. */
export const renewUploadLock = (
  db: Db,
  id: string,
  { holder, leaseMs }: { holder: string; leaseMs: number },
): Promise<{ wanted: boolean } | undefined> =>
  db
    .updateTable('uploads')
    .set({ held_until: sql<Date>`now() + ${leaseMs} * interval '1 millisecond'` })
    .where('id', '=', id)
    .where('holder', '=', holder)
    .returning('wanted')
    .executeTakeFirst();

export const unlockUpload = (db: Db, id: string, holder: string): Promise<unknown> =>
  db
    .updateTable('uploads')
    .set({ holder: null, held_until: null, wanted: false })
    .where('id', '=', id)
    .where('holder', '=', holder)
    .execute();

/** Releases all uploads, in a database whose only process is starting. */
export const releaseUploadLocks = (db: Db): Promise<unknown> =>
  db.updateTable('uploads').set({ holder: null }).where('holder', 'is not', null).execute();

/** The problem of an upload that another process writes to, or that is finished or deleted. */
export const uploadLost = (): ApiError =>
  new ApiError('upload-busy', 'The upload has another writer, is finished, or was deleted.');

/** Changes an upload that the holder writes to. Throws {@link uploadLost}. */
async function changeHeld(
  db: Db,
  { id, holder }: { id: string; holder: string },
  values: Partial<Pick<UploadRow, 'received' | 'multipart_id' | 'tail_key'>>,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('uploads')
    .set({ ...values, expires_at: sql<Date>`now() + ${openFor}` })
    .where('id', '=', id)
    .where('holder', '=', holder)
    .where('finished_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw uploadLost();
}

/** Writes down what of an upload is stored. Each throws {@link uploadLost}. */
export const uploadNotes = (db: Db, held: { id: string; holder: string }) => ({
  received: (received: number) => changeHeld(db, held, { received }),
  begun: (multipart: string) => changeHeld(db, held, { multipart_id: multipart }),
  tail: (key: string, received: number) => changeHeld(db, held, { tail_key: key, received }),
  part: (part: { number: number; etag: string; bytes: number }, received: number) =>
    db.transaction().execute(async (trx) => {
      await changeHeld(trx, held, { tail_key: null, received });
      await trx
        .insertInto('upload_parts')
        .values({ upload_id: held.id, ...part })
        .execute();
    }),
  /** Nothing of it is stored any longer. */
  cleared: () =>
    db.transaction().execute(async (trx) => {
      await changeHeld(trx, held, { tail_key: null, received: 0, multipart_id: null });
      await trx.deleteFrom('upload_parts').where('upload_id', '=', held.id).execute();
    }),
});

/** Marks the upload as complete and usable for `days`. Throws {@link uploadLost}. */
export async function finishUpload(
  db: Db,
  { id, holder }: { id: string; holder: string },
  days: number,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('uploads')
    .set((row) => ({
      received: row.ref('size'),
      finished_at: sql<Date>`now()`,
      expires_at: sql<Date>`now() + make_interval(days => ${days}::int)`,
    }))
    .where('id', '=', id)
    .where('holder', '=', holder)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw uploadLost();
  await db.deleteFrom('upload_parts').where('upload_id', '=', id).execute();
}

async function deleteUploads(trx: Trx, ids: readonly string[]): Promise<string[]> {
  const gone = await trx
    .deleteFrom('uploads')
    .where('id', '=', matchAny(ids))
    .where(untaken)
    .returning('id')
    .execute();
  const deleted = listIds(gone);
  await removeLater(trx, 'uploads', deleted);
  return deleted;
}

/** Deletes an upload, unless a task has taken it. */
export const deleteUpload = (db: Db, id: string): Promise<'deleted' | 'taken' | 'gone'> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql`select from uploads where id = ${id} for update`.execute(trx);
    if (rows.length === 0) return 'gone';
    return (await deleteUploads(trx, [id])).length > 0 ? 'deleted' : 'taken';
  });

/** Deletes uploads of users whose tasks are deleted already. */
export async function deleteUserUploads(trx: Trx, userIds: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from uploads where author_id = ${matchAny(userIds)} for update`.execute(trx);
  await deleteUploads(trx, listIds(rows));
}

/** Uploads are removed this many at a time. */
const atATime = 100;

/** Deletes uploads that have expired without a task. */
export const deleteOldUploads = (db: Db): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string }>`
      select id from uploads where expires_at < now() and ${untaken}
        and (holder is null or held_until < now())
        limit ${atATime} for update skip locked`.execute(trx);
    return (await deleteUploads(trx, listIds(rows))).length;
  });

const wantedKinds = { source_video_url: 'video', subtitles_url: 'subtitles' } as const;

/** Throws if a request names an upload that cannot be used. */
function requireUsable(field: UploadField, upload: UploadRow | undefined): void {
  if (!upload) {
    throw makeUnprocessableError(
      'There is no such upload of this user. It may have been removed because nobody used it: upload the file again.',
      'upload-unknown',
      field,
    );
  }
  if (!upload.finished_at) {
    throw makeUnprocessableError(
      `The upload is not finished: ${upload.received} of ${upload.size} bytes have arrived. Send the rest, then try again.`,
      'upload-not-finished',
      field,
    );
  }
  if (upload.kind !== wantedKinds[field]) {
    const message =
      upload.kind === 'subtitles'
        ? 'The upload is a subtitle file, not a video.'
        : 'The upload is a video, not a subtitle file: the name of a subtitle file ends in .srt, .vtt, .ass, .ssa, .sbv or .ttml.';
    throw makeUnprocessableError(message, 'upload-of-another-kind', field);
  }
}

/** An upload of a request, by the field that names it. */
export interface AskedUpload {
  field: UploadField;
  id: string;
}

/** A new task takes its user's uploads. Throws as {@link requireUsable}. */
export async function takeUploads(
  trx: Trx,
  task: { id: string; authorId: string },
  asked: readonly AskedUpload[],
): Promise<void> {
  for (const { field, id } of asked) {
    const upload = await trx
      .selectFrom('uploads')
      .selectAll()
      .where('id', '=', id)
      .where('author_id', '=', task.authorId)
      .forKeyShare()
      .executeTakeFirst();
    requireUsable(field, upload);
    await trx
      .insertInto('upload_uses')
      .values({ task_id: task.id, field, upload_id: id })
      .execute();
  }
}

/** A task takes another subtitle file, or none. Throws as {@link requireUsable}. */
export async function replaceSubtitles(
  trx: Trx,
  task: { id: string; authorId: string },
  asked: readonly AskedUpload[],
): Promise<void> {
  const before = await trx
    .deleteFrom('upload_uses')
    .where('task_id', '=', task.id)
    .where('field', '=', 'subtitles_url')
    .returning('upload_id as id')
    .execute();
  await takeUploads(trx, task, asked);
  await sql`select from uploads where id = ${matchAny(listIds(before))} for update`.execute(trx);
  await deleteUploads(trx, listIds(before));
}

/** The files of the uploads that a task has taken. */
export async function readTaskUploads(
  db: Db,
  taskId: string,
): Promise<Partial<Record<UploadField, string>>> {
  const rows = await db
    .selectFrom('upload_uses')
    .innerJoin('uploads', 'uploads.id', 'upload_uses.upload_id')
    .select(['field', 'file_key'])
    .where('task_id', '=', taskId)
    .execute();
  return Object.fromEntries(rows.map(({ field, file_key }) => [field, file_key]));
}

/** Releases the uploads of tasks, so that others can use them. Returns their ids. */
export async function releaseUploads(trx: Trx, taskIds: readonly string[]): Promise<string[]> {
  const rows = await trx
    .deleteFrom('upload_uses')
    .where('task_id', '=', matchAny(taskIds))
    .returning('upload_id')
    .execute();
  return [...new Set(rows.map(({ upload_id }) => upload_id))];
}

/** Tasks need their uploads no more: those that no other task has are deleted. */
export async function deleteUnusedUploads(trx: Trx, taskIds: readonly string[]): Promise<void> {
  const ids = await releaseUploads(trx, taskIds);
  if (ids.length === 0) return;
  // A task that is just being made holds its uploads: what it has taken is seen afterwards.
  await sql`select from uploads where id = ${matchAny(ids)} order by id for update`.execute(trx);
  await deleteUploads(trx, ids);
}
