import { isDeepStrictEqual } from 'node:util';
import type { EditInputs, Edit, FramingAnalysis, Span } from 'clip-engine';
import type { EditChanges } from 'clip-kit/contract';
import { sql } from 'kysely';
import { ApiError } from '../api-error.ts';
import { deleteJobs, lockTurns, putOffJob, takeTurns } from '../queue/queries.ts';
import type { Queue } from '../queue/queue.ts';
import { type JobAttempt, databaseNow, updateAs } from '../queue/attempt-queries.ts';
import { makeClipTexts } from '../clips/post-texts.ts';
import { type ClipWithSource, selectOwnClip, makeTextColumns } from '../clips/queries.ts';
import type { Db, ProxyRow, StoredProxy, ProjectRow, TaskRow, Trx } from '../db/schema.ts';

/** A clip with what its edit is made from. */
export interface EditedClip extends ClipWithSource, Pick<TaskRow, 'request'> {
  inputs: EditInputs;
  analysis: FramingAnalysis | null;
  changes: EditChanges;
}

/** The result of a change of a clip. */
export interface ChangedEdit {
  inputs: EditInputs;
  changes: EditChanges;
  edit: Edit;
  /** The analysis and the preview, in processor seconds of a plain machine. */
  work: number;
}

/** Another user has changed the clip. */
const makeRevisionError = (revision: number): ApiError =>
  new ApiError(
    'revision-changed',
    `The clip was changed in the meantime and is now at revision ${revision}. Read it again, then repeat your change.`,
    { headers: { ETag: `"${revision}"` } },
  );

/** The revisions that are kept, with the newest. */
const keptRevisions = 50;

const selectEdit = (db: Db, userId: string, id: string) =>
  selectOwnClip(db, userId, id, undefined)
    .innerJoin('tasks', 'tasks.id', 'projects.task_id')
    .innerJoin('edits', 'edits.project_id', 'projects.id')
    .select(['tasks.source', 'tasks.request'])
    .select(['edits.inputs', 'edits.analysis', 'edits.changes']);

/** A clip of the user's, with all that its edit is made from; undefined for another's. */
export const findEdit = (db: Db, userId: string, id: string): Promise<EditedClip | undefined> =>
  selectEdit(db, userId, id).executeTakeFirst();

/**
 * The job of a clip's preview, which begins some seconds from now: the one that waits, or a new
 * one. One that works on an earlier revision notices it, and is put back.
 */
export async function schedulePreview(
  trx: Trx,
  queue: Pick<Queue, 'send'>,
  clip: Pick<EditedClip, 'id' | 'status' | 'author_id' | 'turn'>,
  quietSeconds: number,
): Promise<void> {
  const { id, status } = clip;
  if (status === 'processing' && (await putOffJob(trx, 'preview', id, quietSeconds))) return;
  // The row was settled: whatever its job still says, its work is done.
  await deleteJobs(trx, 'preview', [id]);
  await queue.send('preview', clip, trx, quietSeconds);
}

/** Returns the inputs of a change: if they are others by now, the change is made again. */
const getInput = ({ revision, source, segment, inputs, analysis }: EditedClip) =>
  [revision, source, segment, inputs, analysis] as const;

/**
 * Changes a clip of the user's. `change` gets it as it is and returns what becomes of it, or null
 * if nothing changes. It is computed before anything is locked, and again if the clip has changed
 * meanwhile.
 * @param quietSeconds how long after the last change the preview is made
 * @param expected the revision that the change is for; null for any
 * @returns the clip as it is from then on; undefined if it is missing, or another's
 * @throws {@link revisionChanged}, or what `change` throws: then nothing has changed
 */
