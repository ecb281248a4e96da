import { errorText, lookAndFrame, sourceCaptionsNote, type Edit } from 'clip-engine';
import type { ServiceContext } from '../context.ts';
import { keepSeenEdit } from '../db/projects.ts';
import type { ClipSource } from './clip-source.ts';

/** The clip's edit with its framing: its pictures are looked at once, before the first render. */
export async function framed(
  service: Pick<ServiceContext, 'db' | 'finders' | 'log'>,
  { id, edit }: { id: string; edit: Edit },
  source: ClipSource,
  options: { signal: AbortSignal; onProgress?: (share: number) => void },
): Promise<Edit> {
  if (!edit.unseen) return edit;
  const onFile = source.on(edit);
  const seen = await lookAndFrame(onFile, source.path, {
    ...options,
    finders: service.finders,
    onFailed: (error) => service.log({ event: 'framing-failed', id, message: errorText(error) }),
  });
  // The times and tracks are those of the stretch.
  const offset = edit.ranges[0]!.start - onFile.ranges[0]!.start;
  const ranges = seen.ranges.map(({ start, end }) => ({
    start: start + offset,
    end: end + offset,
  }));
  const kept = { ...seen, source: edit.source, ranges };
  return keepSeenEdit(service.db, id, kept, seen.sourceCaptions ? [sourceCaptionsNote] : []);
}
