import type { Kysely } from 'kysely';
import type { ProjectRow, Database } from './schema.ts';
import { isId } from './id.ts';

/** A folder of the user's; undefined for another's. */
export const findFolder = async (
  db: Kysely<Database>,
  userId: string,
  id: string,
): Promise<{ id: string } | undefined> =>
  isId(id)
    ? db
        .selectFrom('folders')
        .select('id')
        .where('id', '=', id)
        .where('author_id', '=', userId)
        .executeTakeFirst()
    : undefined;

/** The folder's projects, best first. */
export const listProjects = (db: Kysely<Database>, folderId: string): Promise<ProjectRow[]> =>
  db
    .selectFrom('projects')
    .selectAll()
    .where('folder_id', '=', folderId)
    .orderBy('position')
    .execute();

/**
 * A project of the user's; undefined for another's. `folderId`: an id asks for a project in that folder,
 * null for one without a folder, undefined for either.
 */
export const findProject = async (
  db: Kysely<Database>,
  userId: string,
  id: string,
  folderId?: string | null,
): Promise<ProjectRow | undefined> => {
  if (!isId(id) || (typeof folderId === 'string' && !isId(folderId))) return undefined;
  const project = await db
    .selectFrom('projects')
    .selectAll()
    .where('id', '=', id)
    .where('author_id', '=', userId)
    .executeTakeFirst();
  return folderId === undefined || project?.folder_id === folderId ? project : undefined;
};
