import { type Edit, type EditWord, mapToSource, type Span } from 'clip-engine/drawing';
import { findEdge, type WordRange } from './transcript.ts';

/** The frame of the output that shows a time of the source, or the nearest one that plays. */
export function frameAt({ ranges, frameRate, duration }: Edit, seconds: number): number {
  let passed = 0;
  for (const { start, end } of ranges) {
    if (seconds < end) return Math.round((passed + Math.max(0, seconds - start)) * frameRate);
    passed += end - start;
  }
  return Math.max(0, Math.round(duration * frameRate) - 1);
}

/** The source seconds of a frame of the output. */
export const mapFrameToSource = ({ ranges, frameRate }: Edit, frame: number): number =>
  mapToSource(ranges, frame / frameRate).time;

/** Returns the gaps between a clip's ranges, which do not play. */
export const findHoles = ({ ranges }: { ranges: readonly Span[] }): Span[] =>
  ranges.slice(1).map(({ start }, index) => ({ start: ranges[index]!.end, end: start }));

/** The shortest part of the segment that fills the time line. */
const minSeconds = 2;

/** A view of a length, kept inside the segment. */
function fitView(start: number, seconds: number, segment: Span): Span {
  const length = Math.min(Math.max(minSeconds, seconds), segment.end - segment.start);
  const from = Math.min(Math.max(segment.start, start), segment.end - length);
  return { start: from, end: from + length };
}

/** The clip with some of the segment before and after it. */
export function makeViewAround(clip: Span, segment: Span): Span {
  const length = clip.end - clip.start;
  const beside = Math.max(4, length * 0.35);
  return fitView(clip.start - beside, length + 2 * beside, segment);
}

export const moveView = ({ start, end }: Span, by: number, segment: Span): Span =>
  fitView(start + by, end - start, segment);

/** @param by above 1: more of the segment */
export function zoomView({ start, end }: Span, by: number, segment: Span): Span {
  const length = Math.max(minSeconds, (end - start) * by);
  return fitView((start + end) / 2 - length / 2, length, segment);
}

/** The share of the view that stays free beside a dragged handle. */
const marginShare = 0.06;

/** The view, moved so that a time is inside it. */
export function showTime(view: Span, seconds: number, segment: Span): Span {
  const margin = (view.end - view.start) * marginShare;
  if (seconds < view.start + margin) return moveView(view, seconds - view.start - margin, segment);
  if (seconds > view.end - margin) return moveView(view, seconds - view.end + margin, segment);
  return view;
}

/** A place for an edge of the clip. `isStrong`: a sentence begins or ends there. */
export interface SnapPoint {
  seconds: number;
  isStrong: boolean;
}

/** Where an edge can be put: at the words, in order. */
export function snapPoints(
  words: readonly EditWord[],
  sentences: readonly WordRange[],
  edge: 'start' | 'end',
  editable: Span,
): SnapPoint[] {
  const strong = new Set(sentences.map((one) => (edge === 'start' ? one.first : one.last)));
  return words.map((_, index) => ({
    seconds: findEdge(words, index, edge, editable),
    isStrong: strong.has(index),
  }));
}

/** A sentence pulls from this many times as far as a word. */
const strongPull = 2.5;

/**
 * The place at a time: the nearest point within reach, a sentence before a word; otherwise the time
 * itself.
 */
export function snapTime(points: readonly SnapPoint[], seconds: number, reach: number): number {
  const far = ({ seconds: at }: SnapPoint) => Math.abs(at - seconds);
  const nearest = (some: readonly SnapPoint[], within: number): SnapPoint | undefined =>
    some
      .filter((point) => far(point) <= within)
      .reduce<SnapPoint | undefined>(
        (best, point) => (best && far(best) <= far(point) ? best : point),
        undefined,
      );
  const strong = nearest(
    points.filter(({ isStrong }) => isStrong),
    reach * strongPull,
  );
  return (strong ?? nearest(points, reach))?.seconds ?? seconds;
}

/** The next place in a direction, of sentences only if `isStrong`; the time itself at the end. */
export function nextPoint(
  points: readonly SnapPoint[],
  seconds: number,
  direction: 1 | -1,
  isStrong: boolean,
): number {
  const some = points.filter(
    (point) => (!isStrong || point.isStrong) && direction * (point.seconds - seconds) > 0.005,
  );
  return (direction === 1 ? some[0] : some.at(-1))?.seconds ?? seconds;
}

/** Width of what a thumb takes a handle by, in pixels. */
export const handlePx = 44;

/** The width of a handle's hit area towards the other one. */
const inwardPx = 12;

/**
 * Where the handle of an edge at `x` is, in pixels. More of it is on the outer side, so that those
 * of a short clip do not cover each other, and all of it is on the track, as long as the edge is.
 * `edge`: the place of the edge within it.
 */
export function handlePlace(
  which: 'start' | 'end',
  x: number,
  trackPx: number,
): { left: number; edge: number } {
  const wanted = which === 'start' ? x - handlePx + inwardPx : x - inwardPx;
  const isShown = x >= 0 && x <= trackPx;
  const left = isShown ? Math.max(0, Math.min(wanted, trackPx - handlePx)) : wanted;
  return { left, edge: x - left };
}
