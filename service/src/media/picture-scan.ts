import type { Focus } from './analysis.ts';

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

/** Where the edges of a picture are, as the weighted middle of each axis, 0 to 1. */
export function focusOf(picture: Uint8Array): { x: number; y: number } {
  const { width, height } = glance;
  const columns = new Float64Array(width);
  const rows = new Float64Array(height);
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      const across = Math.abs((picture[at + 1] ?? 0) - (picture[at - 1] ?? 0));
      const down = Math.abs((picture[at + width] ?? 0) - (picture[at - width] ?? 0));
      // The square lets a few strong edges (a person) outweigh a busy ground.
      const weight = Math.max(0, across + down - 16) ** 2;
      columns[x] = (columns[x] ?? 0) + weight;
      rows[y] = (rows[y] ?? 0) + weight;
    }
  }
  const middle = (weights: Float64Array) => {
    let sum = 0;
    let moment = 0;
    weights.forEach((weight, index) => {
      sum += weight;
      moment += weight * (index + 0.5);
    });
    return sum > 0 ? moment / sum / weights.length : 0.5;
  };
  return { x: middle(columns), y: middle(rows) };
}

/** Gathers the keyframes' pictures (raw bytes, in pieces of any size) and times (`showinfo` lines). */
export class KeyframeReader {
  readonly #times: number[] = [];
  readonly #scores: number[] = [];
  readonly #points: { x: number; y: number }[] = [];
  #before: Uint8Array | null = null;
  #rest: Buffer = Buffer.alloc(0);

  line(text: string): void {
    const match = /pts_time:\s*(-?[\d.]+)/.exec(text);
    if (match) this.#times.push(Math.max(0, Number(match[1])));
  }

  piece(bytes: Buffer): void {
    const size = glance.width * glance.height;
    let rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : bytes;
    while (rest.length >= size) {
      const picture = Uint8Array.from(rest.subarray(0, size));
      this.#scores.push(this.#before ? difference(this.#before, picture) : 0);
      this.#points.push(focusOf(picture));
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
