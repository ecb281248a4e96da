import type { Box } from '../edit.ts';
import type { Sighting, Talk } from './subject-finder.ts';
import { findCameraPath, type Target } from './camera-path.ts';

/** A shot between two cuts, with its finds. Times are in seconds from the start of the clip. */
export interface ShotAnalysis {
  start: number;
  end: number;
  sightings: readonly Sighting[];
  /** The speakers, if the mouths of its people were analysed. */
  talks?: readonly Talk[];
}

/**
 * Top left corners of a window over time, with straight lines between them; pixels of the source,
 * seconds.
 */
export interface WindowPath {
  width: number;
  height: number;
  keys: { time: number; x: number; y: number }[];
}

/** Size of the source as shown, and of the largest window with the output's shape, in pixels. */
export interface Geometry {
  source: { width: number; height: number };
  window: { width: number; height: number };
  /** Height / width of the output. */
  upright: number;
}

/** The costs of the camera path are made for this sample rate. */
const samplesPerSecond = 4;
/** Maximum distance of a position from its neighbours in time, in widths of the window. */
const maxNeighbourDistance = 1;

/**
 * Removes single outliers: positions that are far from most of the two before and the two after.
 */
function withoutStrays(positions: readonly (number | null)[]): (number | null)[] {
  const known = positions.flatMap((position, index) =>
    position === null ? [] : [{ index, position }],
  );
  const strays = new Set(
    known
      .filter(({ position }, at) => {
        const around = [...known.slice(Math.max(0, at - 2), at), ...known.slice(at + 1, at + 3)];
        const near = around.filter(
          (one) => Math.abs(one.position - position) <= maxNeighbourDistance,
        );
        return around.length >= 2 && near.length * 4 <= around.length;
      })
      .map(({ index }) => index),
  );
  return positions.map((position, index) => (strays.has(index) ? null : position));
}

/**
 * Moves positions to an even time grid. Each grid point takes the nearest position within its step,
 * otherwise none.
 */
function resampleEvenly(
  shot: ShotAnalysis,
  positions: readonly (number | null)[],
  extents: readonly number[],
): Target[] {
  const count = Math.max(2, Math.round((shot.end - shot.start) * samplesPerSecond) + 1);
  const step = (shot.end - shot.start) / (count - 1);
  const targets: Target[] = Array.from({ length: count }, () => ({
    position: 0,
    extent: 0,
    weight: 0,
  }));
  const nearest = Array.from({ length: count }, () => Infinity);
  shot.sightings.forEach(({ time }, index) => {
    const position = positions[index];
    if (position === null || position === undefined) return;
    const at = Math.min(count - 1, Math.max(0, Math.round((time - shot.start) / step)));
    const far = Math.abs(shot.start + at * step - time);
    if (far >= nearest[at]!) return;
    nearest[at] = far;
    targets[at] = { position, extent: extents[index]!, weight: 1 };
  });
  return targets;
}

/** The window's path for the boxes of a subject, one per sighting, as shares of the source. */
export function followSubject(
  shot: ShotAnalysis,
  boxes: readonly (Box | null)[],
  { source, window }: Geometry,
): WindowPath {
  const along = (axis: 'x' | 'y', side: 'width' | 'height'): number[] => {
    const [room, size] = [source[side], window[side]];
    const middles = boxes.map((box) => box && ((box[axis] + box[side] / 2) * room) / size);
    const extents = boxes.map((box) => (box ? (box[side] * room) / size : 0));
    return findCameraPath(resampleEvenly(shot, withoutStrays(middles), extents), room / size).map(
      (position) => Math.min(Math.max((position - 0.5) * size, 0), room - size),
    );
  };
  const xs = along('x', 'width');
  const ys = along('y', 'height');
  const step = (shot.end - shot.start) / (xs.length - 1);
  const keys = xs.map((x, index) => ({ time: shot.start + index * step, x, y: ys[index]! }));
  return { ...window, keys };
}
