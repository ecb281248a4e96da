import { ffmpeg } from 'clip-testkit/media-footage';
import { mark } from './people-footage.ts';

/**
 * The position of a drawn face's mark in each frame of a file, in pixels; null if it is not
 * visible.
 */
export async function nosesIn(
  path: string,
  { width, height }: { width: number; height: number },
  /** Colour matrix of the file. */
  matrix: 'bt709' | 'bt601' = 'bt709',
): Promise<({ x: number; y: number } | null)[]> {
  // prettier-ignore
  const raw = await ffmpeg([
    '-i', path, '-vf', `scale=in_color_matrix=${matrix}`, '-fps_mode', 'passthrough',
    '-f', 'rawvideo', '-pix_fmt', 'rgb24', 'pipe:1',
  ]);
  const size = width * height * 3;
  const [red, green, blue] = mark;
  return Array.from({ length: raw.length / size }, (_, frame) => {
    const picture = raw.subarray(frame * size, (frame + 1) * size);
    let [count, sumX, sumY] = [0, 0, 0];
    for (let at = 0; at < size; at += 3) {
      // Written out by hand: a loop over the parts is ten times slower for millions of pixels.
      if (Math.abs(picture[at + 1]! - green) >= 90) continue;
      if (Math.abs(picture[at]! - red) >= 90 || Math.abs(picture[at + 2]! - blue) >= 90) continue;
      count += 1;
      sumX += (at / 3) % width;
      sumY += Math.floor(at / 3 / width);
    }
    return count > 3 ? { x: sumX / count, y: sumY / count } : null;
  });
}
