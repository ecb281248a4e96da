import type { Edit } from 'clip-engine';
import { sql } from 'kysely';
import { makeUnprocessableError } from '../api-error.ts';
import type { Db, MediaRow } from '../db/schema.ts';
import { WorkFailure } from '../queue/queue.ts';
import {
  isNamed,
  lockOrganization,
  markDeleted,
  type MediaPlace,
  mediaPlaces,
  type NewRow,
  requireRoom,
} from './queries.ts';

/** Media as an edit or a style names it. */
type Naming = { readonly [Place in MediaPlace]?: { readonly id: string } | undefined };

const getKind = (place: MediaPlace): MediaRow['kind'] => (place === 'music' ? 'music' : 'bumper');

/** Lists the ids of the media that an edit or a style names. */
export const listMediaIds = (naming: Naming): string[] =>
  mediaPlaces.flatMap((place) => naming[place]?.id ?? []);

/** An organization's media by name: what clips can choose, and what this clip has. */
export const listMedia = (
  db: Db,
  organizationId: string,
  current: readonly string[] = [],
): Promise<MediaRow[]> =>
  db
    .selectFrom('media')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where((is) =>
      is.or([is('deleted_at', 'is', null), sql<boolean>`id = any(${current}::text[])`]),
    )
    .orderBy('name')
    .orderBy('id')
    .execute();

/**
 * Throws 422 for media that the organization does not have.
 * @param before what was named until now, and may be deleted
 * @param path of the object that names it
 */
export async function requireMedia(
  db: Db,
  organizationId: string,
  { before, after }: { before: Naming; after: Naming },
  path: string,
): Promise<void> {
  const changed = mediaPlaces.filter(
    (place) => after[place] && after[place].id !== before[place]?.id,
  );
  if (changed.length === 0) return;
  const known = await listMedia(db, organizationId);
  for (const place of changed) {
    const { id } = after[place]!;
    const kind = getKind(place);
    if (known.some((one) => one.id === id && one.kind === kind)) continue;
    const list = kind === 'music' ? 'music' : 'bumpers';
    const message = `The organization has no ${kind} ${id}: use an id of GET /${list}.`;
    throw makeUnprocessableError(message, `${kind}-unknown`, `${path}.${place}.id`);
  }
}

/** Throws 422 if there is too much. */
export const insertMedia = (
  db: Db,
  row: NewRow,
  media: Pick<MediaRow, 'id' | 'kind' | 'name' | 'seconds' | 'bytes' | 'file_key'>,
): Promise<MediaRow> =>
  db.transaction().execute(async (trx) => {
    await requireRoom(trx, row, media.kind, media.id);
    return trx
      .insertInto('media')
      .values({ organization_id: row.organizationId, ...media })
      .returningAll()
      .executeTakeFirstOrThrow();
  });

/** Deletes media. Clips that have it keep it. Throws 422 if a style preset names it. */
export const deleteMedia = (
  db: Db,
  organizationId: string,
  { id, kind }: Pick<MediaRow, 'id' | 'kind'>,
): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    await lockOrganization(trx, organizationId);
    const known = await listMedia(trx, organizationId);
    if (!known.some((one) => one.id === id && one.kind === kind)) return false;
    const { rows } = await sql<{ id: string }>`select id from style_presets
      where organization_id = ${organizationId} and ${isNamed('style', sql`${id}`)}`.execute(trx);
    if (rows[0]) {
      const message = `The style preset ${rows[0].id} has this ${kind}: change the preset first.`;
      throw makeUnprocessableError(message, `${kind}-in-use`);
    }
    return markDeleted(trx, 'media', organizationId, id);
  });

/** The length of the bumpers of an edit together, in seconds, and that of its intro alone. */
export async function readBumperSeconds(
  db: Db,
  { intro, outro }: Naming,
): Promise<{ intro: number; all: number }> {
  const ids = listMediaIds({ intro, outro });
  if (ids.length === 0) return { intro: 0, all: 0 };
  const rows = await db
    .selectFrom('media')
    .select(['id', 'seconds'])
    .where('id', 'in', ids)
    .execute();
  const read = (one: { id: string } | undefined) =>
    rows.find(({ id }) => id === one?.id)?.seconds ?? 0;
  return { intro: read(intro), all: read(intro) + read(outro) };
}

/** Brings media that an edit names here. Returns the paths. */
export async function findMediaFiles<Place extends MediaPlace>(
  db: Db,
  edit: Edit,
  places: readonly Place[],
  localPath: (key: string) => Promise<string>,
): Promise<{ [Key in Place]?: string }> {
  const files: { [Key in Place]?: string } = {};
  for (const place of places) {
    const id = edit[place]?.id;
    if (id === undefined) continue;
    const query = db.selectFrom('media').select('file_key').where('id', '=', id);
    const row = await query.executeTakeFirst();
    if (!row) {
      const message = `The ${place} of this clip is no longer stored: choose another.`;
      throw new WorkFailure(`${getKind(place)}-gone`, message);
    }
    files[place] = await localPath(row.file_key);
  }
  return files;
}
