import type { Kysely } from 'kysely';
import type { Database } from './schema.ts';

/**
 * Whether a row may be there whose insertion has failed: a connection that was lost during the commit says nothing about
 * it. Also true where the database cannot be asked: a file too many is better than a row without its file.
 */
export const mayBeKept = async (
  db: Kysely<Database>,
  table: 'tasks' | 'exports',
  id: string,
): Promise<boolean> => {
  try {
    const row = await db
      .selectFrom(table as 'exports')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst();
    return row !== undefined;
  } catch {
    return true;
  }
};
