import { sql, type Kysely } from 'kysely';

const statements = [
  // Null: an earlier version made the clip.
  `alter table projects
    add column if not exists titles jsonb,
    add column if not exists description text,
    add column if not exists tags jsonb,
    add column if not exists made_name text`,
  `alter table exports
    add column if not exists description text,
    add column if not exists tags jsonb,
    add column if not exists cover_key text`,
];

/** What to write when a clip is posted, and the cover beside its export. */
export const postTexts = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
