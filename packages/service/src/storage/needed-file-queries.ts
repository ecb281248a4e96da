import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';
import type { StoredKind } from './stored-kinds.ts';

type Named = { id: string; working: boolean; keys: (string | null)[] };
type FilesOf = (ids: readonly string[]) => ReturnType<typeof sql<Named>>;

const filesOf: Readonly<Record<StoredKind, FilesOf>> = {
  sources: (ids) => sql<Named>`
    select id, status = 'processing' as working,
        array[source ->> 'key', source ->> 'transcriptKey'] as keys
      from tasks where id = any(${ids}::text[])`,
  stretches: (ids) => sql<Named>`
    select tasks.id, tasks.status = 'processing' as working,
        array_agg(projects.stretch ->> 'key') as keys
      from tasks left join projects on projects.task_id = tasks.id
      where tasks.id = any(${ids}::text[]) group by tasks.id`,
  posters: (ids) => sql<Named>`
    select tasks.id, tasks.status = 'processing' as working,
        array_agg(projects.poster_key) as keys
      from tasks left join projects on projects.task_id = tasks.id
      where tasks.id = any(${ids}::text[]) group by tasks.id`,
  previews: (ids) => sql<Named>`
    select id, status = 'processing' as working,
        array[preview_key, poster_key, storyboard ->> 'key'] as keys
      from projects where id = any(${ids}::text[])`,
  films: (ids) => sql<Named>`
    select id, status = 'processing' as working,
        array[made ->> 'videoKey', made ->> 'stripKey'] as keys
      from films where id = any(${ids}::text[])`,
  exports: (ids) => sql<Named>`
    select id, status = 'processing' as working, array[file_key] as keys
      from exports where id = any(${ids}::text[])`,
  watermarks: (ids) => sql<Named>`
    select id, status = 'processing' as working,
        array[case when status <> 'error' then watermark ->> 'key' end] as keys
      from exports where id = any(${ids}::text[])`,
  pictures: (ids) => sql<Named>`
    select id, status = 'processing' as working, array[picture_key] as keys
      from tasks where id = any(${ids}::text[])`,
  uploads: (ids) => sql<Named>`
    select id, finished_at is null as working, array[file_key] as keys
      from uploads where id = any(${ids}::text[])`,
};

/** Of these ids, the files that rows name; `null` for a row that is at work and may have more. */
export async function neededFiles(
  db: Db,
  kind: StoredKind,
  ids: readonly string[],
): Promise<Map<string, ReadonlySet<string> | null>> {
  const { rows } = await filesOf[kind](ids).execute(db);
  return new Map(
    rows.map(({ id, working, keys }) => [
      id,
      working ? null : new Set(keys.filter((key) => key !== null)),
    ]),
  );
}
