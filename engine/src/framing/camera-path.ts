/**
 * The path of a camera that keeps a subject in the frame and moves as little as a hand on a tripod would: parts that stand
 * still, parts that move evenly, and soft passages between them. It is the path for which the sum of speed, change of
 * speed and change of that (all as absolute values, so that most of them are exactly nothing) is least, while the subject
 * stays near the middle: "Auto-Directed Video Stabilization with Robust L1 Optimal Camera Paths" (Grundmann, Kwatra,
 * Essa 2011). It is solved by least squares that are weighed anew in each round, so that they come to absolute values.
 */

/** Where the subject is at an instant; `weight` 0: not known. Positions in widths of the crop. */
export interface Target {
  position: number;
  weight: number;
}

/** A target as the camera can reach it, and how far it may stand from there for nothing. */
interface Goal extends Target {
  slack: number;
}

/** How much each matters. Derivatives are those a sample, samples being evenly spaced. */
const costs = { speed: 1, acceleration: 6, jerk: 15 } as const;
/** How far the subject may stray from the middle for nothing, and how far at most; in widths of the crop. */
const slack = 0.1;
const edge = 0.4;
/** What it costs to stray further, by the width. */
const straying = 40;
/** A slight pull to the middle, which decides where the camera rests. */
const centring = 0.1;
const rounds = 24;
/** Below this an absolute value counts as nothing, in widths of the crop. */
const nothing = 2e-4;

/** The derivatives' coefficients over four neighbouring samples. */
const differences = [
  { cost: costs.speed, taps: [-1, 1] },
  { cost: costs.acceleration, taps: [1, -2, 1] },
  { cost: costs.jerk, taps: [-1, 3, -3, 1] },
] as const;

/** Half the width of the system's band: a sample is bound to the three before it. */
const band = 3;

/** Solves a symmetric positive banded system in place: `rows[i * (band + 1) + k]` binds `i` to `i - k`. */
function solveBanded(rows: Float64Array, right: Float64Array): Float64Array {
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

/** One round: the least squares with the weights that the last path gives. */
function improved(targets: readonly Goal[], path: Float64Array): Float64Array {
  const count = targets.length;
  const stride = band + 1;
  const rows = new Float64Array(count * stride);
  const right = new Float64Array(count);
  targets.forEach(({ position, weight, slack: free }, at) => {
    const astray = Math.abs(path[at]! - position);
    // Beyond the slack the cost grows evenly with the distance from the slack's end, to which the pull is.
    const pull = astray > free ? (weight * straying) / Math.max(astray - free, 1e-3) : 0;
    const end = position + Math.sign(path[at]! - position) * free;
    rows[at * stride]! += 2 * centring * weight + pull + 1e-9;
    right[at]! += 2 * centring * weight * position + pull * end;
  });
  for (const { cost, taps } of differences) {
    for (let end = taps.length - 1; end < count; end++) {
      const first = end - taps.length + 1;
      const value = taps.reduce((sum, tap, k) => sum + tap * path[first + k]!, 0);
      const weight = cost / Math.max(Math.abs(value), nothing);
      for (let a = 0; a < taps.length; a++) {
        for (let b = 0; b <= a; b++) {
          rows[(first + a) * stride + a - b]! += weight * taps[a]! * taps[b]!;
        }
      }
    }
  }
  return solveBanded(rows, right);
}

/**
 * Positions of the camera's middle, one for each target, in widths of the crop, from `half` to `room - half` with `half` = 0.5.
 * Targets of one shot, evenly spaced in time (the costs are set for four a second). Where nothing is known of the subject
 * the camera stands in the middle of the room.
 */
export function cameraPath(targets: readonly Target[], room: number): number[] {
  const known = targets.filter(({ weight }) => weight > 0);
  const within = (position: number) => Math.min(Math.max(position, 0.5), Math.max(0.5, room - 0.5));
  if (known.length === 0) return targets.map(() => within(room / 2));
  const reachable = targets.map(({ position, weight }): Goal => {
    const nearest = within(position);
    // A subject at the edge of the picture is out of the middle already.
    const free = Math.min(slack, Math.max(0, edge - Math.abs(nearest - position)));
    return { position: nearest, weight, slack: free };
  });
  const mean = known.reduce((sum, { position }) => sum + within(position), 0) / known.length;
  let path: Float64Array = Float64Array.from(reachable, ({ position, weight }) =>
    weight > 0 ? position : mean,
  );
  for (let round = 0; round < rounds; round++) path = improved(reachable, path);
  return [...path].map(within);
}
