import type { Box, Dimensions } from '../../edit.ts';
import { isReading } from './found-lines.ts';

/** The picture is divided into squares of this many pixels. */
const side = 8;
/** The ground of a slide is one brightness, give or take this much, over this share of it. */
const ground = { spread: 3, minShare: 0.3 } as const;
/** A square has changed from this change of its mean brightness on, 0 to 255. */
const minChange = 4;
/** Beyond the person, at most this share of the squares may change. */
const maxMovingShare = 0.02;
/** A figure or an inset fills at most this share of the picture. */
const maxAreaShare = 0.4;
/** A person reaches this far from the middle of their face, in its widths and heights. */
const reach = { aside: 2.5, above: 1.5, below: 3.5 } as const;
/** Text that is only below the chin is a caption, unless it has this many lines. */
const minLinesBelow = 3;

interface Edges {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const getEdges = (box: Box): Edges => ({
  left: box.x,
  right: box.x + box.width,
  top: box.y,
  bottom: box.y + box.height,
});

const isTouching = (one: Edges, other: Edges): boolean =>
  one.left < other.right &&
  one.right > other.left &&
  one.top < other.bottom &&
  one.bottom > other.top;

/** The commonest brightness of a picture; null if it does not fill enough of it. */
function findGroundLevel(values: Uint8Array): number | null {
  const counts = new Uint32Array(256);
  // Every third pixel is enough.
  for (let at = 0; at < values.length; at += 3) counts[values[at]!]! += 1;
  const level = counts.indexOf(Math.max(...counts));
  const near = counts.subarray(Math.max(0, level - ground.spread), level + ground.spread + 1);
  const share = (3 * near.reduce((sum, count) => sum + count, 0)) / values.length;
  return share >= ground.minShare ? level : null;
}

/** For each square of a picture, whether a part of it is not ground, and whether it has changed. */
function compareSquares(now: GreyPicture, before: GreyPicture, level: number) {
  const { values, width, height } = now;
  const size: Dimensions = { width: Math.floor(width / side), height: Math.floor(height / side) };
  const filled = new Uint8Array(size.width * size.height);
  const changed = new Uint8Array(filled.length);
  for (let at = 0; at < filled.length; at++) {
    const [column, row] = [at % size.width, Math.floor(at / size.width)];
    let [others, change] = [0, 0];
    // Every second row is enough.
    for (let y = row * side; y < (row + 1) * side; y += 2) {
      const from = y * width + column * side;
      for (let place = from; place < from + side; place++) {
        const value = values[place]!;
        if (Math.abs(value - level) > ground.spread) others += 1;
        change += value - before.values[place]!;
      }
    }
    if (4 * others >= side * side) filled[at] = 1;
    if (2 * Math.abs(change) >= minChange * side * side) changed[at] = 1;
  }
  return { filled, changed, size };
}

/** The smallest box around the filled squares that are joined to those of a face. */
function findJoinedSquares(
  face: Edges,
  filled: Uint8Array,
  { width, height }: Dimensions,
): Edges | null {
  const visited = new Uint8Array(filled.length);
  const waiting: number[] = [];
  const add = (column: number, row: number) => {
    if (column < 0 || row < 0 || column >= width || row >= height) return;
    const at = row * width + column;
    if (filled[at] === 0 || visited[at] === 1) return;
    visited[at] = 1;
    waiting.push(at);
  };
  for (let row = Math.floor(face.top * height); row < face.bottom * height; row++) {
    for (let column = Math.floor(face.left * width); column < face.right * width; column++) {
      add(column, row);
    }
  }
  let [left, right, top, bottom] = [width, 0, height, 0];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const [column, row] = [at % width, Math.floor(at / width)];
    [left, right] = [Math.min(left, column), Math.max(right, column + 1)];
    [top, bottom] = [Math.min(top, row), Math.max(bottom, row + 1)];
    add(column - 1, row);
    add(column + 1, row);
    add(column, row - 1);
    add(column, row + 1);
  }
  if (right <= left) return null;
  return { left: left / width, right: right / width, top: top / height, bottom: bottom / height };
}

