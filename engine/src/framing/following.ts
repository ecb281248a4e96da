import type { Sighting } from './clip-look.ts';
import { cameraPath, type Target } from './camera-path.ts';

/** A stretch between two cuts, and what is seen in it. Seconds from the clip's start. */
export interface ShotLook {
  start: number;
  end: number;
  sightings: readonly Sighting[];
}

/** Positions of a window's upper left corner at instants, straight between them; pixels of the source, seconds. */
export interface WindowPath {
  width: number;
  height: number;
  keys: { time: number; x: number; y: number }[];
}

/** Pixels of the source as shown, and the largest window of the output's shape in it. */
export interface Geometry {
  source: { width: number; height: number };
  window: { width: number; height: number };
  /** Height over width of the output. */
  upright: number;
}

/** Samples are put on an even grid, as the path's costs are set for it. */
const rate = 4;
/** How far from its neighbours in time a find may lie, in widths of the window. */
const neighbourhood = 1;

/** Finds without those that are alone: of the two before and the two after, hardly one lies near them. */
function withoutStrays(positions: readonly (number | null)[]): (number | null)[] {
  const known = positions.flatMap((position, index) =>
    position === null ? [] : [{ index, position }],
  );
  const strays = new Set(
    known
      .filter(({ position }, at) => {
        const around = [...known.slice(Math.max(0, at - 2), at), ...known.slice(at + 1, at + 3)];
        const near = around.filter((one) => Math.abs(one.position - position) <= neighbourhood);
        return around.length >= 2 && near.length * 4 <= around.length;
      })
      .map(({ index }) => index),
  );
  return positions.map((position, index) => (strays.has(index) ? null : position));
}

/** Values at uneven times brought to an even grid: the nearest sample within its step, else nothing known. */
function gridded(shot: ShotLook, positions: readonly (number | null)[]): Target[] {
  const count = Math.max(2, Math.round((shot.end - shot.start) * rate) + 1);
  const step = (shot.end - shot.start) / (count - 1);
  const targets: Target[] = Array.from({ length: count }, () => ({ position: 0, weight: 0 }));
  const nearest = Array.from({ length: count }, () => Infinity);
  shot.sightings.forEach(({ time }, index) => {
    const position = positions[index];
    if (position === null || position === undefined) return;
    const at = Math.min(count - 1, Math.max(0, Math.round((time - shot.start) / step)));
    const far = Math.abs(shot.start + at * step - time);
    if (far >= nearest[at]!) return;
    nearest[at] = far;
    targets[at] = { position, weight: 1 };
  });
  return targets;
}

/** The window's path for middles of the subject, one for each sighting, as shares of the source. */
export function following(
  shot: ShotLook,
  middles: readonly ({ x: number; y: number } | null)[],
  { source, window }: Geometry,
): WindowPath {
  const along = (axis: 'x' | 'y', room: number, size: number): number[] =>
    cameraPath(
      gridded(shot, withoutStrays(middles.map((middle) => middle && (middle[axis] * room) / size))),
      room / size,
    ).map((position) => Math.min(Math.max((position - 0.5) * size, 0), room - size));
  const xs = along('x', source.width, window.width);
  const ys = along('y', source.height, window.height);
  const step = (shot.end - shot.start) / (xs.length - 1);
  const keys = xs.map((x, index) => ({ time: shot.start + index * step, x, y: ys[index]! }));
  return { ...window, keys };
}
