import { makeRandomKey } from '../db/id.ts';
import type { Db } from '../db/schema.ts';
import { openCached, settle, writeSetting } from '../db/settings.ts';
import type { LinkKeys } from './signature.ts';

const setting = 'link-keys';

const makeKeys = (): LinkKeys => ({ current: makeRandomKey(), next: makeRandomKey() });

/** The keys of signed addresses; made at first. */
export const settleLinkKeys = async (db: Db): Promise<LinkKeys> =>
  (await settle(db, setting, makeKeys)) as LinkKeys;

/**
 * Signs with the next key from now on. With `now`, both keys are replaced, and existing signatures
 * are refused.
 */
export async function replaceLinkKeys(db: Db, { now }: { now: boolean }): Promise<void> {
  const { current, next } = await settleLinkKeys(db);
  const previous = { key: current, replaced_at: new Date().toISOString() };
  const keys = now ? makeKeys() : { current: next, next: makeRandomKey(), previous };
  await writeSetting(db, setting, keys);
}

/** The keys, as they were at most ten seconds ago. */
export const openLinkKeys = (db: Db): Promise<() => Promise<LinkKeys>> =>
  openCached(() => settleLinkKeys(db));

/** Sets whether the clips of an organization are private; null: as the installation's setting. */
export const setPrivateClips = (
  db: Db,
  organizationId: string,
  isPrivate: boolean | null,
): Promise<unknown> =>
  db
    .updateTable('organizations')
    .set({ private_clips: isPrivate })
    .where('id', '=', organizationId)
    .execute();

/** Lists the settings of all organizations, the first one first. */
export const listPrivateClips = (db: Db) =>
  db
    .selectFrom('organizations')
    .select(['id as organization', 'name', 'private_clips'])
    .orderBy('created_at')
    .execute();

/** Whether an organization has set that its clips are private. */
export const hasPrivateClips = async (db: Db): Promise<boolean> =>
  (await db
    .selectFrom('organizations')
    .select('id')
    .where('private_clips', '=', true)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Reads the setting of the organization; null: as the installation. */
export const readPrivateClips = async (db: Db, id: string): Promise<boolean | null> =>
  (
    await db
      .selectFrom('organizations')
      .select('private_clips')
      .where('id', '=', id)
      .executeTakeFirst()
  )?.private_clips ?? null;