/** A part without lines of text: each takes away as little as it can, but none of the face. */
function withoutLines(part: Edges, face: Edges, lines: readonly Edges[]): Edges | null {
  let free = part;
  for (const line of lines) {
    if (!isTouching(free, line)) continue;
    const [best] = [
      { ...free, left: line.right },
      { ...free, right: line.left },
      { ...free, top: line.bottom },
      { ...free, bottom: line.top },
    ]
      .filter(
        ({ left, right, top, bottom }) =>
          left <= face.left && right >= face.right && top <= face.top && bottom >= face.bottom,
      )
      .toSorted((a, b) => measureArea(b) - measureArea(a));
    if (!best) return null;
    free = best;
  }
  return free;
}

const measureArea = ({ left, right, top, bottom }: Edges): number =>
  (right - left) * (bottom - top);

/**
 * The person that a face belongs to, on a slide of one colour whose other parts stand still: cut
 * out, or in a small picture of any form. Null if it is not clear.
 * @param face in shares of the picture, like the lines and the result
 */
export function findFigure(
  now: GreyPicture,
  before: GreyPicture,
  { face: box, lines: boxes }: { face: Box; lines: readonly Box[] },
): Box | null {
  const face = getEdges(box);
  const lines = boxes.map(getEdges);
  const beside = boxes.filter(({ y, height }) => y + height / 2 < face.bottom);
  if (!isReading(beside) && boxes.length - beside.length < minLinesBelow) return null;
  const level = findGroundLevel(now.values);
  if (level === null) return null;
  const { filled, changed, size } = compareSquares(now, before, level);
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const person = {
    left: Math.max(0, middle.x - reach.aside * box.width),
    right: Math.min(1, middle.x + reach.aside * box.width),
    top: Math.max(0, middle.y - reach.above * box.height),
    bottom: Math.min(1, middle.y + reach.below * box.height),
  };
  let moving = 0;
  for (let at = 0; at < filled.length; at++) {
    if (filled[at] === 0 && changed[at] === 0) continue;
    const left = (at % size.width) / size.width;
    const top = Math.floor(at / size.width) / size.height;
    const square = { left, top, right: left + 1 / size.width, bottom: top + 1 / size.height };
    if (changed[at] === 1 && !isTouching(square, person)) moving += 1;
    if (filled[at] === 1 && lines.some((line) => isTouching(square, line))) filled[at] = 0;
  }
  if (moving > maxMovingShare * filled.length) return null;
  const joined = findJoinedSquares(face, filled, size);
  if (!joined) return null;
  const part = {
    left: Math.max(joined.left, person.left),
    right: Math.min(joined.right, person.right),
    top: Math.max(joined.top, person.top),
    bottom: Math.min(joined.bottom, person.bottom),
  };
  const free = withoutLines(part, face, lines);
  if (!free || measureArea(free) > maxAreaShare) return null;
  const { left, right, top, bottom } = free;
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** An edge counts from this change over two pixels on. */
const minEdge = 14;
/** A border is an edge along this share of its length, and of each eighth of it. */
const minBorderShare = { all: 0.8, eighth: 0.5 } as const;
/** The nearest lines beside a face that can be a border: more are a pattern. */
const maxLines = 10;

/** Distances of lines from the left or upper edge of the picture, in pixels. */
type Lines = readonly number[];

/**
 * The small picture that a face is in, such as that of a webcam on a slide: the largest rectangle
 * around the face whose sides are straight borders or edges of the whole picture. Null if there is
 * none.
 * @param face in shares of the picture, like the result
 */
export function findInset({ values, width, height }: GreyPicture, face: Box): Box | null {
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

/** A picture of one byte per pixel. */
export interface GreyPicture extends Dimensions {
  values: Uint8Array;
}

/** The brightness of a picture with four bytes per pixel. */
export function convertToGrey(picture: Uint8Array, { width, height }: Dimensions): GreyPicture {
  const values = new Uint8Array(width * height);
  for (let at = 0; at < values.length; at++) {
    const from = 4 * at;
    values[at] = (2 * picture[from]! + 5 * picture[from + 1]! + picture[from + 2]!) >> 3;
  }
  return { values, width, height };
}
