import { errorText, lookAndFrame, sourceCaptionsNote, type Edit } from 'clip-engine';
import type { ServiceContext } from '../context.ts';
import { keepSeenEdit } from '../db/projects.ts';
import type { ClipSource } from './clip-source.ts';

/** The clip's edit with its framing: its pictures are looked at once, before the first render. */
export async function framed(
  service: ServiceContext,
  { id, edit }: { id: string; edit: Edit },
  source: ClipSource,
  options: { signal: AbortSignal; onProgress?: (share: number) => void },
): Promise<Edit> {
  if (!edit.unseen) return edit;
  const seen = await lookAndFrame(source.on(edit), source.path, {
    ...options,
    finders: service.finders,
    onFailed: (error) => service.log({ event: 'framing-failed', id, message: errorText(error) }),
  });
  // A look changes none of these: they are those of the stretch.
  const kept = { ...seen, source: edit.source, ranges: edit.ranges };
  return keepSeenEdit(service.db, id, kept, seen.sourceCaptions ? [sourceCaptionsNote] : []);
}
