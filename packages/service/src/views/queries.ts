import type { ViewBatch, ViewRecord } from 'clip-kit/contract';
import { sql } from 'kysely';
import type { Db, Trx } from '../db/schema.ts';
import {
  addRecord,
  mergeRecords,
  newOfVisit,
  noViews,
  type ViewCounts,
  type Visit,
  type ReportedViews,
} from './rules.ts';

const atATime = 500;

/** How long one visit's worth is all that an address can add to a clip. */
const visitTime = sql`interval '1 minute'`;

/** Deletes visits that are over, with what is known of their addresses. Returns their number. */
export async function deleteEndedVisits(db: Db): Promise<number> {
  const { rows } = await sql`
    delete from view_visits where (project_id, visitor) in (
      select project_id, visitor from view_visits where ends_at <= now()
        limit ${atATime} for update skip locked
    ) returning 1`.execute(db);
  return rows.length;
}

/** What an address has added to a clip in the last minute. Locks it. */
async function openVisit(trx: Trx, projectId: string, visitor: string): Promise<Visit> {
  const { rows } = await sql<Visit>`
    insert into view_visits as visit (project_id, visitor, ends_at)
      values (${projectId}, ${visitor}, now() + ${visitTime})
      on conflict (project_id, visitor) do update set
        begun = visit.begun and visit.ends_at > now(),
        marks = case when visit.ends_at > now() then visit.marks else '{}' end,
        ends_at = case when visit.ends_at > now() then visit.ends_at else excluded.ends_at end
      returning begun, marks`.execute(trx);
  return rows[0]!;
}

async function countView(
  trx: Trx,
  { id, duration }: { id: string; duration: number },
  visitor: string,
  records: readonly ViewRecord[],
): Promise<void> {
  const visit = await openVisit(trx, id, visitor);
  const added = newOfVisit(mergeRecords(records), visit, duration);
  if (!added.begins && added.marks.length === 0) return;
  await sql`update view_visits
    set begun = ${visit.begun || added.begins}, marks = ${[...visit.marks, ...added.marks]}::int[]
    where project_id = ${id} and visitor = ${visitor}`.execute(trx);
  await sql`insert into clip_views (project_id) values (${id}) on conflict do nothing`.execute(trx);
  const { rows } = await sql<ViewCounts>`select views, muted, marks, places from clip_views
    where project_id = ${id} for update`.execute(trx);
  const { views, muted, marks, places } = addRecord(rows[0]!, added);
  await sql`update clip_views
    set views = ${views}, muted = ${muted}, marks = ${marks}::int[],
      places = ${JSON.stringify(places)}::jsonb
    where project_id = ${id}`.execute(trx);
}

/**
 * Counts what was watched of an organization's clips; other clips are left out. In a minute, an
 * address adds one visit's worth to a clip: one view, and each ten seconds once.
 */
export async function countViews(
  db: Db,
  organizationId: string,
  { visitor, views }: ViewBatch,
): Promise<void> {
  await deleteEndedVisits(db);
  const byClip = Map.groupBy(views, ({ project_id }) => project_id);
  await db.transaction().execute(async (trx) => {
    // In the order in which clips are deleted.
    const { rows } = await sql<{ id: string; duration: number }>`
      select projects.id, (edit ->> 'duration')::double precision as duration
        from projects join users on users.id = projects.author_id
        where projects.id = any(${[...byClip.keys()]}::text[])
          and users.organization_id = ${organizationId}
        order by projects.id for key share of projects`.execute(trx);
    for (const clip of rows) await countView(trx, clip, visitor ?? '', byClip.get(clip.id)!);
  });
}

/** What is counted of a clip. */
export async function readViews(db: Db, projectId: string): Promise<ViewCounts> {
  const { rows } = await sql<ViewCounts>`select views, muted, marks, places from clip_views
    where project_id = ${projectId}`.execute(db);
  return rows[0] ?? noViews;
}

/** What is counted of a clip, or of the watched clips of an organization, most views first. */
export async function listViews(
  db: Db,
  of: { organizationId: string } | { projectId: string },
): Promise<ReportedViews[]> {
  const which =
    'projectId' in of
      ? sql`projects.id = ${of.projectId}`
      : sql`users.organization_id = ${of.organizationId} and clip_views.project_id is not null`;
  const { rows } = await sql<ReportedViews>`
    select projects.id, (edit ->> 'duration')::double precision as duration,
        coalesce(views, 0) as views, coalesce(muted, 0) as muted,
        coalesce(marks, '{}') as marks, coalesce(places, '{}') as places
      from projects join users on users.id = projects.author_id
        left join clip_views on clip_views.project_id = projects.id
      where ${which} order by views desc nulls last, projects.id`.execute(db);
  return rows;
}
