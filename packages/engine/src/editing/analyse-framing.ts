import type { Edit } from '../edit.ts';
import type { Note, Span } from '../facts.ts';
import {
  analysePictures,
  analyseStills,
  type DraftKind,
  holdSighting,
} from '../framing/analyse-pictures.ts';
import {
  createFaceFinder,
  createMouthReader,
  prepareFaceFinder,
} from '../framing/faces/face-finder.ts';
import { chooseFraming } from '../framing/framing.ts';
import { getLargestWindow, findShot, simplifyFraming } from '../framing/layout.ts';
import { createPersonFinder } from '../framing/persons/person-finder.ts';
import { createSaliencyFinder } from '../framing/saliency.ts';
import { readTalks } from '../framing/speakers/analyse-speakers.ts';
import type { PictureAnalysis, OpenFinder } from '../framing/subject-finder.ts';
import { createTextFinder } from '../framing/text/text-finder.ts';
import { withoutWallFaces } from '../framing/output-faces.ts';
import { chooseOpening } from './best-picture.ts';
import { isOfTheInput, ProcessError } from '../program/process-error.ts';
import { SourceError } from '../source/source-error.ts';
import {
  isAnalysisComplete,
  getExtent,
  type FramingAnalysis,
  needsWindows,
  frameEdit,
} from './framed-edit.ts';

interface SearchOptions {
  finders: Finders;
  signal: AbortSignal;
  /** Called with what could not be read. */
  onFailed: (error: unknown) => void;
}

interface FramingOptions extends SearchOptions {
  /** Called with the progress, 0 to 1. */
  onProgress?: (share: number) => void;
  /**
   * Searches a few pictures, and reads no mouths: takes a quarter of the time. For what a person
   * waits for until all pictures are analysed.
   * @default false
   */
  isDraft?: boolean;
  /** Awaited before each picture: the analysis pauses until it resolves. */
  beforePicture?: () => Promise<void>;
}

/** Overlap of two analyses that are joined: a cut is only found with the picture before it. */
const overlapSeconds = 1;

const shiftAnalysis = (analysis: PictureAnalysis, by: number): PictureAnalysis => ({
  cuts: analysis.cuts.map((time) => time + by),
  sightings: analysis.sightings.map((sighting) => ({ ...sighting, time: sighting.time + by })),
});

/**
 * Joins two analyses that overlap. Only the talks of whole shots are retained.
 * @param seam source seconds, where one of them begins: a cut there is known to the other
 */
function joinAnalyses(
  first: FramingAnalysis,
  second: FramingAnalysis,
  seam: number,
): FramingAnalysis {
  const next = shiftAnalysis(second, second.span.start - first.span.start);
  const at = seam - first.span.start;
  const cutsFrom = at + (second.span.start < seam ? -1e-3 : 1e-3);
  const cuts = [
    ...first.cuts.filter((time) => time < cutsFrom),
    ...next.cuts.filter((time) => time >= cutsFrom),
  ];
  const by = second.span.start - first.span.start;
  const talks = [
    ...(first.talks ?? []),
    ...(second.talks ?? []).map((talk) => ({
      ...talk,
      start: talk.start + by,
      end: talk.end + by,
    })),
  ];
  // The people of the shot at the seam are found again.
  const [from, to] = [
    cuts.findLast((time) => time <= at) ?? 0,
    cuts.find((time) => time > at) ?? Infinity,
  ];
  return {
    ...first,
    span: { start: first.span.start, end: second.span.end },
    cuts,
    sightings: [
      ...first.sightings.filter(({ time }) => time < at),
      ...next.sightings.filter(({ time }) => time >= at),
    ],
    talks: talks.filter((talk) => talk.end <= from + 1e-3 || talk.start >= to - 1e-3),
  };
}

/** A clip of which more pictures are damaged shows nothing of the video. */
const maxBrokenShare = 0.5;
/** The share of damaged pictures below which they are hardly visible. */
const minBrokenShare = 0.02;

const makeUndecodableError = (options?: ErrorOptions) =>
  new SourceError(
    'source-unsupported',
    'The pictures of this clip cannot be decoded: the video is damaged. Use an undamaged copy of it, then send a new request.',
    options,
  );

