import {
  isAnalysisComplete,
  type Edit,
  formatError,
  type FramingAnalysis,
  analyseFraming,
  moveToSegment,
  frameEdit,
  listPictureNotes,
  sourceCaptionsNote,
  isSegmentComplete,
  runUrgently,
  type Finders,
} from 'clip-engine';
import type { StoredSource, StoredSegment, Db } from '../db/schema.ts';
import { WorkFailure } from '../queue/queue.ts';
import type { Log } from '../config/config.ts';
import { storeAnalysis, findAnalysis } from '../clips/preview-queries.ts';

/** The file that a clip is rendered from: its segment or, without one, the source. */
export interface ClipSource {
  path: string;
  /** The edit for a render from this file. */
  on: (edit: Edit) => Edit;
}

/** Opens what an edit of a clip is rendered from. */
export async function openClip(
  localPath: (key: string) => Promise<string>,
  {
    segment,
    source,
    edit,
  }: { segment: StoredSegment | null; source: StoredSource | null; edit: Edit },
): Promise<ClipSource> {
  if (segment && isSegmentComplete(segment, edit)) {
    return { path: await localPath(segment.key), on: (one) => moveToSegment(one, segment) };
  }
  if (!source) throw new WorkFailure('source-gone', 'The source of this clip is no longer stored.');
  return { path: await localPath(source.key), on: (one) => one };
}

/** Moves an analysis by `seconds`. */
const shiftAnalysis = (analysis: FramingAnalysis, seconds: number): FramingAnalysis => ({
  ...analysis,
  span: { start: analysis.span.start + seconds, end: analysis.span.end + seconds },
});

interface Dependencies {
  db: Db;
  finders: Finders;
  log: Log;
}

interface AnalysisOptions {
  signal: AbortSignal;
  onProgress?: (share: number) => void;
}

/** Analyses a clip's pictures in its file; the times of the analysis are those of the source. */
async function analyseClip(
  service: { finders: Finders; log: Log },
  { id, edit }: { id: string; edit: Edit },
  source: ClipSource,
  options: AnalysisOptions & { known?: FramingAnalysis | null; isDraft?: boolean },
): Promise<FramingAnalysis> {
  const onFile = source.on(edit);
  const offset = edit.ranges[0]!.start - onFile.ranges[0]!.start;
  const analysis = await analyseFraming(onFile, source.path, {
    ...options,
    known: options.known ? shiftAnalysis(options.known, -offset) : null,
    ...(!options.isDraft && { beforePicture: waitForDrafts }),
    finders: service.finders,
    onFailed: (error) => service.log({ event: 'framing-failed', id, message: formatError(error) }),
  });
  return shiftAnalysis(analysis, offset);
}

/** Drafts that do not play yet, in this process. They never reject. */
const drafts = new Set<Promise<unknown>>();

/** Resolves when no draft of this process is waited for. */
async function waitForDrafts(): Promise<void> {
  while (drafts.size > 0) await Promise.all(drafts);
}

/**
 * Does what a person waits for until a draft plays. Other analyses of this process pause, and all
 * other work on the machine gives way.
 */
export async function startDraft(start: () => Promise<void>): Promise<void> {
  const started = runUrgently(start);
  const settled = started.catch(() => {});
  drafts.add(settled);
  await started.finally(() => drafts.delete(settled));
}

/** Whether a clip's pictures are to be analysed. */
export async function needsAnalysis(
  { db }: Dependencies,
  { id, edit }: { id: string; edit: Edit },
): Promise<boolean> {
  if (!edit.needsAnalysis) return false;
  const known = await findAnalysis(db, id);
  return known === null || !isAnalysisComplete(known, edit);
}

/** Returns the edit as a few of its pictures frame it. */
export const frameDraft = async (
  service: Dependencies,
  clip: { id: string; edit: Edit },
  source: ClipSource,
  signal: AbortSignal,
): Promise<Edit> =>
  frameEdit(clip.edit, await analyseClip(service, clip, source, { signal, isDraft: true }));

/** Returns the framed edit. Its pictures are analysed once, before the first render. */
export async function frameClip(
  service: Dependencies,
  clip: { id: string; edit: Edit },
  source: ClipSource,
  options: AnalysisOptions,
): Promise<Edit> {
  const { id, edit } = clip;
  if (!edit.needsAnalysis) return edit;
  const known = await findAnalysis(service.db, id);
  const isKnown = known !== null && isAnalysisComplete(known, edit);
  const found = isKnown ? known : await analyseClip(service, clip, source, { ...options, known });
  const stored = await storeAnalysis(service.db, id, (now) => {
    const analysis = now.analysis && isAnalysisComplete(now.analysis, edit) ? now.analysis : found;
    const own =
      now.edit.needsAnalysis && isAnalysisComplete(analysis, now.edit)
        ? frameEdit(now.edit, analysis)
        : now.edit;
    const doubled = own !== now.edit && own.sourceCaptions;
    const notes = [...listPictureNotes(analysis), ...(doubled ? [sourceCaptionsNote] : [])];
    return { analysis, edit: own, notes };
  });
  return frameEdit(edit, stored ?? found);
}