export async function changeEdit(
  db: Db,
  queue: Pick<Queue, 'send'>,
  {
    userId,
    id,
    expected,
    quietSeconds,
  }: { userId: string; id: string; expected: number | null; quietSeconds: number },
  change: (clip: EditedClip) => Promise<ChangedEdit | null>,
): Promise<EditedClip | undefined> {
  for (;;) {
    const clip = await findEdit(db, userId, id);
    if (!clip) return undefined;
    if (expected !== null && expected !== clip.revision) throw makeRevisionError(clip.revision);
    const changed = await change(clip);
    if (!changed) return clip;
    const saved = await saveChange(db, queue, { userId, quietSeconds }, clip, changed);
    if (saved !== 'outdated') return saved;
  }
}

const saveChange = (
  db: Db,
  queue: Pick<Queue, 'send'>,
  { userId, quietSeconds }: { userId: string; quietSeconds: number },
  seen: EditedClip,
  changed: ChangedEdit,
): Promise<EditedClip | undefined | 'outdated'> =>
  db.transaction().execute(async (trx) => {
    const { id } = seen;
    // The user before the task, and both before the clip: that is the order everywhere.
    await lockTurns(trx, userId);
    // Keeps what the preview is rendered from until the end of the transaction.
    await sql`select from tasks where id = (select task_id from projects where id = ${id})
      for share`.execute(trx);
    const clip = await selectEdit(trx, userId, id).forUpdate('projects').executeTakeFirst();
    if (!clip) return undefined;
    if (!isDeepStrictEqual(getInput(clip), getInput(seen))) return 'outdated';
    await saveRevision(trx, clip, changed);
    const row = await updateClip(trx, queue, quietSeconds, clip, changed);
    const { inputs, changes } = changed;
    return { ...clip, ...row, inputs, changes };
  });

/** Stores the changes of a clip, and those before them as a revision. */
async function saveRevision(
  trx: Trx,
  clip: EditedClip,
  { inputs, changes }: ChangedEdit,
): Promise<void> {
  const hasOtherInputs = !isDeepStrictEqual(inputs, clip.inputs);
  await trx
    .updateTable('edits')
    .set({
      changes: JSON.stringify(changes),
      ...(hasOtherInputs && { inputs: JSON.stringify(inputs) }),
    })
    .where('project_id', '=', clip.id)
    .execute();
  const before = {
    project_id: clip.id,
    revision: clip.revision,
    changes: JSON.stringify(clip.changes),
    created_at: clip.edited_at ?? clip.created_at,
  };
  await trx.insertInto('edit_revisions').values(before).execute();
  await sql`delete from edit_revisions
    where project_id = ${clip.id} and revision <= ${clip.revision + 1 - keptRevisions}`.execute(
    trx,
  );
}

/** Stores the edit and texts of a changed clip; schedules its preview if its pictures change. */
async function updateClip(
  trx: Trx,
  queue: Pick<Queue, 'send'>,
  quietSeconds: number,
  clip: EditedClip,
  { inputs, changes, edit, work }: ChangedEdit,
): Promise<ProjectRow> {
  const { id, status, author_id } = clip;
  const texts = makeTextColumns(
    makeClipTexts({ name: clip.made_name ?? clip.name, inputs }, changes),
  );
  const update = trx.updateTable('projects').where('id', '=', id).returningAll();
  const changed = { ...texts, revision: clip.revision + 1, edited_at: databaseNow };
  if (status !== 'processing' && isDeepStrictEqual(asJson(edit), clip.edit)) {
    // The pictures are the same: its preview and its exports are those of this revision, too.
    const row = await update.set(changed).executeTakeFirstOrThrow();
    const { name, description, tags, revision } = changed;
    await trx
      .updateTable('exports')
      .set({ name, description, tags, revision })
      .where('project_id', '=', id)
      .where('revision', '=', clip.revision)
      .execute();
    return row;
  }
  const [turn = clip.turn] =
    status === 'processing' ? [clip.turn] : await takeTurns(trx, 'projects', author_id, 1);
  const row = await update
    .set((own) => ({
      ...changed,
      edit: JSON.stringify(edit),
      preview: 'preparing' as const,
      preview_due_at: sql<Date>`now() + make_interval(secs => ${quietSeconds})`,
      stage: 'queued',
      share: 0,
      uncounted_attempts: own.ref('attempts'),
      work,
      turn,
    }))
    .executeTakeFirstOrThrow();
  await schedulePreview(trx, queue, { ...clip, turn }, quietSeconds);
  return row;
}

