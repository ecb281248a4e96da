import type { Focus, PictureFacts, PicturePart } from '../facts.ts';
import { toneMapped } from '../source/picture-filters.ts';
import { BarReader, isInterlaced, shapeFilters } from './picture-shape.ts';

/** Size in pixels of the small grey pictures that are compared. */
export const scanSize = { width: 64, height: 36 } as const;

/**
 * Video filters of the scan. Each keyframe is written as raw grey bytes, and its time is logged.
 */
export const pictureScanFilter = (facts: PictureFacts): string =>
  shapeFilters(facts) +
  `scale=${scanSize.width}:${scanSize.height}:flags=area,${toneMapped(facts)}format=gray`;

/** Two pictures are different scenes from this mean difference of their pixels on, 0 to 1. */
const cutThreshold = 0.12;

function difference(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) {
    sum += Math.abs((a[index] ?? 0) - (b[index] ?? 0));
  }
  return sum / a.length / 255;
}

type Weigh = (at: number) => number;

function weightedMiddle(weigh: Weigh): { x: number; y: number; sum: number } {
  const { width, height } = scanSize;
  let [sum, momentX, momentY] = [0, 0, 0];
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const weight = weigh(y * width + x);
      sum += weight;
      momentX += weight * (x + 0.5);
      momentY += weight * (y + 0.5);
    }
  }
  return sum > 0
    ? { x: momentX / sum / width, y: momentY / sum / height, sum }
    : { x: 0.5, y: 0.5, sum };
}

/**
 * The point of a picture that draws the eye, 0 to 1 on each axis: the middle of what moved since
 * `before` (a picture of the same scene, or null). If almost nothing moved, the middle of the
 * picture's edges.
 */
export function focusOf(picture: Uint8Array, before: Uint8Array | null): { x: number; y: number } {
  const { width } = scanSize;
  const value = (from: Uint8Array, at: number) => from[at] ?? 0;
  if (before) {
    const moved = weightedMiddle((at) =>
      Math.max(0, Math.abs(value(picture, at) - value(before, at)) - 12),
    );
    // Enough movement: a twentieth of the picture changed by a tenth of full white.
    if (moved.sum > picture.length * 0.05 * 14) return { x: moved.x, y: moved.y };
  }
  // The square makes a few strong edges (a person) count more than a busy background.
  const edges = weightedMiddle((at) => {
    const across = Math.abs(value(picture, at + 1) - value(picture, at - 1));
    const down = Math.abs(value(picture, at + width) - value(picture, at - width));
    return Math.max(0, across + down - 16) ** 2;
  });
  return { x: edges.x, y: edges.y };
}

/**
 * The time of a picture in a line of ffmpeg's `showinfo` filter. Strict, because a title in the
 * file may contain similar text.
 */
export const shownTime = /^\[(?:Parsed_)?showinfo\S* @ \S+\] n: *\d+ .*?pts_time: *(-?[\d.]+)/;

/** A point of the whole picture, in shares of its content. */
function withinContent({ x, y }: { x: number; y: number }, content: PicturePart) {
  const within = (value: number) => Math.min(Math.max(value, 0), 1);
  return {
    x: within((x - content.x) / content.width),
    y: within((y - content.y) / content.height),
  };
}

/**
 * Collects the pictures (raw bytes, in pieces of any size) and times (`showinfo` lines) of
 * keyframes.
 */
export class KeyframeReader {
  readonly #times: number[] = [];
  readonly #scores: number[] = [];
  readonly #points: { x: number; y: number }[] = [];
  readonly #bars = new BarReader();
  #interlaced: boolean | null = null;
  #before: Uint8Array | null = null;
  #rest: Buffer = Buffer.alloc(0);

  line(text: string): void {
    const match = shownTime.exec(text);
    if (match) this.#times.push(Math.max(0, Number(match[1])));
    this.#bars.line(text);
    this.#interlaced = isInterlaced(text) ?? this.#interlaced;
  }

  piece(bytes: Buffer): void {
    const size = scanSize.width * scanSize.height;
    let rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : bytes;
    while (rest.length >= size) {
      const picture = Uint8Array.from(rest.subarray(0, size));
      const score = this.#before ? difference(this.#before, picture) : 0;
      this.#scores.push(score);
      this.#points.push(focusOf(picture, score < cutThreshold ? this.#before : null));
      this.#before = picture;
      rest = rest.subarray(size);
    }
    this.#rest = Buffer.from(rest);
  }

  /** Seconds of video that were read so far. */
  get seconds(): number {
    return this.#times.at(-1) ?? 0;
  }

  end(): { cuts: number[]; focus: Focus[]; content: PicturePart | null; interlaced: boolean } {
    const content = this.#bars.end();
    const cuts: number[] = [];
    const focus: Focus[] = [];
    this.#points.forEach((point, index) => {
      const time = this.#times[index];
      if (time === undefined) return;
      if ((this.#scores[index] ?? 0) >= cutThreshold) cuts.push(time);
      const share = (value: number) => Math.round(value * 1000) / 1000;
      const { x, y } = content ? withinContent(point, content) : point;
      focus.push({ time, x: share(x), y: share(y) });
    });
    return { cuts, focus, content, interlaced: this.#interlaced !== false };
  }
}
