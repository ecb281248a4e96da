import type { WindowKey } from '../edit.ts';

const number = (value: number): string => String(Number(value.toFixed(3)));

function piece(from: WindowKey, to: WindowKey | undefined, axis: 'x' | 'y'): string {
  const change = to ? to[axis] - from[axis] : 0;
  if (!to || Math.abs(change) < 1e-3 || to.frame - from.frame <= 1) return number(from[axis]);
  const slope = Number((change / (to.frame - from.frame)).toFixed(6));
  return `${number(from[axis])}${slope < 0 ? '-' : '+'}${Math.abs(slope)}*(n-${from.frame})`;
}

/**
 * An ffmpeg expression for a window's position at frame `n`: straight lines between its keys. The
 * keys form a binary tree, so that each frame needs few comparisons and expressions do not nest
 * deeply.
 */
export function cropExpression(keys: readonly WindowKey[], axis: 'x' | 'y'): string {
  const same = keys.every((key) => Math.abs(key[axis] - keys[0]![axis]) < 1e-3);
  if (same) return number(keys[0]![axis]);
  const within = (from: number, to: number): string => {
    if (to - from <= 1) return piece(keys[from]!, keys[from + 1], axis);
    const middle = (from + to) >> 1;
    return `if(lt(n,${keys[middle]!.frame}),${within(from, middle)},${within(middle, to)})`;
  };
  return within(0, keys.length);
}