/** Lists the notes on the pictures of a clip. */
export const listPictureNotes = ({ brokenShare }: FramingAnalysis): Note[] =>
  brokenShare === undefined
    ? []
    : [
        {
          code: 'pictures-damaged',
          message: `${Math.round(100 * brokenShare)} % of the pictures of this clip are damaged in the video, and look broken or stand still. If you have an undamaged copy of it, use that in a new request.`,
        },
      ];

/** Plans the search in the pictures of an edit. */
function planSearch(edit: Edit, { finders, signal, onFailed }: SearchOptions) {
  const { faces, persons, text, salient } = finders;
  const window = getLargestWindow(edit.source, edit.dimensions);
  return {
    source: edit.source,
    shape: window.width / window.height,
    finders: [...(faces ? [faces] : []), text],
    ...(needsWindows(edit) && { ...(persons && { persons }), otherwise: salient }),
    signal,
    onBroken: onFailed,
  };
}

/** A clip of one picture is as short as this: longer ones are framed in the same way. */
const stillSeconds = 4;

/**
 * Chooses one of the pictures that an edit opens with, and frames the edit by it, as if the others
 * showed the same: for a poster of it before all are analysed.
 * @param pictures of the small size, four bytes per pixel
 * @param stepSeconds time from one to the next
 */
export async function frameOpening(
  edit: Edit,
  pictures: readonly Uint8Array[],
  { stepSeconds, ...options }: SearchOptions & { stepSeconds: number },
): Promise<{ edit: Edit; index: number }> {
  const { sightings, cuts } = await analyseStills(pictures, stepSeconds, {
    ...planSearch(edit, options),
    ...(options.finders.faces && { openReader: createMouthReader }),
  });
  // What flashes up before it is no opening: the clip is likely to begin after it.
  const begin = cuts.at(-1) ?? 0;
  const opening = sightings.flatMap(({ time, look }) => {
    if (!look || time < begin) return [];
    const { sharpness, face } = look;
    return { time, sharpness, ...(face && { face: { ...face, shown: 1 } }) };
  });
  const wanted = chooseOpening(opening)?.time ?? begin;
  const index = sightings.findIndex(({ time }) => time >= wanted);
  if (!needsWindows(edit)) return { edit, index };
  const still = { ...edit, ranges: [{ start: 0, end: stillSeconds }] };
  const shot = findShot(chooseFraming(still, holdSighting(sightings[index]!, stillSeconds)), 0);
  return { edit: { ...edit, framing: simplifyFraming([{ ...shot, to: Infinity }]) }, index };
}

/** Analyses a part of an edit's source. */
async function analysePart(
  edit: Edit,
  path: string,
  span: Span,
  options: FramingOptions,
): Promise<FramingAnalysis> {
  const { finders, isDraft, onProgress, beforePicture } = options;
  const windows = needsWindows(edit);
  const { brokenPictures = 0, ...analysis } = await analysePictures(path, {
    ...planSearch(edit, options),
    span,
    frameRate: edit.frameRate,
    ...(finders.faces && { openReader: createMouthReader }),
    ...(isDraft && { draft: chooseDraftKind(edit, span) }),
    ...(onProgress && { onProgress }),
    ...(beforePicture && { beforePicture }),
  });
  const pictures = (span.end - span.start) * edit.source.frameRate;
  const brokenShare = Math.min(1, brokenPictures / pictures);
  if (brokenShare > maxBrokenShare) throw makeUndecodableError();
  return { ...analysis, span, windows, ...(brokenShare >= minBrokenShare && { brokenShare }) };
}

/** A draft decodes all pictures of a part of at most this many millions of pixels. */
const maxDraftMegapixels = 400;

/** Chooses the pictures that a draft of a part decodes: as many as take a second or less. */
function chooseDraftKind({ source, frameRate }: Edit, { start, end }: Span): DraftKind {
  const pixels = source.width * source.height * frameRate * (end - start);
  return pixels <= maxDraftMegapixels * 1e6 ? 'pictures' : 'keyframes';
}

