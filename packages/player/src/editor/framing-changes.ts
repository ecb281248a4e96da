import {
  getLargestWindow,
  type Dimensions,
  type ShownShot,
  type ShownWindow,
  type Span,
} from 'clip-engine/drawing';
import type { EditChanges } from 'clip-kit/contract';

type ManualShot = NonNullable<EditChanges['shots']>[number];

const roundTo = (value: number, digits = 3): number => Number(value.toFixed(digits));

const clampTo = (value: number, low: number, high: number): number =>
  Math.min(Math.max(value, Math.min(low, high)), Math.max(low, high));

/** The shot that plays at a time of the source. */
export const findShotAt = <Shot extends Span>(
  shots: readonly Shot[],
  seconds: number,
): Shot | undefined => shots.find(({ end }) => seconds < end - 0.01) ?? shots.at(-1);

const isOverlapping = (one: Span, other: Span): boolean =>
  one.start < other.end - 0.002 && one.end > other.start + 0.002;

/** The shots without a segment. */
export function removeShots(changes: EditChanges, span: Span): EditChanges {
  const { shots = [], ...others } = changes;
  const left = shots.filter((shot) => !isOverlapping(shot, span));
  return left.length === 0 ? others : { ...others, shots: left };
}

/** The changes with a shot shown in another way. */
export function withShot(
  changes: EditChanges,
  { start, end }: Span,
  wanted: Omit<ManualShot, 'start' | 'end'>,
): EditChanges {
  const shot = { start: roundTo(start), end: roundTo(end), ...wanted };
  const others = (changes.shots ?? []).filter((one) => !isOverlapping(one, shot));
  return { ...changes, shots: [...others, shot].toSorted((a, b) => a.start - b.start) };
}

/** The pixels of the source, and of the part of the output that a window fills. */
interface WindowSizes {
  source: Dimensions;
  part: Dimensions;
}

/** The size of a window, as shares of the source. */
function measureWindow({ source, part }: WindowSizes, zoom: number): Dimensions {
  const { width, height } = getLargestWindow(source, part);
  return { width: width / source.width / zoom, height: height / source.height / zoom };
}

/** A window by its middle and zoom, kept inside the picture. */
export function placeWindow(
  sizes: WindowSizes,
  { x = 0.5, y = 0.5, zoom = 1 }: Partial<ShownWindow>,
): ShownWindow {
  const near = clampTo(zoom, 1, 8);
  const { width, height } = measureWindow(sizes, near);
  return {
    x: roundTo(clampTo(x, width / 2, 1 - width / 2), 4),
    y: roundTo(clampTo(y, height / 2, 1 - height / 2), 4),
    zoom: roundTo(near),
  };
}

/**
 * The window after a drag of the picture.
 * @param by how far the picture was pulled, in shares of the part that the window fills
 */
export function dragWindow(
  sizes: WindowSizes,
  from: ShownWindow,
  by: { x: number; y: number },
): ShownWindow {
  const { width, height } = measureWindow(sizes, from.zoom);
  return placeWindow(sizes, {
    x: from.x - by.x * width,
    y: from.y - by.y * height,
    zoom: from.zoom,
  });
}

/** Returns a person's choice for a shot, with one of its windows at another place. */
export function withWindow(
  { mode, x, y, zoom, below }: Pick<ShownShot, 'mode' | 'below'> & Partial<ShownWindow>,
  window: ShownWindow,
  isBelow: boolean,
): Omit<ManualShot, 'start' | 'end'> {
  if (mode !== 'stack') return { mode, ...window };
  const upper = {
    ...(x !== undefined && { x }),
    ...(y !== undefined && { y }),
    ...(zoom && { zoom }),
  };
  return isBelow ? { mode, ...upper, below: window } : { mode, ...window, ...(below && { below }) };
}
