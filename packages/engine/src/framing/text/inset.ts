import type { Box } from '../../edit.ts';
import type { GreyPicture } from './grey.ts';

/** An edge counts from this change over two pixels on. */
const minEdge = 14;
/** A border is an edge along this share of its length, and of each eighth of it. */
const minBorderShare = { all: 0.8, eighth: 0.5 } as const;
/** The nearest lines beside a face that can be a border: more are a pattern. */
const maxLines = 10;
/** An inset fills at most this share of the picture. */
const maxAreaShare = 0.4;

/** Distances of lines from the left or upper edge of the picture, in pixels. */
type Lines = readonly number[];

/**
 * The small picture that a face is in, such as that of a webcam on a slide: the largest rectangle
 * around the face whose sides are straight borders or edges of the whole picture. Null if there is
 * none.
 * @param face in shares of the picture, like the result
 */
export function insetAround({ values, width, height }: GreyPicture, face: Box): Box | null {
  const within = (value: number, size: number) => Math.min(Math.max(Math.round(value), 0), size);
  const left = within(face.x * width, width);
  const right = within((face.x + face.width) * width, width);
  const top = within(face.y * height, height);
  const bottom = within((face.y + face.height) * height, height);

  /** Whether most places of a line are edges. The edges of the picture always are borders. */
  const isBorder = (axis: 'x' | 'y', line: number, [from, to]: readonly [number, number]) => {
    const size = axis === 'x' ? width : height;
    if (line <= 0 || line >= size) return true;
    const [step, along] = axis === 'x' ? [1, width] : [width, 1];
    const edges = new Uint16Array(8);
    for (let place = from; place < to; place++) {
      const at = line * step + place * along;
      // A border is between two pixels, or on one.
      const change = values[at]! - values[at - step]!;
      const wider = values[Math.min(values.length - 1, at + step)]! - values[at - step]!;
      if (Math.abs(change) >= minEdge || Math.abs(wider) >= minEdge)
        edges[Math.floor((8 * (place - from)) / (to - from))]! += 1;
    }
    const length = to - from;
    const all = edges.reduce((sum, count) => sum + count, 0);
    return (
      all >= minBorderShare.all * length &&
      edges.every((count) => count >= (minBorderShare.eighth * length) / 8 - 1)
    );
  };
  const linesFrom = (axis: 'x' | 'y', start: number, step: -1 | 1): Lines => {
    const size = axis === 'x' ? width : height;
    const beside = axis === 'x' ? ([top, bottom] as const) : ([left, right] as const);
    const lines: number[] = [];
    for (let line = start; line > 1 && line < size - 1 && lines.length < maxLines; line += step) {
      if (isBorder(axis, line, beside)) lines.push(line);
    }
    return [...lines, step < 0 ? 0 : size];
  };

  let largest: Box | null = null;
  const across = { from: linesFrom('x', left, -1), to: linesFrom('x', right, 1) };
  const down = { from: linesFrom('y', top, -1), to: linesFrom('y', bottom, 1) };
  for (const x of across.from) {
    for (const end of across.to) {
      for (const y of down.from) {
        for (const low of down.to) {
          const area = (end - x) * (low - y);
          if (area > maxAreaShare * width * height) continue;
          if (largest && area <= largest.width * largest.height * width * height) continue;
          const sides =
            isBorder('x', x, [y, low]) &&
            isBorder('x', end, [y, low]) &&
            isBorder('y', y, [x, end]) &&
            isBorder('y', low, [x, end]);
          if (!sides) continue;
          largest = {
            x: x / width,
            y: y / height,
            width: (end - x) / width,
            height: (low - y) / height,
          };
        }
      }
    }
  }
  return largest;
}