/** Extends a known analysis by the parts that it lacks. */
async function extendAnalysis(
  edit: Edit,
  path: string,
  known: FramingAnalysis,
  options: FramingOptions,
): Promise<FramingAnalysis> {
  const { start, end } = getExtent(edit);
  const overlap = Math.round(overlapSeconds * edit.frameRate) / edit.frameRate;
  let analysis = known;
  if (start < known.span.start) {
    const seam = known.span.start;
    const before = { start, end: Math.min(known.span.end, seam + overlap) };
    analysis = joinAnalyses(await analysePart(edit, path, before, options), analysis, seam);
  }
  if (end > known.span.end) {
    const seam = known.span.end;
    const after = { start: Math.max(known.span.start, seam - overlap), end };
    analysis = joinAnalyses(analysis, await analysePart(edit, path, after, options), seam);
  }
  return { ...analysis, windows: known.windows };
}

/**
 * Analyses the pictures of an edit. What is known is reused, and only the rest is analysed.
 * @param path of the source file
 * @param options.known an earlier analysis of the same source
 * @throws {@link SourceError} if most pictures cannot be decoded, {@link ProcessError} if the
 * machine is the cause (a full disk, a killed program), or the signal's reason
 */
export async function analyseFraming(
  edit: Edit,
  path: string,
  options: FramingOptions & { known?: FramingAnalysis | null },
): Promise<FramingAnalysis> {
  const { known, isDraft, signal, onFailed } = options;
  if (known && isAnalysisComplete(known, edit)) return known;
  const span = getExtent(edit);
  const isUsable =
    known &&
    !known.failed &&
    (known.windows || !needsWindows(edit)) &&
    known.span.start < span.end &&
    known.span.end > span.start;
  try {
    const analysis = isUsable
      ? await extendAnalysis(edit, path, known, options)
      : await analysePart(edit, path, span, options);
    const { finders } = options;
    if (isDraft || !analysis.windows || !finders.faces || !edit.source.hasAudio) return analysis;
    const clip = { ...edit, ranges: [analysis.span] };
    const people = withoutWallFaces(analysis, analysis.span.end - analysis.span.start);
    const talks = await readTalks(path, clip, people, signal).catch((error: unknown) => {
      if (error instanceof ProcessError) throw error;
      signal.throwIfAborted();
      // The mouths cannot be read, but the faces were found.
      onFailed(error);
      return [];
    });
    return { ...analysis, talks };
  } catch (error) {
    if (!(error instanceof ProcessError) || !isOfTheInput(error)) throw error;
    if (error.end === 'failed') throw makeUndecodableError({ cause: error });
    onFailed(error);
    return { span, windows: true, failed: true, sightings: [], cuts: [] };
  }
}

/**
 * Analyses the pictures of an edit that needs it and frames it: windows follow the subjects,
 * captions avoid faces. Other edits are returned as they are. If reading the pictures takes too
 * much or crashes, the first guess stays, and `onFailed` gets the error.
 * @param source path of the source file
 * @throws as {@link analyseFraming}
 */
export async function analyseAndFrame(
  edit: Edit,
  source: string,
  { onNotes, ...options }: FramingOptions & { onNotes?: (notes: readonly Note[]) => void },
): Promise<Edit> {
  if (!edit.needsAnalysis) return edit;
  const analysis = await analyseFraming(edit, source, options);
  onNotes?.(listPictureNotes(analysis));
  return frameEdit(edit, analysis);
}

/** The finders that search the pictures of a clip. */
export interface Finders {
  /** Finds faces; null if they are turned off. */
  faces: OpenFinder | null;
  /** Finds whole persons; null if faces are turned off. */
  persons: OpenFinder | null;
  /** Finds slides and screens. */
  text: OpenFinder;
  /** Finds the part of a picture that draws the eye. */
  salient: OpenFinder;
  /** Loads what takes long to load, shortly before it is needed. */
  prepare: () => void;
}

/** The finders, with or without faces. */
export const makeFinders = ({ faces }: { faces: boolean }): Finders => ({
  faces: faces ? createFaceFinder : null,
  persons: faces ? createPersonFinder : null,
  text: createTextFinder,
  salient: createSaliencyFinder,
  prepare: faces ? prepareFaceFinder : () => {},
});
