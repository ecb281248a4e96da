import type { Focus } from '../facts.ts';

/** Size in pixels of the small grey pictures that are looked at. */
export const glance = { width: 64, height: 36 } as const;

/** The video filters of the scan: keyframes only are decoded, each is written as raw grey bytes and logged with its time. */
export const pictureScanFilter = `scale=${glance.width}:${glance.height}:flags=area,format=gray,showinfo=checksum=0`;

/** Mean difference of two pictures' pixels from which on they are different scenes, 0 to 1. */
const cutThreshold = 0.12;

function difference(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) {
    sum += Math.abs((a[index] ?? 0) - (b[index] ?? 0));
  }
  return sum / a.length / 255;
}

type Weigh = (at: number) => number;

function middleOf(weigh: Weigh): { x: number; y: number; sum: number } {
  const { width, height } = glance;
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
 * Where a picture draws the eye, 0 to 1 on each axis: the middle of what has moved since `before` (a picture of the same
 * scene, or null), and where hardly anything has, the middle of its edges.
 */
export function focusOf(picture: Uint8Array, before: Uint8Array | null): { x: number; y: number } {
  const { width } = glance;
  const value = (from: Uint8Array, at: number) => from[at] ?? 0;
  if (before) {
    const moved = middleOf((at) =>
      Math.max(0, Math.abs(value(picture, at) - value(before, at)) - 12),
    );
    // As much as a twentieth of the picture changed by a tenth of full white.
    if (moved.sum > picture.length * 0.05 * 14) return { x: moved.x, y: moved.y };
  }
  // The square lets a few strong edges (a person) outweigh a busy ground.
  const edges = middleOf((at) => {
    const across = Math.abs(value(picture, at + 1) - value(picture, at - 1));
    const down = Math.abs(value(picture, at + width) - value(picture, at - width));
    return Math.max(0, across + down - 16) ** 2;
  });
  return { x: edges.x, y: edges.y };
}

/** A picture's time in a line of ffmpeg's `showinfo`, and in no other: a film's title may hold the same words. */
export const shownTime = /^\[(?:Parsed_)?showinfo\S* @ \S+\] n: *\d+ .*?pts_time: *(-?[\d.]+)/;

/** Gathers the keyframes' pictures (raw bytes, in pieces of any size) and times (`showinfo` lines). */
export class KeyframeReader {
  readonly #times: number[] = [];
  readonly #scores: number[] = [];
  readonly #points: { x: number; y: number }[] = [];
  #before: Uint8Array | null = null;
  #rest: Buffer = Buffer.alloc(0);

  line(text: string): void {
    const match = shownTime.exec(text);
    if (match) this.#times.push(Math.max(0, Number(match[1])));
  }

  piece(bytes: Buffer): void {
    const size = glance.width * glance.height;
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

  /** Seconds of video seen so far. */
  get seconds(): number {
    return this.#times.at(-1) ?? 0;
  }

  end(): { cuts: number[]; focus: Focus[] } {
    const cuts: number[] = [];
    const focus: Focus[] = [];
    this.#points.forEach((point, index) => {
      const time = this.#times[index];
      if (time === undefined) return;
      if ((this.#scores[index] ?? 0) >= cutThreshold) cuts.push(time);
      const share = (value: number) => Math.round(value * 1000) / 1000;
      focus.push({ time, x: share(point.x), y: share(point.y) });
    });
    return { cuts, focus };
  }
}
