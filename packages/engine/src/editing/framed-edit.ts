import type { Edit } from '../edit.ts';
import type { Span } from '../facts.ts';
import { lookAtClip } from '../framing/clip-look.ts';
import { faceFinder, prepareFaceFinder } from '../framing/faces/face-finder.ts';
import { largestWindow } from '../framing/layout.ts';
import { saliencyFinder } from '../framing/saliency.ts';
import { readTalks } from '../framing/speakers/read-talks.ts';
import type { ClipLook, OpenFinder } from '../framing/subject-finder.ts';
import { textFinder } from '../framing/text/text-finder.ts';
import { withoutWallFaces } from '../framing/seen-faces.ts';
import { isOfTheInput, ProcessError } from '../program/process-error.ts';
import { coversEdit, extentOf, type Look, needsWindows, seenEdit } from './seen-edit.ts';

interface LookOptions {
  finders: Finders;
  signal: AbortSignal;
  /** Called with what could not be read. */
  onFailed: (error: unknown) => void;
  /** Called with the progress, 0 to 1. */
  onProgress?: (share: number) => void;
}

/** Two looks are joined here, in seconds: a cut is only seen with the picture before it. */
const overlapSeconds = 1;

const later = (look: ClipLook, by: number): ClipLook => ({
  cuts: look.cuts.map((time) => time + by),
  sightings: look.sightings.map((sighting) => ({ ...sighting, time: sighting.time + by })),
});

/**
 * Two looks that overlap, as one that begins with the first. Talks are kept of whole shots.
 * @param seam source seconds, where one of them begins: a cut there is known to the other
 */
function joinedLooks(first: Look, second: Look, seam: number): Look {
  const next = later(second, second.span.start - first.span.start);
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

/** A look at a part of an edit's source. */
async function lookAt(
  edit: Edit,
  path: string,
  span: Span,
  { finders: { faces, text, salient }, signal, onFailed, onProgress }: LookOptions,
): Promise<Look> {
  const window = largestWindow(edit.source, edit.dimensions);
  const windows = needsWindows(edit);
  const look = await lookAtClip(path, {
    span,
    source: edit.source,
    frameRate: edit.frameRate,
    shape: window.width / window.height,
    finders: [...(faces ? [faces] : []), text],
    ...(windows && { otherwise: salient }),
    signal,
    onBroken: onFailed,
    ...(onProgress && { onProgress }),
  });
  return { ...look, span, windows };
}

/** The known look, and a look at what it lacks. */
async function lookFurther(
  edit: Edit,
  path: string,
  known: Look,
  options: LookOptions,
): Promise<Look> {
  const { start, end } = extentOf(edit);
  const overlap = Math.round(overlapSeconds * edit.frameRate) / edit.frameRate;
  let look = known;
  if (start < known.span.start) {
    const seam = known.span.start;
    const before = { start, end: Math.min(known.span.end, seam + overlap) };
    look = joinedLooks(await lookAt(edit, path, before, options), look, seam);
  }
  if (end > known.span.end) {
    const seam = known.span.end;
    const after = { start: Math.max(known.span.start, seam - overlap), end };
    look = joinedLooks(look, await lookAt(edit, path, after, options), seam);
  }
  return { ...look, windows: known.windows };
}

/**
 * Looks at the pictures of an edit. What is known is kept, and only the rest is looked at.
 * @param path of the source file
 * @param options.known an earlier look at the same source
 * @throws {@link ProcessError} if the machine is the cause (a full disk, a killed program), or the
 * signal's reason
 */
export async function lookAtEdit(
  edit: Edit,
  path: string,
  options: LookOptions & { known?: Look | null },
): Promise<Look> {
  const { known, signal, onFailed } = options;
  if (known && coversEdit(known, edit)) return known;
  const span = extentOf(edit);
  const isUsable =
    known &&
    !known.failed &&
    (known.windows || !needsWindows(edit)) &&
    known.span.start < span.end &&
    known.span.end > span.start;
  try {
    const look = isUsable
      ? await lookFurther(edit, path, known, options)
      : await lookAt(edit, path, span, options);
    if (!look.windows || !options.finders.faces || !edit.source.hasAudio) return look;
    const clip = { ...edit, ranges: [look.span] };
    const people = withoutWallFaces(look, look.span.end - look.span.start);
    const talks = await readTalks(path, clip, people, signal).catch((error: unknown) => {
      if (error instanceof ProcessError) throw error;
      signal.throwIfAborted();
      // The mouths cannot be read, but the faces were found.
      onFailed(error);
      return [];
    });
    return { ...look, talks };
  } catch (error) {
    if (!(error instanceof ProcessError) || !isOfTheInput(error)) throw error;
    onFailed(error);
    return { span, windows: true, failed: true, sightings: [], cuts: [] };
  }
}

/**
 * Looks at the pictures of an `unseen` edit and frames it: windows follow the subjects, captions
 * avoid faces. Other edits are returned as they are. If the pictures cannot be read, the first
 * guess stays, and `onFailed` gets the error.
 * @param source path of the source file
 * @throws as {@link lookAtEdit}
 */
export const lookAndFrame = async (
  edit: Edit,
  source: string,
  options: LookOptions,
): Promise<Edit> => (edit.unseen ? seenEdit(edit, await lookAtEdit(edit, source, options)) : edit);

/** What looks at the pictures of a clip. */
export interface Finders {
  /** Finds faces; null if they are turned off. */
  faces: OpenFinder | null;
  /** Finds slides and screens. */
  text: OpenFinder;
  /** Finds the part of a picture that draws the eye. */
  salient: OpenFinder;
  /** Loads what takes long to load, shortly before it is needed. */
  prepare: () => void;
}

/** The finders, with or without faces. */
export const findersWith = ({ faces }: { faces: boolean }): Finders => ({
  faces: faces ? faceFinder : null,
  text: textFinder,
  salient: saliencyFinder,
  prepare: faces ? prepareFaceFinder : () => {},
});
