import type { MutedWords, OwnFont, Preset, Presets, Style } from 'clip-engine';
import type { PageLook } from 'clip-player';
import { type RawBuilder, sql } from 'kysely';
import { ApiError, makeUnprocessableError } from '../api-error.ts';
import { isDatabaseGone } from '../db/connections.ts';
import type { AppearanceRow, AppearanceValue, Db, FontRow, Trx } from '../db/schema.ts';
import { removeLater } from '../storage/queries.ts';
import {
  deletedFontDays,
  maxBumpers,
  maxFonts,
  maxMusic,
  maxPresets,
  makePageLook,
} from './rules.ts';

export const findAppearance = (
  db: Db,
  organizationId: string,
): Promise<AppearanceRow | undefined> =>
  db
    .selectFrom('appearances')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();

export async function writeAppearance(
  db: Db,
  organizationId: string,
  value: AppearanceValue,
): Promise<void> {
  const text = JSON.stringify(value);
  await db
    .insertInto('appearances')
    .values({ organization_id: organizationId, value: text })
    .onConflict((at) => at.column('organization_id').doUpdateSet({ value: text }))
    .execute();
}

/** The organization of the user who has made a clip; undefined if there is no such clip. */
async function findClipOrganization(db: Db, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ organization_id: string }>`
    select organization_id from users where id = coalesce(
      (select author_id from projects where id = ${id}),
      (select author_id from tasks where output_id = ${id} and output_type = 'project'))`.execute(
    db,
  );
  return rows[0]?.organization_id;
}

/** Finds the look of a clip's pages; the usual look for an address without one. */
export async function findLook(db: Db, id: string): Promise<PageLook | undefined> {
  try {
    const organizationId = await findClipOrganization(db, id);
    if (organizationId === undefined) return undefined;
    const [row, fonts] = await Promise.all([
      findAppearance(db, organizationId),
      listFonts(db, organizationId),
    ]);
    return row || fonts.length > 0 ? makePageLook(row, fonts) : undefined;
  } catch (error) {
    // A page without its look is better than none.
    if (isDatabaseGone(error)) return undefined;
    throw error;
  }
}

/** The organization's list of muted words; undefined if it has none. */
export async function readMutedWords(
  db: Db,
  organizationId: string,
): Promise<MutedWords | undefined> {
  const { muted_words: list } = await db
    .selectFrom('organizations')
    .select('muted_words')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return list ?? undefined;
}

export const writeMutedWords = (
  db: Db,
  organizationId: string,
  list: MutedWords,
): Promise<unknown> =>
  db
    .updateTable('organizations')
    .set({ muted_words: list.words.length > 0 ? JSON.stringify(list) : null })
    .where('id', '=', organizationId)
    .execute();

const selectOwnPresets = (db: Db, organizationId: string) =>
  db
    .selectFrom('style_presets')
    .select(['id', 'name', 'description', 'style'])
    .where('organization_id', '=', organizationId)
    .orderBy('id');

/** The ids of the presets that the organization itself has made. */
export const readOwnPresetIds = async (db: Db, organizationId: string): Promise<Set<string>> =>
  new Set((await selectOwnPresets(db, organizationId).execute()).map(({ id }) => id));

/** The presets that a user can name: the common ones, and those of the user's organization. */
export async function listPresets(
  { db, presets }: { db: Db; presets: Presets },
  user: { readonly organization_id: string },
): Promise<Presets> {
  const own = await selectOwnPresets(db, user.organization_id).execute();
  return own.length === 0
    ? presets
    : new Map([...presets, ...own.map((one) => [one.id, one] as const)]);
}

/** Locks the organization, so that two calls count its rows one after the other. */
export const lockOrganization = (trx: Trx, id: string): Promise<unknown> =>
  trx.selectFrom('organizations').select('id').where('id', '=', id).forUpdate().execute();

/** A row that an organization adds; `admit` records the call that adds it. */
export interface NewRow {
  readonly organizationId: string;
  readonly admit: (trx: Trx, id: string) => Promise<void>;
}

const limits = {
  font: {
    ...{ max: maxFonts, name: 'fonts', reason: 'too-many-fonts' },
    live: sql`fonts where deleted_at is null`,
  },
  music: {
    ...{ max: maxMusic, name: 'files of music', reason: 'too-much-music' },
    live: sql`media where deleted_at is null and kind = 'music'`,
  },
  bumper: {
    ...{ max: maxBumpers, name: 'bumpers', reason: 'too-many-bumpers' },
    live: sql`media where deleted_at is null and kind = 'bumper'`,
  },
  preset: {
    ...{ max: maxPresets, name: 'style presets', reason: 'too-many-presets' },
    live: sql`style_presets where true`,
  },
};

