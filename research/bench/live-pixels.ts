/**
 * What runs in the page: it compares the canvas with a frame of ffmpeg, and reads marks. Functions
 * that are given to a page are whole in themselves.
 */
import type { Page } from 'puppeteer-core';

interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A difference counts from this share of the range of a channel on. */
const minDifference = 0.08;

export interface Compared {
  /** Share of all pixels that differ. */
  all: number;
  /** Share of the pixels outside the given parts that differ; 0 if there are none. */
  outside: number;
  /** Of the pixels that are text in either frame, the share that differs; 0 if there are none. */
  text: number;
}

/** Compares the canvas with a picture. `ground`: the colour where no text is. */
export const compared = (page: Page, url: string, pictures: Rectangle[]): Promise<Compared> =>
  page.evaluate(
    async (url, pictures, minDifference) => {
      const canvas = document.querySelector('canvas')!;
      const { width, height } = canvas;
      const context = new OffscreenCanvas(width, height).getContext('2d')!;
      context.drawImage(await createImageBitmap(await (await fetch(url)).blob()), 0, 0);
      const theirs = context.getImageData(0, 0, width, height).data;
      const ours = canvas.getContext('2d')!.getImageData(0, 0, width, height).data;
      const ground = theirs.slice(0, 3);
      const count = { all: 0, outside: 0, text: 0 };
      const of = { all: width * height, outside: 0, text: 0 };
      const limit = minDifference * 255;
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          const at = 4 * (y * width + x);
          const far = (a: Uint8ClampedArray, from: number, b: Uint8ClampedArray) =>
            Math.max(
              Math.abs(a[from]! - b[at]!),
              Math.abs(a[from + 1]! - b[at + 1]!),
              Math.abs(a[from + 2]! - b[at + 2]!),
            ) > limit;
          const differs = far(theirs, at, ours);
          const isInside = pictures.some(
            (one) => x >= one.x && x < one.x + one.width && y >= one.y && y < one.y + one.height,
          );
          const isText = far(ground, 0, theirs) || far(ground, 0, ours);
          if (!isInside) of.outside++;
          if (isText) of.text++;
          if (!differs) continue;
          count.all++;
          if (!isInside) count.outside++;
          if (isText) count.text++;
        }
      }
      const share = (kind: keyof typeof of) => (of[kind] === 0 ? 0 : count[kind] / of[kind]);
      return { all: share('all'), outside: share('outside'), text: share('text') };
    },
    url,
    pictures,
    minDifference,
  );

/**
 * The places of the white lines in a part of a frame, in pixels of the output: across and down.
 * Read from the canvas, or from a picture.
 */
export const markPlaces = (
  page: Page,
  part: Rectangle,
  url: string | null,
): Promise<{ across: number[]; down: number[] }> =>
  page.evaluate(
    async ({ x, y, width, height }, url) => {
      const canvas = document.querySelector('canvas')!;
      const context = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d')!;
      context.drawImage(
        url ? await createImageBitmap(await (await fetch(url)).blob()) : canvas,
        0,
        0,
      );
      const { data } = context.getImageData(x, y, width, height);
      const luma = (at: number) =>
        0.2126 * data[4 * at]! + 0.7152 * data[4 * at + 1]! + 0.0722 * data[4 * at + 2]!;
      /** The middles of what is bright in a profile, without those that its ends cut. */
      const middles = (profile: number[]): number[] => {
        // The picture below the lines is dimmed to this.
        const dark = 115;
        const found: number[] = [];
        let sum = 0;
        let moment = 0;
        let isCut = profile[0]! > dark;
        profile.forEach((value, index) => {
          const bright = Math.max(0, value - dark);
          sum += bright;
          moment += bright * (index + 0.5);
          if (bright > 0) return;
          if (sum > 50 && !isCut) found.push(moment / sum);
          [sum, moment, isCut] = [0, 0, false];
        });
        return found;
      };
      const means = (count: number, other: number, place: (one: number, two: number) => number) =>
        Array.from({ length: count }, (_, one) => {
          // The darkest quarter: lines of the other direction, and bright shapes, are left out.
          const values = Array.from({ length: other }, (_, two) => luma(place(one, two)));
          values.sort((a, b) => a - b);
          const part = values.slice(0, other >> 2);
          return part.reduce((total, value) => total + value, 0) / part.length;
        });
      return {
        across: middles(means(width, height, (column, row) => row * width + column)),
        down: middles(means(height, width, (row, column) => row * width + column)),
      };
    },
    part,
    url,
  );
