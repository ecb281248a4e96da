import { placeText } from '../captions/caption-place.ts';
import type { Edit } from '../edit.ts';
import type { Span } from '../facts.ts';
import type { PictureAnalysis } from '../framing/subject-finder.ts';
import { chooseFraming, isCut } from '../framing/framing.ts';
import { mapFacesToOutput, withoutWallFaces } from '../framing/output-faces.ts';
import { findBestTime } from './best-picture.ts';
import { fromFirstPicture } from './first-picture.ts';

/**
 * The analysis of the pictures of a source segment, which may be longer than the clip. Plain JSON;
 * its times are from the start of the segment.
 */
export interface FramingAnalysis extends PictureAnalysis {
  /** Source seconds. */
  span: Span;
  /** Whether the pictures without a face were searched too, for what a window should show. */
  windows: boolean;
  /** Share of its pictures that are damaged, if it is worth a note. */
  brokenShare?: number;
  /** True if the pictures could not be read: then the first guess stays. */
  failed?: true;
}

/** The words of an edit without captions: the source has its own in the picture. */
function withoutCaptions(edit: Edit): Edit {
  const words = edit.captions.flatMap((line) => line.words);
  return { ...edit, captions: [], words, emojis: [], sourceCaptions: true };
}

/** The source seconds from the first kept range to the last. */
export const getExtent = ({ ranges }: Edit): Span => ({
  start: ranges[0]!.start,
  end: ranges.at(-1)!.end,
});

const measureExtent = (edit: Edit): number => getExtent(edit).end - getExtent(edit).start;

/** Whether the pictures decide which part of them an edit shows. */
export const needsWindows = ({ source, framing, manualFraming }: Edit): boolean =>
  isCut(source, manualFraming?.rest ?? framing);

/** Whether an analysis covers every picture of an edit. */
export function isAnalysisComplete({ span, windows }: FramingAnalysis, edit: Edit): boolean {
  const { start, end } = getExtent(edit);
  const slack = 0.5 / edit.frameRate;
  return span.start <= start + slack && span.end >= end - slack && (windows || !needsWindows(edit));
}

/** The part of an analysis from `start` on, as long as the clip. */
function cutAnalysis(analysis: FramingAnalysis, start: number, edit: Edit): PictureAnalysis {
  const { span, sightings, cuts, talks, firstPicture } = analysis;
  const isStart = Math.abs(start - span.start) < 0.5 / edit.frameRate;
  const by = isStart ? 0 : start - span.start;
  const seconds = measureExtent(edit);
  return {
    sightings: sightings
      .map((sighting) => ({ ...sighting, time: sighting.time - by }))
      .filter(({ time }) => time >= -1e-3 && time <= seconds + 1e-3),
    cuts: cuts.map((time) => time - by).filter((time) => time > 1e-3),
    ...(talks && {
      talks: talks
        .map((talk) => ({ ...talk, start: Math.max(0, talk.start - by), end: talk.end - by }))
        .filter((talk) => talk.end > 1e-3),
    }),
    ...(isStart && firstPicture !== undefined && { firstPicture }),
  };
}

/**
 * Adapts an edit to the analysis of its pictures: windows follow the subjects, captions avoid
 * faces, and give way to those that the source has, unless they are a translation.
 */
export function adaptEdit(
  { needsAnalysis: _, manualFraming, ...guess }: Edit,
  pictures: PictureAnalysis,
): Edit {
  const analysis = withoutWallFaces(pictures, measureExtent(guess));
  const captioned = analysis.sightings.some(({ subjects }) =>
    subjects.some(({ kind }) => kind === 'caption'),
  );
  const doubled = captioned && guess.captions.length > 0 && !guess.translated;
  const edit = doubled ? withoutCaptions(guess) : guess;
  const rest = manualFraming?.rest ?? edit.framing;
  const cut = isCut(edit.source, rest);
  const framing =
    cut || manualFraming
      ? chooseFraming(edit, analysis, {
          manual: manualFraming?.shots ?? [],
          rest: cut ? null : rest,
        })
      : edit.framing;
  const hasText =
    edit.captions.length > 0 || edit.title !== null || edit.cover?.title !== undefined;
  const faces = hasText ? mapFacesToOutput(edit, framing, analysis) : [];
  const bestTime = findBestTime(edit, framing, analysis);
  return placeText({
    ...edit,
    framing,
    ...(faces.length > 0 && { faces }),
    ...(bestTime !== null && { bestTime }),
  });
}

/** Frames an edit by the analysis of its pictures. A framed edit is returned as it is. */
export function frameEdit(edit: Edit, analysis: FramingAnalysis): Edit {
  const { needsAnalysis, latestStart: _latest, manualFraming: _manual, ...guess } = edit;
  if (!needsAnalysis) return edit;
  if (analysis.failed) return guess;
  const begun = fromFirstPicture(edit, cutAnalysis(analysis, edit.ranges[0]!.start, edit));
  return adaptEdit(begun.edit, begun.analysis);
}
