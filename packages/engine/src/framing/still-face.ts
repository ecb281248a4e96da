import type { Box, Dimensions } from '../edit.ts';

/** The box of a face is compared in about this many squares each way. */
const squaresAcross = 12;
/** A square has changed from this change of its mean green value on, 0 to 255. */
const minSquareChange = 5;
/** A face has moved if this share of its squares has changed. */
const minMovedShare = 0.05;

/** Whether a face is where it was in the picture before: four bytes per pixel, box in shares. */
export function isStill(
  face: Box,
  now: Uint8Array,
  before: Uint8Array,
  { width, height }: Dimensions,
): boolean {
  const side = Math.max(2, Math.round((face.width * width) / squaresAcross));
  const within = (value: number, size: number) => Math.min(Math.max(Math.round(value), 0), size);
  const right = within((face.x + face.width) * width, width) - side;
  const bottom = within((face.y + face.height) * height, height) - side;
  let [squares, moved] = [0, 0];
  for (let top = within(face.y * height, height); top <= bottom; top += side) {
    for (let left = within(face.x * width, width); left <= right; left += side) {
      let change = 0;
      for (let y = top; y < top + side; y++) {
        for (let x = left; x < left + side; x++) {
          const at = 4 * (y * width + x) + 1;
          change += now[at]! - before[at]!;
        }
      }
      squares += 1;
      if (Math.abs(change) >= minSquareChange * side * side) moved += 1;
    }
  }
  return moved < minMovedShare * squares;
}
