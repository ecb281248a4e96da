/**
 * Finds lines of text in a picture, by what all scripts and sizes have in common: many strokes next
 * to each other, in a band with quiet rows above and below, on a background of one brightness.
 */
import type { Dimensions } from '../../edit.ts';

/** A picture of one byte per pixel. */
export interface GreyPicture extends Dimensions {
  values: Uint8Array;
}

/** A line of text: rows `top` to `bottom` and columns `left` to `right`, in pixels. */
export interface TextLine {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A part of a line, as high as the line and as wide as a block. */
interface Band {
  top: number;
  bottom: number;
  /** Brightness of the background. */
  ground: number;
}

/** Blocks are twice as wide as their distance. */
const blockStep = 32;
const blockWidth = 2 * blockStep;
/** Two opposite edges up to this many pixels apart are the sides of a stroke. */
const maxStrokePixels = 14;
/** An edge is a change of this much over two pixels. */
const minEdge = 22;
/** A row is a part of a line from this many strokes on; with fewer than two it is quiet. */
const minStrokes = 3;
const bandHeight = { min: 4, max: 72 } as const;
/** Share of a quiet row's pixels that are about as bright as the background. */
const minQuietShare = 0.8;
/** Shares of a band's pixels that are like the background, and clearly unlike it. */
const minGroundShare = 0.25;
const minLetterShare = 0.06;
/** Neighbouring bands are one line if they share this much of their rows. */
const minSharedRows = 0.6;
const maxGroundChange = 24;
/** Fewer neighbouring blocks are not a line. */
const minBlocks = 3;

/** The number of strokes in each row of each step: `counts[step * height + row]`. */
function strokes({ values, width, height }: GreyPicture): Uint8Array {
  const steps = Math.floor(width / blockStep);
  const counts = new Uint8Array(steps * height);
  for (let y = 0; y < height; y++) {
    let sign = 0;
    let at = -1;
    for (let x = 1; x < width - 1; x++) {
      const change = values[y * width + x + 1]! - values[y * width + x - 1]!;
      if (change < minEdge && change > -minEdge) continue;
      const now = Math.sign(change);
      if (sign !== 0 && now !== sign && x - at <= maxStrokePixels) {
        const step = Math.min(steps - 1, Math.floor(x / blockStep));
        counts[step * height + y]! += 1;
      }
      sign = now;
      at = x;
    }
  }
  return counts;
}

/** The background's brightness in rows next to a band; null if they are not quiet. */
function quietGround(
  { values, width, height }: GreyPicture,
  left: number,
  [from, to]: readonly [number, number],
): number | null {
  if (from < 0 || to > height) return null;
  const levels = new Uint16Array(17);
  for (let y = from; y < to; y++) {
    for (let x = left; x < left + blockWidth; x++) levels[values[y * width + x]! >> 4]! += 1;
  }
  let most = 0;
  for (let level = 1; level < 16; level++) {
    if (levels[level]! + levels[level + 1]! > levels[most]! + levels[most + 1]!) most = level;
  }
  const share = (levels[most]! + levels[most + 1]!) / ((to - from) * blockWidth);
  return share >= minQuietShare ? (most + 1) * 16 : null;
}

/** Whether a band has letters on a background. */
function hasLetters({ values, width }: GreyPicture, left: number, band: Band): boolean {
  let [alike, unlike] = [0, 0];
  for (let y = band.top; y < band.bottom; y++) {
    for (let x = left; x < left + blockWidth; x++) {
      const difference = Math.abs(values[y * width + x]! - band.ground);
      if (difference <= 20) alike += 1;
      else if (difference >= 40) unlike += 1;
    }
  }
  const area = (band.bottom - band.top) * blockWidth;
  return alike >= minGroundShare * area && unlike >= minLetterShare * area;
}

/** The bands of a block with quiet rows above or below (or on both sides), from top to bottom. */
function bandsOf(
  picture: GreyPicture,
  counts: Uint8Array,
  step: number,
  quietSides: 1 | 2,
): Band[] {
  const { height } = picture;
  const left = step * blockStep;
  const count = (y: number) => counts[step * height + y]! + counts[(step + 1) * height + y]!;
  const bands: Band[] = [];
  for (let top = 0; top < height; top++) {
    if (count(top) < minStrokes) continue;
    let end = top;
    let quiet = 0;
    for (; end < height && quiet < 2; end++) quiet = count(end) < 2 ? quiet + 1 : 0;
    const bottom = end - quiet;
    const tall = bottom - top;
    if (tall >= bandHeight.min && tall <= bandHeight.max) {
      const gap = Math.max(2, Math.min(6, Math.round(tall * 0.2)));
      const grounds = [
        quietGround(picture, left, [top - gap - 1, top - 1]),
        quietGround(picture, left, [bottom + 1, bottom + 1 + gap]),
      ].filter((ground) => ground !== null);
      const [ground, other = ground] = grounds;
      const enough = grounds.length >= quietSides;
      if (enough && ground !== undefined && Math.abs(ground - other!) <= maxGroundChange) {
        const band = { top, bottom, ground };
        if (hasLetters(picture, left, band)) bands.push(band);
      }
    }
    top = Math.max(bottom, top);
  }
  return bands;
}

function continues(band: Band, next: Band): boolean {
  const shared = Math.min(band.bottom, next.bottom) - Math.max(band.top, next.top);
  const taller = Math.max(band.bottom - band.top, next.bottom - next.top);
  return Math.abs(band.ground - next.ground) <= maxGroundChange && shared >= minSharedRows * taller;
}

/** The lines of text in a picture, with quiet rows on this many of their sides. */
export function textLines(picture: GreyPicture, quietSides: 1 | 2 = 1): TextLine[] {
  const counts = strokes(picture);
  const blocks = Math.max(0, Math.floor(picture.width / blockStep) - 1);
  const bands = Array.from({ length: blocks }, (_, step) =>
    bandsOf(picture, counts, step, quietSides),
  );
  const used = new Set<Band>();
  const lines: TextLine[] = [];
  for (const [step, starts] of bands.entries()) {
    for (const start of starts) {
      if (used.has(start)) continue;
      const line = [start];
      for (let next = step + 1; next < blocks; next++) {
        const more = bands[next]!.find((band) => !used.has(band) && continues(line.at(-1)!, band));
        if (!more) break;
        line.push(more);
      }
      for (const band of line) used.add(band);
      if (line.length < minBlocks) continue;
      lines.push({
        left: step * blockStep,
        right: (step + line.length + 1) * blockStep,
        top: Math.min(...line.map(({ top }) => top)),
        bottom: Math.max(...line.map(({ bottom }) => bottom)),
      });
    }
  }
  return lines;
}

/**
 * The lines of large letters in a picture, such as those of a title card: their strokes are as wide
 * as those of other text in a picture of half the size. Textures also look like that, so both of
 * their sides are quiet.
 */
export function largeTextLines({ values, width, height }: GreyPicture): TextLine[] {
  const half = { width: width >> 1, height: height >> 1 };
  const means = Uint8Array.from({ length: half.width * half.height }, (_, at) => {
    const from = 2 * width * Math.floor(at / half.width) + 2 * (at % half.width);
    const above = values[from]! + values[from + 1]!;
    return (above + values[from + width]! + values[from + width + 1]!) >> 2;
  });
  return textLines({ ...half, values: means }, 2).map((line) => ({
    left: 2 * line.left,
    right: 2 * line.right,
    top: 2 * line.top,
    bottom: 2 * line.bottom,
  }));
}

/** A picture shows text if its lines are this long together, or one of them is. */
const minLength = { together: 15 * blockStep, single: 6 * blockStep } as const;

/** Whether lines are text that somebody should be able to read, and not a few chance strokes. */
export function isText(lines: readonly TextLine[]): boolean {
  const lengths = lines.map(({ left, right }) => right - left);
  const together = lengths.reduce((sum, length) => sum + length, 0);
  return together >= minLength.together || Math.max(0, ...lengths) >= minLength.single;
}
