import { errorText, lookAndFrame, type Edit } from 'clip-engine';
import { sql } from 'kysely';
import type { ServiceContext } from '../context.ts';

/** The project's edit with its framing: its pictures are looked at before the first render, and the edit is kept. */
export const framed = async (
  service: ServiceContext,
  project: { id: string; edit: Edit },
  source: string,
  options: { signal: AbortSignal; onProgress?: (share: number) => void },
): Promise<Edit> => {
  const { id, edit } = project;
  if (!edit.unseen) return edit;
  const kept = await lookAndFrame(edit, source, {
    ...options,
    finders: await service.finders(),
    onFailed: (error) => service.log({ event: 'framing-failed', id, message: errorText(error) }),
  });
  // Whoever looked at it first decides, so that the preview and all exports show the same.
  await service.db
    .updateTable('projects')
    .set({ edit: JSON.stringify(kept) })
    .where('id', '=', id)
    .where(sql`edit -> 'unseen'`, 'is not', null)
    .execute();
  const { edit: stored } = await service.db
    .selectFrom('projects')
    .select('edit')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return stored;
};
