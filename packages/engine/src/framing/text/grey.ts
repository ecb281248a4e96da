import type { Dimensions } from '../../edit.ts';

/** A picture of one byte per pixel. */
export interface GreyPicture extends Dimensions {
  values: Uint8Array;
}

/** The brightness of a picture with four bytes per pixel. */
export function greyOf(picture: Uint8Array, { width, height }: Dimensions): GreyPicture {
  const values = new Uint8Array(width * height);
  for (let at = 0; at < values.length; at++) {
    const from = 4 * at;
    values[at] = (2 * picture[from]! + 5 * picture[from + 1]! + picture[from + 2]!) >> 3;
  }
  return { values, width, height };
}
