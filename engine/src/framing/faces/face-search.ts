import type { Box, Dimensions } from '../../edit.ts';
import { sameScene } from '../scene-change.ts';
import type { FaceNetwork } from './face-network.ts';
import { facesIn, joinedFaces, overlap, type FoundFace } from './found-faces.ts';
import { sampled, type Region } from './sampled.ts';

/** The network's input for a whole picture has about this many pixels. */
const wholePixels = 61_440;
/** The whole picture is searched at every fourth picture: about once a second. */
const wholeEvery = 4;
/** A face that is only a guess is looked at from close up, as large as the network likes it. */
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
/** The size of the network's input for pictures of a shape. */
export function wholeInput({ width, height }: Dimensions): Dimensions {
  const scale = Math.sqrt(wholePixels / (width * height));
  const side = (length: number) => Math.max(32, Math.round((length * scale) / 32) * 32);
  return { width: side(width), height: side(height) };
}

/** The network's boxes end at the eyebrows. These go up to the hair. */
const wholeFace = ({ x, y, width, height }: Box): Box => ({
  x,
  y: y - height * 0.14,
  width,
  height: height * 1.2,
});

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

  async look(picture: Uint8Array): Promise<Box[]> {
    const same = this.#before !== null && sameScene(picture, this.#before);
    this.#before = picture;
    this.#sinceWhole += 1;
    const followed = same ? await this.#closeUps(picture, this.#known, 'known') : [];
    const lost = followed.length < this.#known.length;
    if (!same || lost || this.#sinceWhole >= wholeEvery) {
      this.#sinceWhole = 0;
      this.#known = joinedFaces([...followed, ...(await this.#whole(picture, followed))]);
    } else this.#known = joinedFaces(followed);
    return this.#known.map(wholeFace);
  }

  /** Faces of the whole picture beside those that are known. */
  async #whole(picture: Uint8Array, known: readonly FoundFace[]): Promise<FoundFace[]> {
    const input = wholeInput(this.#size);
    const all = { x: 0, y: 0, ...this.#size };
    const cells = await this.#network(sampled(picture, this.#size, all, input), input);
    const guesses = facesIn(cells, input, minGuess).filter(
      (guess) => !known.some((face) => overlap(face, guess) > minSameOverlap),
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
    const cells = await this.#network(sampled(picture, this.#size, region, input), input);
    const faces = facesIn(cells, input, minScore.known).map((face) => ({
      x: (region.x + face.x * side) / width,
      y: (region.y + face.y * side) / height,
      width: (face.width * side) / width,
      height: (face.height * side) / height,
      score: face.score,
    }));
    return faces.find((face) => overlap(face, near) > minSameOverlap) ?? null;
  }
}
