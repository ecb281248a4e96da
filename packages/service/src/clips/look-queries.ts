import type { Edit, FramingAnalysis } from 'clip-engine';
import type { Note } from 'clip-kit/contract';
import type { Db } from '../db/schema.ts';

/** What was seen of a clip's pictures; null if nobody has looked at them. */
export const readLook = async (db: Db, projectId: string): Promise<FramingAnalysis | null> =>
  (
    await db
      .selectFrom('edits')
      .select('look')
      .where('project_id', '=', projectId)
      .executeTakeFirst()
  )?.look ?? null;

/**
 * Keeps what was seen of a clip's pictures, and the edit that is made of it. `decide` gets what is
 * kept now, and gives what is kept from then on: whoever looked first decides, so that the preview
 * and all exports show the same.
 * @returns the look that is kept; null if the clip was deleted
 */
export const keepLook = (
  db: Db,
  projectId: string,
  decide: (kept: { look: FramingAnalysis | null; edit: Edit }) => {
    look: FramingAnalysis;
    edit: Edit;
    notes: readonly Note[];
  },
): Promise<FramingAnalysis | null> =>
  db.transaction().execute(async (trx) => {
    const clip = await trx
      .selectFrom('projects')
      .select(['edit', 'notes'])
      .where('id', '=', projectId)
      .forUpdate()
      .executeTakeFirst();
    if (!clip) return null;
    const known = await readLook(trx, projectId);
    const { look, edit, notes } = decide({ look: known, edit: clip.edit });
    if (look !== known) {
      await trx
        .insertInto('edits')
        .values({ project_id: projectId, look: JSON.stringify(look) })
        .onConflict((row) => row.column('project_id').doUpdateSet({ look: JSON.stringify(look) }))
        .execute();
    }
    if (edit !== clip.edit) {
      const before = clip.notes ?? [];
      const more = notes.filter(({ code }) => before.every((note) => note.code !== code));
      await trx
        .updateTable('projects')
        .set({ edit: JSON.stringify(edit), notes: JSON.stringify([...before, ...more]) })
        .where('id', '=', projectId)
        .execute();
    }
    return look;
  });
