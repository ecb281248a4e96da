import type { PictureFacts, PicturePart } from '../facts.ts';

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
    return contentOf(this.#part, this.#size);
  }
}

/** Narrower bars are not removed. */
const minBarShare = 0.015;
/** The two bars of a picture are equally wide, except for this share of the picture. */
const maxUnevenShare = 0.01;
/** Less than this share of the picture is not all of what was filmed. */
const minContentShare = 0.2;

/**
 * The content between black bars. A dark room is not a bar: bars are equally wide on both sides.
 * @param part what is not black, in pixels of a picture of `size`
 */
export function contentOf(
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
 * says that there is some: many progressive films are stored as interlaced ones.
 */
export const shapeFilters = ({ firstField }: PictureFacts): string =>
  `cropdetect=limit=20:round=2:reset=0:skip=0,${firstField ? 'idet,' : ''}showinfo=checksum=0,`;
