import { randomUUID } from 'node:crypto';
import type { NewShare } from 'clip-kit/contract';
import { sql } from 'kysely';
import { hashKey, makeRandomKey } from '../db/id.ts';
import type { Db, ShareRow } from '../db/schema.ts';

/** A clip of a user, or a folder with all clips of a video. */
export interface Shared {
  readonly userId: string;
  readonly kind: 'project' | 'folder';
  readonly id: string;
}

/** Open links of one clip or folder. */
export const maxOpenShares = 100;

const matchShared = ({ userId, kind, id }: Shared) =>
  sql<boolean>`author_id = ${userId} and ${sql.ref(`${kind}_id`)} = ${id}`;

const hasEnded = sql`coalesce(expires_at <= now(), false)`;

/** Makes a link, and the key that opens it, of which only the hash is stored; null at the limit. */
export async function insertShare(
  db: Db,
  shared: Shared,
  { download = false, expires_at: end }: NewShare,
): Promise<{ row: ShareRow; key: string } | null> {
  const { userId, kind, id } = shared;
  const key = makeRandomKey();
  const { rows } = await sql<ShareRow>`
    insert into share_links (id, author_id, ${sql.ref(`${kind}_id`)}, hash, download, expires_at)
      select ${randomUUID()}, ${userId}, id, ${hashKey(key)}, ${download}, ${end ?? null}::timestamptz
        from ${sql.table(`${kind}s`)} where id = ${id} and ${maxOpenShares} > (
          select count(*) from share_links
            where ${matchShared(shared)} and revoked_at is null and not ${hasEnded})
        for key share
      returning *`.execute(db);
  return rows[0] ? { row: rows[0], key } : null;
}

/** The links of a clip or folder, the newest first. */
export const listShares = (db: Db, shared: Shared): Promise<ShareRow[]> =>
  db
    .selectFrom('share_links')
    .selectAll()
    .where(matchShared(shared))
    .orderBy('created_at', 'desc')
    .execute();

/** Revokes a link, once and for all; false if there is none. */
export async function revokeShare(db: Db, shared: Shared, id: string): Promise<boolean> {
  const { rows } = await sql`update share_links set revoked_at = coalesce(revoked_at, now())
    where id = ${id} and ${matchShared(shared)} returning id`.execute(db);
  return rows.length > 0;
}

/** A link with what its pages need to know. */
export type OpenedShare = ShareRow & {
  readonly state: 'open' | 'revoked' | 'ended';
  /** The name of the folder. */
  readonly name: string | null;
};

/** Finds a link by its id and key. A wrong key takes as long as an unknown id. */
export async function findShare(db: Db, id: string, key: string): Promise<OpenedShare | undefined> {
  const { rows } = await sql<OpenedShare>`
    select share_links.*, name, case when revoked_at is not null then 'revoked'
        when ${hasEnded} then 'ended' else 'open' end as state
      from share_links left join folders on folders.id = folder_id
      where share_links.id = ${id} and hash = ${hashKey(key)}`.execute(db);
  return rows[0];
}
