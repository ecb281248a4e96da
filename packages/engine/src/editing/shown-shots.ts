import type { CropWindow, Dimensions, Edit, FramedShot } from '../edit.ts';
import type { Span } from '../facts.ts';
import { largestWindow, screenHeight, shotAt, stackHeight } from '../framing/layout.ts';
import type { EditChanges } from './changes.ts';
import { extentOf, type FramingAnalysis } from './framed-edit.ts';
import { outputSpan } from './kept-ranges.ts';

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
export function windowPart(
  { source, dimensions }: Sizes,
  mode: FramedShot['mode'],
  isBelow = false,
): Dimensions {
  const { width, height } = dimensions;
  if (mode === 'screen') return { width, height: height - screenHeight(source, dimensions) };
  if (mode !== 'stack') return dimensions;
  const above = stackHeight(dimensions);
  return { width, height: isBelow ? height - above : above };
}

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4;

function shownWindow(
  { x, y, width, height }: Dimensions & { x: number; y: number },
  source: Dimensions,
  part: Dimensions,
): ShownWindow {
  return {
    x: rounded((x + width / 2) / source.width),
    y: rounded((y + height / 2) / source.height),
    zoom: rounded(Math.max(1, largestWindow(source, part).width / width)),
  };
}

/** How the frame at an output time is framed. */
function framedAt(edit: Edit, seconds: number): Omit<ShownShot, keyof Span> {
  const shot = shotAt(edit.framing, Math.round(seconds * edit.frameRate));
  const { mode } = shot;
  if (shot.mode === 'fit') return { mode };
  const placed = (window: CropWindow, isBelow?: boolean) =>
    shownWindow({ ...window, ...window.keys[0]! }, edit.source, windowPart(edit, mode, isBelow));
  if (shot.mode === 'crop') return { mode, ...placed(shot.window) };
  if (shot.mode === 'screen') return { mode, ...placed(shot.speaker) };
  const [upper, lower] = shot.windows;
  return { mode, ...placed(upper), below: placed(lower, true) };
}

/** The shots of a clip that play: those of the source, and those that a person made. */
export function shownShots(
  edit: Edit,
  { shots = [] }: EditChanges,
  analysis: FramingAnalysis | null,
): ShownShot[] {
  const { start, end } = extentOf(edit);
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
    const shown = outputSpan(edit.ranges, span, begun);
    const isFrame = shown && (shown.end - shown.start) * edit.frameRate >= 0.5;
    return isFrame ? [{ ...span, ...framedAt(edit, shown.start) }] : [];
  });
}
