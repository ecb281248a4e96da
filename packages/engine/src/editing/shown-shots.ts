import type { EditChanges } from 'clip-kit/contract';
import type { CropWindow, Dimensions, Edit, FramedShot } from '../edit.ts';
import type { Span } from '../facts.ts';
import { getLargestWindow, getScreenHeight, findShot, getStackHeight } from '../framing/layout.ts';
import { getExtent, type FramingAnalysis } from './framed-edit.ts';
import { mapToOutput } from './kept-ranges.ts';

/** The middle of a window in shares of the source, and how near it is. */
export interface ShownWindow {
  x: number;
  y: number;
  zoom: number;
}

/**
 * A shot of a clip in source seconds, and how it begins: its window, of a screen that of the
 * speaker; `below` is the second one of a stack.
 */
export interface ShownShot extends Span, Partial<ShownWindow> {
  mode: FramedShot['mode'];
  below?: ShownWindow;
}

type Sizes = Pick<Edit, 'source' | 'dimensions'>;

/** The part of the output that a window fills: of a stack the upper one, or the one below. */
export function getWindowPart(
  { source, dimensions }: Sizes,
  mode: FramedShot['mode'],
  isBelow = false,
): Dimensions {
  const { width, height } = dimensions;
  if (mode === 'screen') return { width, height: height - getScreenHeight(source, dimensions) };
  if (mode !== 'stack') return dimensions;
  const above = getStackHeight(dimensions);
  return { width, height: isBelow ? height - above : above };
}

const roundShare = (value: number): number => Math.round(value * 1e4) / 1e4;

function makeShownWindow(
  { x, y, width, height }: Dimensions & { x: number; y: number },
  source: Dimensions,
  part: Dimensions,
): ShownWindow {
  return {
    x: roundShare((x + width / 2) / source.width),
    y: roundShare((y + height / 2) / source.height),
    zoom: roundShare(Math.max(1, getLargestWindow(source, part).width / width)),
  };
}

/** Finds the framing of the frame at an output time. */
function findFramingAt(edit: Edit, seconds: number): Omit<ShownShot, keyof Span> {
  const shot = findShot(edit.framing, Math.round(seconds * edit.frameRate));
  const { mode } = shot;
  if (shot.mode === 'fit') return { mode };
  const placed = (window: CropWindow, isBelow?: boolean) =>
    makeShownWindow(
      { ...window, ...window.keys[0]! },
      edit.source,
      getWindowPart(edit, mode, isBelow),
    );
  if (shot.mode === 'crop') return { mode, ...placed(shot.window) };
  if (shot.mode === 'screen') return { mode, ...placed(shot.speaker) };
  const [upper, lower] = shot.windows;
  return { mode, ...placed(upper), below: placed(lower, true) };
}

/** Returns the shots of a clip that play: the source's, and the user's own. */
export function listShownShots(
  edit: Edit,
  { shots = [] }: EditChanges,
  analysis: FramingAnalysis | null,
): ShownShot[] {
  const { start, end } = getExtent(edit);
  const cuts = analysis?.cuts.map((time) => time + analysis.span.start) ?? [];
  const wanted = shots.flatMap((shot) => [shot.start, shot.end]);
  const edges = [start, ...[...cuts, ...wanted].toSorted((a, b) => a - b), end].filter(
    (time) => time >= start && time <= end,
  );
  const begun = { first: 0, passed: 0 };
  return edges.slice(1).flatMap((to, index) => {
    const span = { start: edges[index]!, end: to };
    // The edges are in order: what has ended before one has ended for all that follow.
    for (let range; (range = edit.ranges[begun.first]) && range.end <= span.start; begun.first++) {
      begun.passed += range.end - range.start;
    }
    const shown = mapToOutput(edit.ranges, span, begun);
    const isFrame = shown && (shown.end - shown.start) * edit.frameRate >= 0.5;
    return isFrame ? [{ ...span, ...findFramingAt(edit, shown.start) }] : [];
  });
}
