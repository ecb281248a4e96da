import type { Focus, PictureFacts, PicturePart } from '../facts.ts';
import { makeToneMapFilter } from '../source/open-source.ts';

/** Size in pixels of the small grey pictures that are compared. */
export const scanSize = { width: 64, height: 36 } as const;

/**
 * Video filters of the scan. Each keyframe is written as raw grey bytes, and its time is logged.
 */
export const makeScanFilter = (facts: PictureFacts): string =>
  makeShapeFilters(facts) +
  `scale=${scanSize.width}:${scanSize.height}:flags=area,${makeToneMapFilter(facts)}format=gray`;

/** Two pictures are different scenes from this mean difference of their pixels on, 0 to 1. */
const cutThreshold = 0.12;

function measureDifference(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) {
    sum += Math.abs((a[index] ?? 0) - (b[index] ?? 0));
  }
  return sum / a.length / 255;
}

type Weigh = (at: number) => number;

function findWeightedMiddle(weigh: Weigh): { x: number; y: number; sum: number } {
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
export function findFocus(
  picture: Uint8Array,
  before: Uint8Array | null,
): { x: number; y: number } {
  const { width } = scanSize;
  const value = (from: Uint8Array, at: number) => from[at] ?? 0;
  if (before) {
    const moved = findWeightedMiddle((at) =>
      Math.max(0, Math.abs(value(picture, at) - value(before, at)) - 12),
    );
    // Enough movement: a twentieth of the picture changed by a tenth of full white.
    if (moved.sum > picture.length * 0.05 * 14) return { x: moved.x, y: moved.y };
  }
  // The square makes a few strong edges (a person) count more than a busy background.
  const edges = findWeightedMiddle((at) => {
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
function mapToContent({ x, y }: { x: number; y: number }, content: PicturePart) {
  const within = (value: number) => Math.min(Math.max(value, 0), 1);
  return {
    x: within((x - content.x) / content.width),
    y: within((y - content.y) / content.height),
  };
}

/**
 * Collects the pictures (raw bytes, in chunks of any size) and times (`showinfo` lines) of
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

  read(bytes: Buffer): void {
    const size = scanSize.width * scanSize.height;
    let rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : bytes;
    while (rest.length >= size) {
      const picture = Uint8Array.from(rest.subarray(0, size));
      const score = this.#before ? measureDifference(this.#before, picture) : 0;
      this.#scores.push(score);
      this.#points.push(findFocus(picture, score < cutThreshold ? this.#before : null));
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
      const { x, y } = content ? mapToContent(point, content) : point;
      focus.push({ time, x: share(x), y: share(y) });
    });
    return { cuts, focus, content, interlaced: this.#interlaced !== false };
  }
}

/**
 * Finds black bars in the log of ffmpeg's `cropdetect`, which grows the part that is not black with
 * each picture.
 */
export class BarReader {
  #part: { x: number; y: number; width: number; height: number } | null = null;
  #size: { width: number; height: number } | null = null;

  line(text: string): void {
    const crop = /^\[(?:Parsed_)?cropdetect\S* @ \S+\] .* crop=(\d+):(\d+):(\d+):(\d+)/.exec(text);
    if (crop) {
      const [width, height, x, y] = crop.slice(1).map(Number) as [number, number, number, number];
      this.#part = { x, y, width, height };
    }
    const size = /^\[(?:Parsed_)?showinfo\S* @ \S+\] n: *\d+ .* s:(\d+)x(\d+) /.exec(text);
    if (size) this.#size = { width: Number(size[1]), height: Number(size[2]) };
  }

  /** The part of the picture between black bars; null without bars. */
  end(): PicturePart | null {
    if (!this.#part || !this.#size) return null;
    return findContent(this.#part, this.#size);
  }
}

/** Narrower bars are not removed. */
const minBarShare = 0.015;
/** The two bars of a picture are equally wide, except for this share of the picture. */
const maxUnevenShare = 0.01;
/** The minimum share of the picture that the content fills. */
const minContentShare = 0.2;

/**
 * The content between black bars. A dark room is not a bar: bars are equally wide on both sides.
 * @param part what is not black, in pixels of a picture of `size`
 */
export function findContent(
  part: { x: number; y: number; width: number; height: number },
  size: { width: number; height: number },
): PicturePart | null {
  const along = (at: 'x' | 'y', side: 'width' | 'height') => {
    const before = part[at] / size[side];
    const after = 1 - (part[at] + part[side]) / size[side];
    const even = Math.abs(before - after) <= maxUnevenShare;
    return even && before + after >= 2 * minBarShare
      ? { from: before, length: part[side] / size[side] }
      : { from: 0, length: 1, uneven: !even };
  };
  const across = along('x', 'width');
  const down = along('y', 'height');
  const bars = across.length < 1 || down.length < 1;
  const share = across.length * down.length;
  if (!bars || across.uneven || down.uneven || share < minContentShare) return null;
  return { x: across.from, y: down.from, width: across.length, height: down.length };
}

/** Whether most pictures are interlaced, by the summary of ffmpeg's `idet`; null if it has none. */
export function isInterlaced(line: string): boolean | null {
  const counts =
    /^\[(?:Parsed_)?idet\S* @ \S+\] Single frame detection: *TFF: *(\d+) *BFF: *(\d+) *Progressive: *(\d+)/.exec(
      line,
    );
  if (!counts) return null;
  const [top, bottom, progressive] = counts.slice(1).map(Number) as [number, number, number];
  return top + bottom >= progressive;
}

/**
 * Filters before pictures of the scan are made small. Interlacing is checked only if the header
 * says that there is some: many progressive videos are stored as interlaced ones.
 */
const makeShapeFilters = ({ firstField }: PictureFacts): string =>
  `cropdetect=limit=20:round=2:reset=0:skip=0,${firstField ? 'idet,' : ''}showinfo=checksum=0,`;
