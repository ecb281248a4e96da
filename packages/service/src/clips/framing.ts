import {
  analysisCovers,
  errorText,
  analyseFraming,
  framedEdit,
  sourceCaptionsNote,
  type Edit,
  type FramingAnalysis,
} from 'clip-engine';
import type { ServiceContext } from '../context.ts';
import { keepLook, readLook } from './look-queries.ts';
import type { ClipSource } from './clip-source.ts';

/** The same look by the clock of a file that begins so much earlier. */
const later = (look: FramingAnalysis, seconds: number): FramingAnalysis => ({
  ...look,
  span: { start: look.span.start + seconds, end: look.span.end + seconds },
});

/** The edit with its framing: its pictures are looked at once, before the first render. */
export async function framed(
  service: Pick<ServiceContext, 'db' | 'finders' | 'log'>,
  { id, edit }: { id: string; edit: Edit },
  source: ClipSource,
  options: { signal: AbortSignal; onProgress?: (share: number) => void },
): Promise<Edit> {
  if (!edit.unseen) return edit;
  const onFile = source.on(edit);
  const offset = edit.ranges[0]!.start - onFile.ranges[0]!.start;
  const known = await readLook(service.db, id);
  const isKnown = known !== null && analysisCovers(known, edit);
  const seen = isKnown
    ? known
    : await analyseFraming(onFile, source.path, {
        ...options,
        known: known && later(known, -offset),
        finders: service.finders,
        onFailed: (error) =>
          service.log({ event: 'framing-failed', id, message: errorText(error) }),
      }).then((look) => later(look, offset));
  const kept = await keepLook(service.db, id, (now) => {
    const look = now.look && analysisCovers(now.look, edit) ? now.look : seen;
    const own =
      now.edit.unseen && analysisCovers(look, now.edit) ? framedEdit(now.edit, look) : now.edit;
    const doubled = own !== now.edit && own.sourceCaptions;
    return { look, edit: own, notes: doubled ? [sourceCaptionsNote] : [] };
  });
  return framedEdit(edit, kept ?? seen);
}
