import type { Box, Dimensions } from '../../edit.ts';

/** A pixel is part of a line from this probability on, and a line from this mean of its pixels. */
const minPixel = 0.3;
const minLine = 0.6;
/** A line fills this share of its box: letters along an arc, or twigs, fill less. */
const minFill = 0.5;
/** Smaller finds are single letters or noise. */
const minPixels = 8;
/** The network marks the middle of a line, and this factor restores the height of its letters. */
const growth = 1.5;

/**
 * The lines of text in the network's output, which has a probability for each pixel, as shares of
 * its input.
 */
export function readLines(values: Float32Array, { width, height }: Dimensions): Box[] {
  const visited = new Uint8Array(width * height);
  const lines: Box[] = [];
  const waiting: number[] = [];
  const add = (at: number) => {
    if (visited[at] === 1 || values[at]! <= minPixel) return;
    visited[at] = 1;
    waiting.push(at);
  };
  for (let start = 0; start < values.length; start++) {
    add(start);
    let [left, right, top, bottom, count, sum] = [width, 0, height, 0, 0, 0];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      const [x, y] = [at % width, Math.floor(at / width)];
      [left, right] = [Math.min(left, x), Math.max(right, x + 1)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y + 1)];
      count += 1;
      sum += values[at]!;
      if (x > 0) add(at - 1);
      if (x < width - 1) add(at + 1);
      if (y > 0) add(at - width);
      if (y < height - 1) add(at + width);
    }
    const [across, down] = [right - left, bottom - top];
    if (count < minPixels || sum < minLine * count || count < minFill * across * down) continue;
    const more = (growth * across * down) / (2 * (across + down));
    const from = { x: Math.max(0, left - more), y: Math.max(0, top - more) };
    lines.push({
      x: from.x / width,
      y: from.y / height,
      width: (Math.min(width, right + more) - from.x) / width,
      height: (Math.min(height, bottom + more) - from.y) / height,
    });
  }
  return lines;
}

/** Text fills a part of a picture: one line is this wide, all are, or they have this area. */
const minFilled = { line: 0.25, lines: 0.6, area: 0.02 } as const;

/** A name or a title over a picture of people has at most this many rows. */
export const maxTitleLines = 2;

/** Whether lines are text that a viewer should be able to read, and not a logo or a sign. */
export function isReading(lines: readonly Box[]): boolean {
  const sum = (of: (line: Box) => number) => lines.reduce((all, line) => all + of(line), 0);
  return (
    lines.some(({ width }) => width >= minFilled.line) ||
    sum(({ width }) => width) >= minFilled.lines ||
    sum(({ width, height }) => width * height) >= minFilled.area
  );
}

/** The smallest box around some boxes. */
export function joinBoxes(boxes: readonly Box[]): Box {
  const left = Math.min(...boxes.map(({ x }) => x));
  const top = Math.min(...boxes.map(({ y }) => y));
  const right = Math.max(...boxes.map(({ x, width }) => x + width));
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height));
  return { x: left, y: top, width: right - left, height: bottom - top };
}

export const getMiddleY = ({ y, height }: Box): number => y + height / 2;

/** Lines share a row if their middles are this close, in heights of the lines. */
const maxRowOffset = 0.5;

/** The rows of some lines: each is around the lines beside each other. */
export function groupRows(lines: readonly Box[]): Box[] {
  const rows: Box[][] = [];
  for (const line of lines) {
    const isBeside = (one: Box) =>
      Math.abs(getMiddleY(one) - getMiddleY(line)) <=
      maxRowOffset * Math.min(one.height, line.height);
    const row = rows.find(([first]) => isBeside(first!));
    if (row) row.push(line);
    else rows.push([line]);
  }
  return rows.map(joinBoxes);
}

/** A line on a face is at most this much wider than it: captions over a face are wider. */
const maxFaceWidths = 1.5;

/** Whether a line is only seen in a face: its eyes, its lips, or all of it. */
export function isOnFace(line: Box, face: Box): boolean {
  const [x, y] = [line.x + line.width / 2, line.y + line.height / 2];
  const isInside = x > face.x && x < face.x + face.width && y > face.y && y < face.y + face.height;
  return isInside && line.width <= maxFaceWidths * face.width;
}
