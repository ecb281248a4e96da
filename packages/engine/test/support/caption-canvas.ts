import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAssDocument } from '../../src/captions/ass.ts';
import type { Edit } from '../../src/edit.ts';
import { ffmpeg, temporaryDirectory } from 'clip-testkit/media-footage';

const size = { width: 180, height: 320 };
const rate = 25;

/** Positions of the pixels in a frame that pass a test. */
export function pixelsWhere(frame: Buffer, passes: (r: number, g: number, b: number) => boolean) {
  const found: { x: number; y: number }[] = [];
  for (let index = 0; index < frame.length / 3; index++) {
    const [r, g, b] = [frame[index * 3]!, frame[index * 3 + 1]!, frame[index * 3 + 2]!];
    if (passes(r, g, b)) found.push({ x: index % size.width, y: Math.floor(index / size.width) });
  }
  return found;
}
export const red = (r: number, g: number, b: number) => r > 150 && g < 90 && b < 90;
export const lit = (r: number, g: number, b: number) => r + g + b > 300;

/** Middle of the marked word in a frame; null if no word is marked. */
export function markedAt(frame: Buffer): number | null {
  const xs = pixelsWhere(frame, red).map(({ x, y }) => x + y * 1000);
  return xs.length > 5 ? xs.reduce((sum, x) => sum + x, 0) / xs.length : null;
}

/** Times in seconds at which the mark jumps to another word. */
export function onsetsOf(frames: readonly Buffer[]): number[] {
  const marks = frames.map(markedAt);
  return marks.flatMap((mark, index) => {
    const before = marks[index - 1] ?? null;
    const jumped = mark !== null && (before === null || Math.abs(mark - before) > 2);
    return jumped ? [index / rate] : [];
  });
}

/** Draws captions on a small black picture of 180 by 320 pixels, 25 frames per second. */
export async function captionCanvas() {
  const directory = await temporaryDirectory();

  /** The captions of an edit drawn on black: raw RGB frames, those of some instants on request. */
  const drawn = async (edit: Edit, framesPerSecond = rate): Promise<Buffer[]> => {
    await writeFile(join(directory.path, 'c.ass'), writeAssDocument(edit));
    const raw = await ffmpeg(
      // prettier-ignore
      [
        '-f', 'lavfi', '-i', `color=black:s=${size.width}x${size.height}:r=${framesPerSecond}`,
        '-t', String(edit.duration), '-vf', 'format=rgb24,ass=c.ass',
        '-f', 'rawvideo', '-pix_fmt', 'rgb24', 'pipe:1',
      ],
      directory.path,
    );
    const bytes = size.width * size.height * 3;
    return Array.from({ length: raw.length / bytes }, (_, index) =>
      raw.subarray(index * bytes, (index + 1) * bytes),
    );
  };

  return { drawn, size, rate, remove: directory.remove };
}
