import type { ViewRecord } from 'clip-kit/contract';
import { sql } from 'kysely';
import type { Db, Trx } from '../db/schema.ts';
import {
  addRecord,
  pickNewMarks,
  noViews,
  type ViewCounts,
  type Visit,
  type ReportedViews,
} from './rules.ts';

const atATime = 500;

/** The time for which one visit's worth is all that an address can add to a clip. */
const visitTime = sql`interval '1 minute'`;

/** Deletes visits that have ended, with their hashed addresses. Returns their number. */
export async function deleteEndedVisits(db: Db): Promise<number> {
  const { rows } = await sql`
    delete from view_visits where (project_id, visitor) in (
      select project_id, visitor from view_visits where ends_at <= now()
        limit ${atATime} for update skip locked
    ) returning 1`.execute(db);
  return rows.length;
}

/** The parts of a clip that an address has watched, as an organization reports it. */
export interface WatchedVisit {
  organizationId: string;
  visitor: string;
  record: ViewRecord;
}

/** The organizations' own of the clips, with their seconds. Locks them. */
async function lockClips(
  trx: Trx,
  visits: readonly WatchedVisit[],
): Promise<Map<string, { organizationId: string; duration: number }>> {
  const clips = new Map(
    visits.map(({ organizationId, record: { project_id } }) => [
      `${organizationId} ${project_id}`,
      { id: project_id, organizationId },
    ]),
  );
  const sent = [...clips.values()];
  // In the order in which clips are deleted.
  const { rows } = await sql<{ id: string; organizationId: string; duration: number }>`
    select projects.id, users.organization_id as "organizationId",
        (edit ->> 'duration')::double precision as duration
      from unnest(${sent.map(({ id }) => id)}::text[],
          ${sent.map(({ organizationId }) => organizationId)}::text[])
          as sent (id, organization_id)
        join projects on projects.id = sent.id
        join users on users.id = projects.author_id
          and users.organization_id = sent.organization_id
      order by projects.id for key share of projects`.execute(trx);
  return new Map(rows.map(({ id, ...clip }) => [id, clip]));
}

/**
 * Returns the additions of each address to each clip in the last minute, by clip and address. Locks
 * them.
 */
async function openVisits(trx: Trx, visits: readonly WatchedVisit[]): Promise<Map<string, Visit>> {
  const { rows } = await sql<Visit & { project_id: string; visitor: string }>`
    insert into view_visits as visit (project_id, visitor, ends_at)
      select project_id, visitor, now() + ${visitTime}
        from unnest(${visits.map(({ record }) => record.project_id)}::text[],
          ${visits.map(({ visitor }) => visitor)}::text[]) as sent (project_id, visitor)
        order by project_id, visitor
      on conflict (project_id, visitor) do update set
        begun = visit.begun and visit.ends_at > now(),
        marks = case when visit.ends_at > now() then visit.marks else '{}' end,
        ends_at = case when visit.ends_at > now() then visit.ends_at else excluded.ends_at end
      returning project_id, visitor, begun, marks`.execute(trx);
  return new Map(rows.map((row) => [`${row.project_id} ${row.visitor}`, row]));
}

async function addToClips(trx: Trx, added: readonly ViewRecord[]): Promise<void> {
  const byClip = Map.groupBy(added, ({ project_id }) => project_id);
  // Whatever there is, to lock it.
  const { rows } = await sql<ViewCounts & { project_id: string }>`
    insert into clip_views as counted (project_id)
      select id from unnest(${[...byClip.keys()]}::text[]) as sent (id) order by id
      on conflict (project_id) do update set views = counted.views
      returning project_id, views, muted, marks, places`.execute(trx);
  const counts = rows.map(({ project_id, ...before }) => ({
    project_id,
    ...byClip.get(project_id)!.reduce(addRecord, before),
  }));
  await sql`update clip_views
    set views = now.views, muted = now.muted, marks = now.marks, places = now.places
    from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb)
      as now (project_id text, views integer, muted integer, marks integer[], places jsonb)
    where clip_views.project_id = now.project_id`.execute(trx);
}

/**
 * Counts the views of the organizations' own clips, once for each clip and address; other clips are
 * left out. In a minute, an address adds one visit's worth to a clip: one view, and each ten
 * seconds once.
 */
export async function countViews(db: Db, visits: readonly WatchedVisit[]): Promise<void> {
  await deleteEndedVisits(db);
  await db.transaction().execute(async (trx) => {
    const clips = await lockClips(trx, visits);
    const own = visits.filter(
      ({ organizationId, record }) =>
        clips.get(record.project_id)?.organizationId === organizationId,
    );
    if (own.length === 0) return;
    const known = await openVisits(trx, own);
    const added = own.flatMap(({ visitor, record }) => {
      const visit = known.get(`${record.project_id} ${visitor}`)!;
      const more = pickNewMarks(record, visit, clips.get(record.project_id)!.duration);
      return more.begins || more.marks.length > 0 ? [{ visitor, visit, record: more }] : [];
    });
    if (added.length === 0) return;
    const after = added.map(({ visitor, visit, record: { project_id, begins, marks } }) => ({
      ...{ project_id, visitor, begun: visit.begun || begins },
      marks: [...visit.marks, ...marks],
    }));
    await sql`update view_visits set begun = now.begun, marks = now.marks
      from jsonb_to_recordset(${JSON.stringify(after)}::jsonb)
        as now (project_id text, visitor text, begun boolean, marks integer[])
      where view_visits.project_id = now.project_id
        and view_visits.visitor = now.visitor`.execute(trx);
    await addToClips(
      trx,
      added.map(({ record }) => record),
    );
  });
}

/** Reads the counts of a clip. */
export async function readViews(db: Db, projectId: string): Promise<ViewCounts> {
  const { rows } = await sql<ViewCounts>`select views, muted, marks, places from clip_views
    where project_id = ${projectId}`.execute(db);
  return rows[0] ?? noViews;
}

/** Lists the counts of a clip, or of the watched clips of an organization, most views first. */
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
