import {
  analysisCovers,
  type Edit,
  errorText,
  type FramingAnalysis,
  analyseFraming,
  moveToSegment,
  framedEdit,
  sourceCaptionsNote,
  segmentCovers,
} from 'clip-engine';
import type { KeptSource, KeptStretch } from '../db/schema.ts';
import { WorkFailure } from '../queue/queue.ts';
import type { ServiceContext } from '../context.ts';
import { keepLook, readLook } from './preview-queries.ts';

/** What a clip is rendered from: its stretch or, without one, the source. */
export interface ClipSource {
  path: string;
  /** The edit for a render from this file. */
  on: (edit: Edit) => Edit;
}

/** Opens what an edit of a clip is rendered from. */
export async function openClip(
  localPath: (key: string) => Promise<string>,
  { stretch, source, edit }: { stretch: KeptStretch | null; source: KeptSource | null; edit: Edit },
): Promise<ClipSource> {
  if (stretch && segmentCovers(stretch, edit)) {
    return { path: await localPath(stretch.key), on: (one) => moveToSegment(one, stretch) };
  }
  if (!source) throw new WorkFailure('source-gone', 'The source of this clip is no longer kept.');
  return { path: await localPath(source.key), on: (one) => one };
}

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
