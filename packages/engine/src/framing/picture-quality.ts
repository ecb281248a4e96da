import type { Box, Dimensions } from '../edit.ts';
import type { MouthReader } from './faces/face-finder.ts';
import type { FacePlace } from './faces/mouth-network.ts';
import type { PictureQuality, Subject } from './subject-finder.ts';

/** Number of pictures of a clip that are measured, at even intervals, beside the first one. */
const pictureCount = 12;
/** A face of fewer pixels from the brows to the chin is not read: its eyes are too small. */
const minFacePixels = 48;
/** A picture of less sharpness is blank. */
const minSharpness = 0.5;
/** A face that is more tilted is read again with level eyes, in radians. */
const maxTilt = 0.1;

/** The mean step of green between pixels beside each other in a part of a picture, 0 to 255. */
export function measureSharpness(picture: Uint8Array, size: Dimensions, part: Box): number {
  const within = (share: number, side: number) =>
    Math.round(Math.min(Math.max(share, 0), 1) * (side - 1));
  const [left, right] = [within(part.x, size.width), within(part.x + part.width, size.width)];
  const [top, bottom] = [within(part.y, size.height), within(part.y + part.height, size.height)];
  let [steps, count] = [0, 0];
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++, count++) {
      const at = 4 * (y * size.width + x) + 1;
      steps += Math.abs(picture[at]! - picture[at + 4]!);
      steps += Math.abs(picture[at]! - picture[at + 4 * size.width]!);
    }
  }
  return steps / Math.max(1, 2 * count);
}

/** Measures some pictures of a clip: how sharp they are, and the largest face of each. */
export class QualityMeter {
  readonly #size: Dimensions;
  readonly #reader: MouthReader | null;
  readonly #every: number;
  #count = 0;
  /** Whether a picture was measured that is not blank. */
  #hasBegun = false;

  constructor(
    size: Dimensions,
    openReader: ((size: Dimensions) => MouthReader) | undefined,
    pictures: number,
  ) {
    this.#size = size;
    this.#reader = openReader?.(size) ?? null;
    this.#every = Math.max(1, pictures / pictureCount);
  }

  /** Returns the quality of a picture; undefined if it is blank or not measured. */
  async measure(
    picture: Uint8Array,
    subjects: readonly Subject[],
  ): Promise<PictureQuality | undefined> {
    // The first of the even ones is half a step after the start.
    const before = Math.floor(this.#count / this.#every + 0.5);
    this.#count += 1;
    const isDue = Math.floor(this.#count / this.#every + 0.5) > before;
    if (this.#hasBegun && !isDue) return undefined;
    const [box] = subjects
      .filter(
        ({ kind, box: { height } }) =>
          kind === 'face' && height * this.#size.height >= minFacePixels,
      )
      .map((subject) => subject.box)
      .toSorted((one, other) => other.width * other.height - one.width * one.height);
    const face = box && (await this.#read(picture, box));
    const part = face ? box : { x: 0, y: 0, width: 1, height: 1 };
    const sharpness = measureSharpness(picture, this.#size, part);
    if (sharpness < minSharpness) return undefined;
    this.#hasBegun = true;
    return { sharpness, ...(face && { face: { box, ...face } }) };
  }

  async #read(picture: Uint8Array, box: Box): Promise<{ eyes: number; presence: number } | null> {
    const { width, height } = this.#size;
    const place: FacePlace = {
      x: (box.x + box.width / 2) * width,
      y: (box.y + box.height / 2) * height,
      height: box.height * height,
      tilt: 0,
    };
    // A poster is no reason to fail.
    const read = async (tilt: number) =>
      (await this.#reader?.read(picture, [{ ...place, tilt }]).catch(() => null))?.[0] ?? null;
    const level = await read(0);
    const found = level && Math.abs(level.tilt) > maxTilt ? await read(level.tilt) : level;
    return found && { eyes: found.eyes, presence: found.presence };
  }

  close(): void {
    this.#reader?.close();
  }
}
