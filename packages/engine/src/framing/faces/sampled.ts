import type { Dimensions } from '../../edit.ts';

/** A part of a picture in its pixels. It may be partly or wholly outside. */
export interface Region extends Dimensions {
  x: number;
  y: number;
}

/** Where the points of each target pixel are along one axis, as offsets; -1 far outside. */
function computeOffsets(from: number, length: number, side: number, target: number, step: number) {
  const points = Math.max(2, Math.ceil(length / target));
  const places = Int32Array.from({ length: target * points }, (_, at) => {
    const place = Math.floor(from + ((at + 0.5) * length) / (target * points));
    const mirrored = place < 0 ? -1 - place : place < side ? place : 2 * side - 1 - place;
    return mirrored >= 0 && mirrored < side ? mirrored * step : -1;
  });
  return { places, points };
}

/**
 * Scales a part of a picture (four bytes per pixel) to a network's input: all red values, then all
 * green, then all blue, from -1 to 1. Outside of the picture is its mirror image, which makes a
 * whole face of half a one.
 */
export function samplePicture(
  picture: Uint8Array,
  size: Dimensions,
  region: Region,
  target: Dimensions,
): Float32Array<ArrayBuffer> {
  const across = computeOffsets(region.x, region.width, size.width, target.width, 4);
  const down = computeOffsets(region.y, region.height, size.height, target.height, 4 * size.width);
  const plane = target.width * target.height;
  const values = new Float32Array(3 * plane);
  const scale = 1 / (across.points * down.points * 127.5);
  let at = 0;
  for (let row = 0; row < target.height; row++) {
    for (let column = 0; column < target.width; column++, at++) {
      let [red, green, blue] = [0, 0, 0];
      for (let j = row * down.points; j < (row + 1) * down.points; j++) {
        const line = down.places[j]!;
        if (line < 0) continue;
        for (let i = column * across.points; i < (column + 1) * across.points; i++) {
          const place = across.places[i]!;
          if (place < 0) continue;
          red += picture[line + place]!;
          green += picture[line + place + 1]!;
          blue += picture[line + place + 2]!;
        }
      }
      values[at] = red * scale - 1;
      values[plane + at] = green * scale - 1;
      values[2 * plane + at] = blue * scale - 1;
    }
  }
  return values;
}
