/**
 * The path of a camera that keeps a subject in the frame and moves as little as possible: parts
 * that stand still, parts that move evenly, and soft transitions between them. The path minimises
 * the sum of speed, acceleration and jerk, as absolute values so that most of them are exactly
 * zero, while the subject stays near the middle: "Auto-Directed Video Stabilization with Robust L1
 * Optimal Camera Paths" (Grundmann, Kwatra, Essa 2011). It is solved by least squares. New weights
 * in each round bring the squares close to absolute values.
 */

/**
 * Where the subject is at one time. Positions are in widths of the crop; `weight` 0 means not
 * known.
 */
export interface Target {
  position: number;
  /** Size of what should be visible around it. */
  extent: number;
  weight: number;
}

/** A target that the camera can reach, and how far it may be from there without cost. */
interface Goal {
  position: number;
  weight: number;
  slack: number;
}

/** Cost of each derivative, per sample. Samples are evenly spaced. */
const costs = { speed: 1, acceleration: 6, jerk: 15 } as const;
/**
 * The distance of the subject from the middle that costs nothing, and the largest one; in widths of
 * the crop.
 */
const freeOffset = 0.1;
const maxOffset = 0.4;
/** The subject stays this far from the edge of the crop. */
const edgeRoom = 0.02;
/** Cost of each crop width beyond that. */
const offsetCost = 40;
/** A small pull to the middle, which decides where the camera stands still. */
const centringCost = 0.1;
const solverRounds = 24;
/** A smaller absolute value counts as zero, in widths of the crop. */
const zeroTolerance = 2e-4;

/** Coefficients of the derivatives over neighbouring samples. */
const differences = [
  { cost: costs.speed, taps: [-1, 1] },
  { cost: costs.acceleration, taps: [1, -2, 1] },
  { cost: costs.jerk, taps: [-1, 3, -3, 1] },
] as const;

/** Half the bandwidth of the linear system: a sample depends on the three before it. */
const band = 3;

/**
 * Solves a symmetric positive banded system in place: `rows[i * (band + 1) + k]` couples `i` and `i
 * - k`.
 */
function resolveBanded(rows: Float64Array, right: Float64Array): Float64Array {
  const count = right.length;
  const stride = band + 1;
  for (let row = 0; row < count; row++) {
    for (let back = Math.min(band, row); back >= 0; back--) {
      const other = row - back;
      let sum = rows[row * stride + back]!;
      for (let k = Math.max(0, row - band, other - band); k < other; k++) {
        sum -=
          rows[row * stride + row - k]! * rows[other * stride + other - k]! * rows[k * stride]!;
      }
      // The diagonal holds D of L D Lᵀ, the rest L.
      rows[row * stride + back] = back === 0 ? sum : sum / rows[other * stride]!;
    }
  }
  for (let row = 0; row < count; row++) {
    for (let back = 1; back <= Math.min(band, row); back++) {
      right[row]! -= rows[row * stride + back]! * right[row - back]!;
    }
  }
  for (let row = 0; row < count; row++) right[row]! /= rows[row * stride]!;
  for (let row = count - 1; row >= 0; row--) {
    for (let back = 1; back <= Math.min(band, row); back++) {
      right[row - back]! -= rows[row * stride + back]! * right[row]!;
    }
  }
  return right;
}

/** One round: least squares with weights from the last path. */
function improvePath(targets: readonly Goal[], path: Float64Array): Float64Array {
  const count = targets.length;
  const stride = band + 1;
  const rows = new Float64Array(count * stride);
  const right = new Float64Array(count);
  targets.forEach(({ position, weight, slack: free }, at) => {
    const astray = Math.abs(path[at]! - position);
    // Beyond the free offset the cost grows linearly, so the pull goes to the end of that offset.
    const pull = astray > free ? (weight * offsetCost) / Math.max(astray - free, 1e-3) : 0;
    const end = position + Math.sign(path[at]! - position) * free;
    rows[at * stride]! += 2 * centringCost * weight + pull + 1e-9;
    right[at]! += 2 * centringCost * weight * position + pull * end;
  });
  for (const { cost, taps } of differences) {
    for (let end = taps.length - 1; end < count; end++) {
      const first = end - taps.length + 1;
      const value = taps.reduce((sum, tap, k) => sum + tap * path[first + k]!, 0);
      const weight = cost / Math.max(Math.abs(value), zeroTolerance);
      for (let a = 0; a < taps.length; a++) {
        for (let b = 0; b <= a; b++) {
          rows[(first + a) * stride + a - b]! += weight * taps[a]! * taps[b]!;
        }
      }
    }
  }
  return resolveBanded(rows, right);
}

/**
 * Middles of the camera, one per target, in widths of the crop: 0.5 to `room - 0.5`. The targets
 * are of one shot and evenly spaced in time (the costs are made for four per second). If the
 * subject is never known, the camera stays in the middle.
 * @param room width of the source, in widths of the crop
 */
export function findCameraPath(targets: readonly Target[], room: number): number[] {
  const known = targets.filter(({ weight }) => weight > 0);
  const within = (position: number) => Math.min(Math.max(position, 0.5), Math.max(0.5, room - 0.5));
  if (known.length === 0) return targets.map(() => within(room / 2));
  const reachable = targets.map(({ position, extent, weight }): Goal => {
    const nearest = within(position);
    const most = Math.min(maxOffset, Math.max(0, (1 - extent) / 2 - edgeRoom));
    // A subject at the edge of the picture is already away from the middle.
    const free = Math.min(freeOffset, Math.max(0, most - Math.abs(nearest - position)));
    return { position: nearest, weight, slack: free };
  });
  const mean = known.reduce((sum, { position }) => sum + within(position), 0) / known.length;
  let path: Float64Array = Float64Array.from(reachable, ({ position, weight }) =>
    weight > 0 ? position : mean,
  );
  for (let round = 0; round < solverRounds; round++) path = improvePath(reachable, path);
  return [...path].map(within);
}
