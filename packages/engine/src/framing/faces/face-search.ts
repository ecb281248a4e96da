import type { Box, Dimensions } from '../../edit.ts';
import { isSameScene } from '../subject-finder.ts';
import {
  type FaceNetwork,
  readFaces,
  type FoundFace,
  joinFaces,
  measureOverlap,
} from './face-network.ts';
import { samplePicture, type Region } from './sampled.ts';

/**
 * A whole picture is searched twice, scaled to about this many pixels: large for small faces, and
 * small for close-ups, then with some room around it for faces that are half out of the picture.
 * `minHeight` is that of a face, as a share of the picture's.
 */
const searches = {
  smallFaces: { pixels: 61_440, reach: 1, minHeight: 0 },
  closeUps: { pixels: 15_360, reach: 1.2, minHeight: 0.25 },
} as const;
/** The whole picture is searched at every fourth picture: about once a second. */
const wholeEvery = 4;
/** A face that is a guess is searched again from close up, as large as the network likes it. */
const minGuess = 0.12;
const maxGuesses = 8;
/**
 * Side of the network's input from close up, and height of the face in it, in pixels. A known face
 * is likely to be there: fewer pixels are enough.
 */
const closeUps = { guess: { side: 96, face: 36 }, known: { side: 64, face: 30 } } as const;
/** Certain enough to be a face: in a whole picture, and from close up. */
const minScore = { whole: 0.6, guess: 0.45, known: 0.3 } as const;
/** A close-up shows the same face if its box shares this much with the guess. */
const minSameOverlap = 0.2;
/** The middle of a face may be out of the picture by this share of its size. */
const maxOutside = 0.15;

/** The size of the network's input for pictures of a shape, and the region that it shows. */
export function planWholeSearch(
  { width, height }: Dimensions,
  search: keyof typeof searches,
): { input: Dimensions; region: Region } {
  const { pixels, reach } = searches[search];
  const scale = Math.sqrt(pixels / (width * height));
  const side = (length: number) => Math.max(32, Math.round((length * reach * scale) / 32) * 32);
  const part = (reach - 1) / 2;
  return {
    input: { width: side(width), height: side(height) },
    region: { x: -part * width, y: -part * height, width: reach * width, height: reach * height },
  };
}

/** The network's boxes end at the eyebrows. These go up to the hair. */
const extendToHair = ({ x, y, width, height }: Box): Box => ({
  x,
  y: y - height * 0.14,
  width,
  height: height * 1.2,
});

/** Whether a face is in the picture, and not its mirror image beside it. */
function isInside({ x, y, width, height }: Box): boolean {
  const inside = (middle: number, size: number) =>
    middle > -maxOutside * size && middle < 1 + maxOutside * size;
  return inside(x + width / 2, width) && inside(y + height / 2, height);
}

/**
 * Finds the faces in the pictures of a clip. Whole pictures are searched about once a second, at
 * cuts, and if a known face is lost; otherwise each known face is looked for where it was.
 */
export class FaceSearch {
  readonly #network: FaceNetwork;
  readonly #size: Dimensions;
  #before: Uint8Array | null = null;
  #known: FoundFace[] = [];
  #sinceWhole = 0;

  /** @param size of the pictures, which have four bytes per pixel */
  constructor(network: FaceNetwork, size: Dimensions) {
    this.#network = network;
    this.#size = size;
  }

  async find(picture: Uint8Array): Promise<Box[]> {
    const same = this.#before !== null && isSameScene(picture, this.#before);
    this.#before = picture;
    this.#sinceWhole += 1;
    const followed = same ? await this.#closeUps(picture, this.#known, 'known') : [];
    const lost = followed.length < this.#known.length;
    if (!same || lost || this.#sinceWhole >= wholeEvery) {
      this.#sinceWhole = 0;
      this.#known = joinFaces([...followed, ...(await this.#whole(picture, followed))]);
    } else this.#known = joinFaces(followed);
    return this.#known.map(extendToHair);
  }

  /** Faces of the whole picture beside those that are known. */
  async #whole(picture: Uint8Array, known: readonly FoundFace[]): Promise<FoundFace[]> {
    const found: FoundFace[] = [];
    for (const search of ['smallFaces', 'closeUps'] as const) {
      const { input, region } = planWholeSearch(this.#size, search);
      const faces = await this.#facesIn(picture, region, input, minGuess);
      found.push(...faces.filter(({ height }) => height >= searches[search].minHeight));
    }
    const guesses = joinFaces(found).filter(
      (guess) => !known.some((face) => measureOverlap(face, guess) > minSameOverlap),
    );
    const sure = guesses.filter(({ score }) => score >= minScore.whole);
    const unsure = guesses.filter(({ score }) => score < minScore.whole).slice(0, maxGuesses);
    return [...sure, ...(await this.#closeUps(picture, unsure, 'guess'))];
  }

  async #closeUps(
    picture: Uint8Array,
    faces: readonly FoundFace[],
    kind: keyof typeof closeUps,
  ): Promise<FoundFace[]> {
    const seen: FoundFace[] = [];
    for (const face of faces) {
      const found = await this.#closeUp(picture, face, kind);
      if (found && found.score >= minScore[kind]) seen.push(found);
    }
    return seen;
  }

  async #closeUp(
    picture: Uint8Array,
    near: FoundFace,
    kind: keyof typeof closeUps,
  ): Promise<FoundFace | null> {
    const { width, height } = this.#size;
    const input = { width: closeUps[kind].side, height: closeUps[kind].side };
    const side = (near.height * height * closeUps[kind].side) / closeUps[kind].face;
    const region: Region = {
      x: (near.x + near.width / 2) * width - side / 2,
      y: (near.y + near.height / 2) * height - side / 2,
      width: side,
      height: side,
    };
    const faces = await this.#facesIn(picture, region, input, minScore.known);
    return faces.find((face) => measureOverlap(face, near) > minSameOverlap) ?? null;
  }

  /** The faces of a region, as shares of the picture. */
  async #facesIn(
    picture: Uint8Array,
    region: Region,
    input: Dimensions,
    minScore: number,
  ): Promise<FoundFace[]> {
    const { width, height } = this.#size;
    const cells = await this.#network(samplePicture(picture, this.#size, region, input), input);
    return readFaces(cells, input, minScore)
      .map((face) => ({
        x: (region.x + face.x * region.width) / width,
        y: (region.y + face.y * region.height) / height,
        width: (face.width * region.width) / width,
        height: (face.height * region.height) / height,
        score: face.score,
      }))
      .filter(isInside);
  }
}
