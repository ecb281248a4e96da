import type { Dimensions } from '../../edit.ts';

/** A picture is divided into so many blocks. */
const blocks = { across: 16, down: 18 } as const;

/** Letters differ from their ground by this much within two pixels, of 255. */
const minStep = 24;
/** Where letters are, this share of a block's pixels is at such a step. */
const minShare = 0.03;

/** The share of sharp steps in each block of a picture with four bytes per pixel. */
export function edgeShares(picture: Uint8Array, { width, height }: Dimensions): Float32Array {
  const shares = new Float32Array(blocks.across * blocks.down);
  for (let down = 0; down < blocks.down; down++) {
    const bottom = Math.floor(((down + 1) * height) / blocks.down);
    for (let across = 0; across < blocks.across; across++) {
      const right = Math.min(width - 2, Math.floor(((across + 1) * width) / blocks.across));
      const left = Math.floor((across * width) / blocks.across);
      let [steps, count] = [0, 0];
      for (let y = Math.floor((down * height) / blocks.down); y < bottom; y += 2) {
        for (let x = left; x < right; x++, count++) {
          const green = 4 * (y * width + x) + 1;
          if (Math.abs(picture[green]! - picture[green + 8]!) >= minStep) steps += 1;
        }
      }
      shares[down * blocks.across + across] = steps / Math.max(1, count);
    }
  }
  return shares;
}

/**
 * Whether so many blocks beside each other have gained or lost what may be letters.
 * @param before the edges of a picture without letters if omitted
 */
export function lettersDiffer(
  now: Float32Array,
  { run, before }: { run: number; before?: Float32Array },
): boolean {
  let beside = 0;
  return now.some((share, at) => {
    if (at % blocks.across === 0) beside = 0;
    beside = Math.abs(share - (before?.[at] ?? 0)) >= minShare ? beside + 1 : 0;
    return beside >= run;
  });
}
