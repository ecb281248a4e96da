import type { Metadata, Note } from 'clip-kit/contract';
import { sql } from 'kysely';
import { matchAny } from '../db/id.ts';
import { isAfter, type Place, placeColumn, workedColumns } from '../tasks/queries.ts';
import { type JobAttempt, databaseNow, updateAs } from '../queue/attempt-queries.ts';
import type { Db, ExportRow, PlanRow, ProjectRow, Trx, UserRow } from '../db/schema.ts';

const exportColumns = [
  ...workedColumns,
  'project_id',
  'folder_id',
  'name',
  'file_key',
  'cover_key',
  'watermark',
  'estimated_ready_at',
  'share_at',
  'started_at',
  'work',
  'copied',
  'turn',
  'revision',
  'description',
  'tags',
] as const;

/** The parts of an export that the API shows. */
export type ShownExport = Pick<ExportRow, (typeof exportColumns)[number]>;

export const readShownExports = (db: Db, ids: readonly string[]): Promise<ShownExport[]> =>
  db.selectFrom('exports').select(exportColumns).where('id', '=', matchAny(ids)).execute();

/** The `metadata` of the tasks of exports, by the ids of the exports; none where there is none. */
export async function readExportMetadata(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Metadata>> {
  const { rows } = await sql<{ id: string; metadata: Metadata }>`
    select exports.id, metadata from exports
      join projects on projects.id = exports.project_id
      join tasks on tasks.id = projects.task_id
      where exports.id = any(${ids}::text[]) and metadata is not null`.execute(db);
  return new Map(rows.map(({ id, metadata }) => [id, metadata]));
}

/** The exports of an organization, also those that failed or were deleted. */
export interface Usage {
  exports: number;
  /** Clips exported once or more. */
  clips: number;
  /** Whether the clip of this export had not been exported before. */
  isNewClip: boolean;
}

/** Which exports of a user. */
export interface ExportsQuery {
  userId: string;
  folderId?: string | undefined;
  projectId?: string | undefined;
}

function selectExports(db: Db, { userId, folderId, projectId }: ExportsQuery) {
  let query = db.selectFrom('exports').where('author_id', '=', userId);
  if (folderId !== undefined) query = query.where('folder_id', '=', folderId);
  if (projectId !== undefined) query = query.where('project_id', '=', projectId);
  return query;
}

/** The user's exports, newest first, each with its place: at most `limit`. */
export const listExports = (
  db: Db,
  asked: ExportsQuery,
  { limit, after }: { limit: number; after?: Place | undefined },
): Promise<(ShownExport & Place)[]> =>
  selectExports(db, asked)
    .where(isAfter(after))
    .select([...exportColumns, placeColumn])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

/** The number of exports in the list, and of those that are being processed. */
export interface ListState {
  all: number;
  open: number;
}

export const readListState = (db: Db, asked: ExportsQuery): Promise<ListState> =>
  selectExports(db, asked)
    .select([
      sql<number>`count(*)::int`.as('all'),
      sql<number>`(count(*) filter (where status = 'processing'))::int`.as('open'),
    ])
    .executeTakeFirstOrThrow();

/** The user's newest export of the clip in a state: of a revision, or of any. */
export const findNewest = (
  db: Db,
  userId: string,
  projectId: string,
  status: ExportRow['status'],
  revision?: number,
): Promise<ExportRow | undefined> =>
  db
    .selectFrom('exports')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('author_id', '=', userId)
    .where('status', '=', status)
    .$if(revision !== undefined, (own) => own.where('revision', '=', revision!))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();

/** The plan of the user's organization, and its usage before an export of the clip. */
export async function readUsage(
  db: Db,
  { organization_id: organizationId }: UserRow,
  clipId: string,
): Promise<{ plan: PlanRow; usage: Usage }> {
  const { exports, clips, isNewClip, ...plan } = await db
    .selectFrom('organizations')
    .leftJoin('export_counts', 'export_counts.organization_id', 'organizations.id')
    .leftJoin('exported_clips', (join) =>
      join
        .onRef('exported_clips.organization_id', '=', 'organizations.id')
        .on('exported_clips.project_id', '=', clipId),
    )
    .select(['plan', 'export_allowance', 'state', 'exports', 'clips'])
    .select(({ eb }) => eb('exported_clips.project_id', 'is', null).as('isNewClip'))
    .where('organizations.id', '=', organizationId)
    .executeTakeFirstOrThrow();
  const usage = { exports: exports ?? 0, clips: clips ?? 0, isNewClip: Boolean(isNewClip) };
  return { plan, usage };
}

/** Adds the user's export of the clip, which waits for its job, and counts it. */
export async function insertExport(
  trx: Trx,
  { id: userId, organization_id: organizationId }: UserRow,
  clip: ProjectRow,
  {
    watermark,
    style,
    ...more
  }: Pick<
    ExportRow,
    'id' | 'watermark' | 'style' | 'duration' | 'work' | 'copied' | 'turn' | 'estimated_ready_at'
  >,
): Promise<{ made: ExportRow; usage: Usage }> {
  const { usage, ...made } = await trx
    .with(
      'clip',
      () => sql<{ project_id: string }>`
        (insert into exported_clips (organization_id, project_id)
        values (${organizationId}, ${clip.id}) on conflict do nothing returning project_id)`,
    )
    .with(
      'counted',
      () => sql<Pick<Usage, 'exports' | 'clips'>>`
        (insert into export_counts as known (organization_id, exports, clips)
        select ${organizationId}, 1, count(*) from clip
        on conflict (organization_id) do update
          set exports = known.exports + 1, clips = known.clips + excluded.clips
        returning exports, clips)`,
    )
    .insertInto('exports')
    .values({
      ...more,
      organization_id: organizationId,
      author_id: userId,
      project_id: clip.id,
      folder_id: clip.folder_id,
      name: clip.name,
      description: clip.description,
      tags: clip.tags && JSON.stringify(clip.tags),
      edit: JSON.stringify(clip.edit),
      revision: clip.revision,
      watermark: watermark && JSON.stringify(watermark),
      style: style && JSON.stringify(style),
      status: 'processing',
      stage: 'queued',
      share: 0,
    })
    .returningAll()
    .returning(
      sql<Usage>`(select json_build_object('exports', exports, 'clips', clips,
        'isNewClip', exists (select from clip)) from counted)`.as('usage'),
    )
    .executeTakeFirstOrThrow();
  return { made, usage };
}

/** The clip was to be copied, and is encoded after all. Throws `AttemptLost`. */
export const markEncoded = (db: Db, attempt: JobAttempt): Promise<unknown> =>
  updateAs(db, attempt, { copied: false });

/** The export is ready. Throws `AttemptLost`. */
export const finishExport = (
  db: Db,
  attempt: JobAttempt,
  {
    fileKey,
    coverKey = null,
    notes,
  }: { fileKey: string; coverKey?: string | null; notes: readonly Note[] },
): Promise<unknown> =>
  updateAs(db, attempt, {
    status: 'ready',
    file_key: fileKey,
    cover_key: coverKey,
    share: 1,
    notes: JSON.stringify(notes),
    finished_at: databaseNow,
  });