const asJson = (value: object): unknown => JSON.parse(JSON.stringify(value));

/** A revision of a clip, with its changes. */
export interface Revision {
  revision: number;
  changes: EditChanges;
  created_at: Date;
}

/** The revisions of a clip before its own, newest first. */
export const readRevisions = (db: Db, id: string): Promise<Revision[]> =>
  db
    .selectFrom('edit_revisions')
    .select(['revision', 'changes', 'created_at'])
    .where('project_id', '=', id)
    .orderBy('revision', 'desc')
    .execute();

/** The proxy of a clip; undefined if none was asked for. */
export const findProxy = (db: Db, id: string): Promise<ProxyRow | undefined> =>
  db.selectFrom('proxies').selectAll().where('id', '=', id).executeTakeFirst();

/** Whether a proxy shows the span, or is about to. */
export const isSpanShown = ({ status, span }: ProxyRow, { start, end }: Span): boolean =>
  status === 'processing' ||
  (status === 'ready' && span.start <= start + 1e-3 && span.end >= end - 1e-3);

/** Starts the proxy of a clip, unless one shows the span. Returns the proxy. */
export const startProxy = (
  db: Db,
  queue: Pick<Queue, 'send'>,
  { id, author_id }: Pick<ProjectRow, 'id' | 'author_id'>,
  span: Span,
): Promise<ProxyRow | undefined> =>
  db.transaction().execute(async (trx: Trx) => {
    // One call at a time; and the user before the row, as everywhere.
    await lockTurns(trx, author_id);
    const known = await findProxy(trx, id);
    if (known && isSpanShown(known, span)) return known;
    const [turn] = await takeTurns(trx, 'proxies', author_id, 1);
    const waiting = {
      author_id,
      turn: turn!,
      span: JSON.stringify(span),
      status: 'processing' as const,
      stage: 'queued',
      share: 0,
      failure_code: null,
      failure_message: null,
      finished_at: null,
    };
    const clip = await sql`select from projects where id = ${id} for key share`.execute(trx);
    // Deleted meanwhile.
    if (clip.rows.length === 0) return undefined;
    const proxy = await trx
      .insertInto('proxies')
      .values({ id, ...waiting })
      .onConflict((row) =>
        row
          .column('id')
          .doUpdateSet((to) => ({ ...waiting, uncounted_attempts: to.ref('proxies.attempts') })),
      )
      .returningAll()
      .executeTakeFirstOrThrow();
    await deleteJobs(trx, 'proxy', [id]);
    await queue.send('proxy', { id, turn: turn!, author_id }, trx);
    return proxy;
  });

/** The proxy is ready. Throws `AttemptLost`. */
export const finishProxy = (db: Db, attempt: JobAttempt, made: StoredProxy): Promise<unknown> =>
  updateAs(db, attempt, {
    status: 'ready',
    share: 1,
    made: JSON.stringify(made),
    finished_at: databaseNow,
  });

/**
 * Deletes the proxies of clips that can no longer be rendered. Returns the prefixes of their files.
 */
export async function deleteProxies(trx: Trx, taskIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ prefix: string }>`
    delete from proxies using projects join tasks on tasks.id = projects.task_id
      where proxies.id = projects.id and tasks.id = any(${taskIds}::text[])
        and tasks.source is null and projects.segment is null
      returning 'proxies/' || proxies.id as prefix`.execute(trx);
  return rows.map(({ prefix }) => prefix);
}
