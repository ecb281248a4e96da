import { sql } from 'kysely';
import type { ServiceContext } from '../context.ts';
import {
  isOfTheInput,
  ProcessError,
  errorText,
  lookAtClip,
  framedEdit,
  largestWindow,
  isCut,
  type Edit,
} from 'clip-engine';

/**
 * The project's edit with its framing: its pictures are looked at before it is rendered for the first time, and the edit is
 * kept. Where they cannot be, the first guess stays. Reports the share of the looking that is done.
 */
export const framed = async (
  service: ServiceContext,
  project: { id: string; edit: Edit },
  source: string,
  { signal, onProgress }: { signal: AbortSignal; onProgress?: (share: number) => void },
): Promise<Edit> => {
  const { id, edit } = project;
  if (!edit.unseen) return edit;
  const failed = (error: unknown) =>
    service.log({
      event: 'framing-failed',
      id,
      message: errorText(error),
    });
  const { unseen: _, ...guess } = edit;
  let kept: Edit = guess;
  try {
    const { faces, salient } = await service.finders();
    // Where nothing is cut, only captions can be in the way, and only of faces.
    const cut = isCut(edit.source, edit.framing);
    const finders = [...(faces ? [faces] : []), ...(cut ? [salient] : [])];
    const window = largestWindow(edit.source, edit.dimensions);
    if (finders.length > 0) {
      const look = await lookAtClip(source, {
        span: { start: edit.ranges[0]!.start, end: edit.ranges.at(-1)!.end },
        source: edit.source,
        shape: window.width / window.height,
        finders,
        signal,
        onBroken: failed,
        ...(onProgress && { onProgress }),
      });
      kept = framedEdit(edit, look);
    }
  } catch (error) {
    // What the machine is to blame for is tried again.
    if (!(error instanceof ProcessError) || !isOfTheInput(error)) throw error;
    failed(error);
  }
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
