import type { Edit } from 'clip-engine';
import { sql } from 'kysely';
import { makeUnprocessableError } from '../api-error.ts';
import type { Db, MusicRow } from '../db/schema.ts';
import { WorkFailure } from '../queue/queue.ts';
import { requireRoom, lockOrganization, markDeleted, type NewRow } from './queries.ts';

/** The organization's music by name: what clips can choose, and what this clip has. */
export const listMusic = (
  db: Db,
  organizationId: string,
  current: string | null = null,
): Promise<MusicRow[]> =>
  db
    .selectFrom('music')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where((is) => is.or([is('deleted_at', 'is', null), is('id', '=', current)]))
    .orderBy('name')
    .orderBy('id')
    .execute();

/** Throws 422 for music that the organization does not have. */
export async function requireMusic(
  db: Db,
  organizationId: string,
  id: string | undefined,
  path: string,
): Promise<void> {
  if (id === undefined || (await listMusic(db, organizationId)).some((one) => one.id === id))
    return;
  const message = `The organization has no music ${id}: use an id of GET /music.`;
  throw makeUnprocessableError(message, 'music-unknown', path);
}

/** Throws 422 if there is too much. */
export const insertMusic = (
  db: Db,
  row: NewRow,
  music: Pick<MusicRow, 'id' | 'name' | 'seconds' | 'bytes' | 'file_key'>,
): Promise<MusicRow> =>
  db.transaction().execute(async (trx) => {
    await requireRoom(trx, row, 'music', music.id);
    return trx
      .insertInto('music')
      .values({ organization_id: row.organizationId, ...music })
      .returningAll()
      .executeTakeFirstOrThrow();
  });

/** Deletes music. Clips that have it keep it. Throws 422 if a style preset names it. */
export const deleteMusic = (db: Db, organizationId: string, id: string): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    await lockOrganization(trx, organizationId);
    const { rows } = await sql<{ id: string }>`select id from style_presets
      where organization_id = ${organizationId} and style -> 'music' ->> 'id' = ${id}`.execute(trx);
    if (rows[0]) {
      const message = `The style preset ${rows[0].id} has this music: change the preset first.`;
      throw makeUnprocessableError(message, 'music-in-use');
    }
    return markDeleted(trx, 'music', organizationId, id);
  });

/** The music of an edit as a local file; undefined for an edit without. */
export async function findMusicFile(
  db: Db,
  { music }: Edit,
  localPath: (key: string) => Promise<string>,
): Promise<string | undefined> {
  if (!music) return undefined;
  const row = await db
    .selectFrom('music')
    .select('file_key')
    .where('id', '=', music.id)
    .executeTakeFirst();
  if (row) return localPath(row.file_key);
  throw new WorkFailure(
    'music-gone',
    'The music of this clip is no longer stored: choose another.',
  );
}