/** Admits one more row, and keeps its organization locked. Throws 422 if there is no room. */
export async function requireRoom(
  trx: Trx,
  { organizationId, admit }: NewRow,
  kind: keyof typeof limits,
  id: string,
): Promise<void> {
  await lockOrganization(trx, organizationId);
  await admit(trx, id);
  const { max, name, reason, live } = limits[kind];
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${live} and organization_id = ${organizationId}`.execute(
    trx,
  );
  if (rows[0]!.count < max) return;
  const message = `An organization has at most ${max} ${name}: delete one first.`;
  throw makeUnprocessableError(message, reason);
}

/** Marks a font or media as deleted: nothing new can use it. Its file is removed later. */
export async function markDeleted(
  db: Db,
  table: 'fonts' | 'media',
  organizationId: string,
  id: string,
): Promise<boolean> {
  const { rows } = await sql`update ${sql.table(table)} set deleted_at = now()
    where organization_id = ${organizationId} and id = ${id} and deleted_at is null
    returning id`.execute(db);
  return rows.length > 0;
}

/** Throws 422 if there are too many, or one has this id. */
export const insertPreset = (db: Db, row: NewRow, { style, ...preset }: Preset): Promise<Preset> =>
  db.transaction().execute(async (trx) => {
    await requireRoom(trx, row, 'preset', preset.id);
    const made = await trx
      .insertInto('style_presets')
      .values({ organization_id: row.organizationId, ...preset, style: JSON.stringify(style) })
      .onConflict((at) => at.doNothing())
      .executeTakeFirst();
    if (made.numInsertedOrUpdatedRows === 0n) {
      throw makeUnprocessableError(
        `There is a style preset ${preset.id} already.`,
        'preset-exists',
        'id',
      );
    }
    return { ...preset, style };
  });

/** A preset of the organization; undefined if it has made none of this id. */
export const findOwnPreset = (
  db: Db,
  organizationId: string,
  id: string,
): Promise<Preset | undefined> =>
  selectOwnPresets(db, organizationId).where('id', '=', id).executeTakeFirst();

/** Replaces a preset, if it is there. Exports that were started have a copy of its style. */
export async function changePreset(
  db: Db,
  organizationId: string,
  { id, style, name, description }: Preset,
): Promise<boolean> {
  const changed = await db
    .updateTable('style_presets')
    .set({ name, description, style: JSON.stringify(style) })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

export async function deletePreset(db: Db, organizationId: string, id: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('style_presets')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

export const listFonts = (db: Db, organizationId: string): Promise<FontRow[]> =>
  db
    .selectFrom('fonts')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .orderBy('family')
    .orderBy('weight')
    .execute();

export const findFont = (db: Db, id: string): Promise<FontRow | undefined> =>
  db
    .selectFrom('fonts')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

/** Throws 422 if there are too many, or one of this family and weight. */
export const insertFont = (
  db: Db,
  row: NewRow,
  font: Pick<FontRow, 'id' | 'family' | 'weight' | 'bytes' | 'file_key'>,
): Promise<FontRow> =>
  db.transaction().execute(async (trx) => {
    await requireRoom(trx, row, 'font', font.id);
    const made = await trx
      .insertInto('fonts')
      .values({ organization_id: row.organizationId, ...font })
      .onConflict((at) => at.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (made) return made;
    const message = `There is a font ${font.family}, ${font.weight}, already: delete it first.`;
    throw makeUnprocessableError(message, 'font-exists');
  });

/** The parts of an edit or a style that name media. */
export const mediaPlaces = ['music', 'intro', 'outro'] as const;
export type MediaPlace = (typeof mediaPlaces)[number];

/** Whether the edit or style in a column names the media of an id. */
export const isNamed = (column: 'edit' | 'style', id: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`(${sql.join(
    mediaPlaces.map((place) => sql`${sql.ref(column)} -> ${sql.lit(place)} ->> 'id' = ${id}`),
    sql` or `,
  )})`;

/** Whether a clip, or an export in progress, needs a file that was deleted long ago. */
const isNeeded = {
  fonts: sql`false`,
  media: sql`exists (select from projects where ${isNamed('edit', sql`media.id`)})
    or exists (select from exports
      where status = 'processing' and ${isNamed('edit', sql`media.id`)})`,
};

/** Removes some fonts or media that was deleted long ago, and returns how many. */
export const removeDeleted = (db: Db, table: keyof typeof isNeeded): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string }>`
      delete from ${sql.table(table)} where id in (select id from ${sql.table(table)}
        where deleted_at < now() - make_interval(days => ${deletedFontDays})
          and not (${isNeeded[table]}) limit 100)
        returning id`.execute(trx);
    await removeLater(
      trx,
      table,
      rows.map(({ id }) => id),
    );
    return rows.length;
  });

/**
 * The organization's fonts that styles name, as local files.
 * @param at what was started then is set in the fonts of that time; null for those of now
 */
export async function findOwnFonts(
  db: Db,
  authorId: string,
  styles: readonly Style[],
  { at, localPath }: { at: Date | null; localPath: (key: string) => Promise<string> },
): Promise<OwnFont[]> {
  const families = styles.flatMap(({ captions, title }) => [captions.font, title.font]);
  const names = [...new Set(families.map((name) => name.toLowerCase()))];
  const moment = at ? sql`${at}::timestamptz` : sql`now()`;
  const { rows } = await sql<FontRow>`
    select fonts.* from fonts join users on users.organization_id = fonts.organization_id
      where users.id = ${authorId} and lower(family) = any(${names}::text[])
        and fonts.created_at <= ${moment} and (deleted_at is null or deleted_at > ${moment})
      order by family, weight`.execute(db);
  return Promise.all(
    rows.map(async ({ family, weight, file_key }) => ({
      family,
      weight,
      path: await localPath(file_key),
    })),
  );
}

/** Makes the error for a preset that the organization has not made. */
export const makeNoPresetError = (): ApiError =>
  new ApiError('not-found', 'The organization has no style preset with this id.');
