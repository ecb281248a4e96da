import type { CropWindow, Dimensions, WindowKey } from '../edit.ts';
import type { WindowPath } from './following.ts';

/**
 * Frames that the output keeps, counted from the first retained one at the output's frame rate.
 * `to` is not included.
 */
export interface RetainedFrames {
  from: number;
  to: number;
}

/** Maximum error of a simplified path, in pixels of the source. */
const maxErrorPixels = 0.5;
/**
 * A window's position at a time, on a smooth Catmull-Rom curve through the keys. The keys are
 * evenly spaced.
 */
export function placeAt({ keys }: WindowPath, time: number): { x: number; y: number } {
  const last = keys.length - 1;
  if (last === 0) return { x: keys[0]!.x, y: keys[0]!.y };
  const step = (keys[last]!.time - keys[0]!.time) / last;
  const along = Math.min(Math.max((time - keys[0]!.time) / step, 0), last);
  const index = Math.min(last - 1, Math.floor(along));
  const t = along - index;
  const key = (at: number) => keys[Math.min(last, Math.max(0, at))]!;
  const curve = (axis: 'x' | 'y') => {
    const [a, b, c, d] = [-1, 0, 1, 2].map((offset) => key(index + offset)[axis]) as [
      number,
      number,
      number,
      number,
    ];
    const value =
      b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
    // The curve can go beyond its keys, but the window must stay inside the picture.
    return Math.min(Math.max(value, Math.min(a, b, c, d)), Math.max(a, b, c, d));
  };
  return { x: curve('x'), y: curve('y') };
}

/**
 * Simplifies a path: keeps the positions that are needed so that straight lines are close enough
 * (Ramer-Douglas-Peucker).
 */
export function simplifyPath(places: readonly WindowKey[]): WindowKey[] {
  const keep = new Set([0, places.length - 1]);
  const open: [number, number][] = [[0, places.length - 1]];
  for (let span = open.pop(); span; span = open.pop()) {
    const [from, to] = span;
    const [start, end] = [places[from]!, places[to]!];
    let worst = maxErrorPixels;
    let at = -1;
    for (let index = from + 1; index < to; index++) {
      const share = (places[index]!.frame - start.frame) / (end.frame - start.frame);
      const off = (axis: 'x' | 'y') =>
        Math.abs(places[index]![axis] - start[axis] - share * (end[axis] - start[axis]));
      const far = Math.max(off('x'), off('y'));
      if (far <= worst) continue;
      worst = far;
      at = index;
    }
    if (at < 0) continue;
    keep.add(at);
    open.push([from, at], [at, to]);
  }
  const round = (value: number) => Math.round(value * 100) / 100;
  return [...keep]
    .toSorted((a, b) => a - b)
    .map((index) => places[index]!)
    .map(({ frame, x, y }) => ({ frame, x: round(x), y: round(y) }));
}

/** A window's size in pixels. Of outputs that are far narrower than the source, a pixel is left. */
export const roundToPixels = ({ width, height }: Dimensions): Dimensions => ({
  width: Math.max(1, Math.floor(width)),
  height: Math.max(1, Math.floor(height)),
});

/** The keys of a window for the source frames `from` to `to`. */
export function makeWindow(
  path: WindowPath,
  { from, to }: RetainedFrames,
  rate: number,
): CropWindow {
  const places = Array.from({ length: to - from }, (_, index) => ({
    frame: index,
    ...placeAt(path, (from + index) / rate),
  }));
  return {
    ...roundToPixels(path),
    keys: simplifyPath(places),
  };
}
