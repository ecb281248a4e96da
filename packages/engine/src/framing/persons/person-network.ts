import { Tensor } from 'onnxruntime-node';
import type { Box, Dimensions } from '../../edit.ts';
import { openNetwork } from '../../program/open-network.ts';
import { measureOverlap } from '../faces/face-network.ts';
import { samplePicture } from '../faces/sampled.ts';

const model = new URL('../../../models/person-detection.onnx', import.meta.url);

/** The network sees any picture as a square of this many pixels. */
const side = 300;
/** The network is hardly ever more certain than 0.6, and wrong in few pictures from `sure` on. */
const minScore = { sure: 0.4, unsure: 0.22 } as const;
/** Boxes that share more are the same person. */
const samePersonOverlap = 0.5;

/** The grids of the network's boxes: cells each way, and the size of their boxes. */
const grids = [19, 10, 5, 3, 2, 1] as const;
const getBoxSize = (grid: number): number => (grid < grids.length ? 0.2 + 0.15 * grid : 1);

/** The boxes of each cell of a grid: a size in shares of the picture, and width / height. */
function listBoxShapes(grid: number): (readonly [size: number, shape: number])[] {
  const size = getBoxSize(grid);
  if (grid === 0) return [[0.1, 1], ...[2, 1 / 2].map((shape) => [size, shape] as const)];
  const between = Math.sqrt(size * getBoxSize(grid + 1));
  return [...[1, 2, 1 / 2, 3, 1 / 3].map((shape) => [size, shape] as const), [between, 1]];
}

/** The boxes that the network's numbers are relative to, in their order. */
const anchors: readonly Box[] = grids.flatMap((cells, grid) =>
  Array.from({ length: cells ** 2 }, (_, cell) =>
    listBoxShapes(grid).map(([size, shape]) => ({
      x: ((cell % cells) + 0.5) / cells,
      y: (Math.floor(cell / cells) + 0.5) / cells,
      width: size * Math.sqrt(shape),
      height: size / Math.sqrt(shape),
    })),
  ).flat(),
);

/** A person, and whether the network is certain enough of it alone. */
export interface FoundPerson extends Box {
  isSure: boolean;
}

/** The persons in the network's output, the most certain first, as shares of the picture. */
function readPersons(scores: Float32Array, numbers: Float32Array): FoundPerson[] {
  const logit = (score: number) => Math.log(score / (1 - score));
  const [minLogit, sureLogit] = [logit(minScore.unsure), logit(minScore.sure)];
  const found = [...scores.keys()]
    .filter((at) => scores[at]! >= minLogit)
    .toSorted((a, b) => scores[b]! - scores[a]!);
  const persons: FoundPerson[] = [];
  for (const at of found) {
    const anchor = anchors[at]!;
    const [down, across, taller, wider] = numbers.subarray(4 * at, 4 * at + 4) as unknown as [
      number,
      number,
      number,
      number,
    ];
    const width = anchor.width * Math.exp(wider / 5);
    const height = anchor.height * Math.exp(taller / 5);
    const left = anchor.x + (across / 10) * anchor.width - width / 2;
    const top = anchor.y + (down / 10) * anchor.height - height / 2;
    const [x, y] = [Math.max(0, left), Math.max(0, top)];
    const box = {
      x,
      y,
      width: Math.min(1, left + width) - x,
      height: Math.min(1, top + height) - y,
      isSure: scores[at]! >= sureLogit,
    };
    if (persons.every((one) => measureOverlap(one, box) <= samePersonOverlap)) persons.push(box);
  }
  return persons;
}

/** Finds the persons in a picture with four bytes per pixel, as shares of it. */
export type PersonNetwork = (picture: Uint8Array, size: Dimensions) => Promise<FoundPerson[]>;

/** Loads the network, which takes about 20 ms of processor time for a picture. */
export async function loadPersonNetwork(): Promise<PersonNetwork> {
  const session = await openNetwork(model);
  const [input] = session.inputNames;
  return async (picture, size) => {
    const target = { width: side, height: side };
    const pixels = samplePicture(picture, size, { x: 0, y: 0, ...size }, target);
    const tensor = new Tensor('float32', pixels, [1, 3, side, side]);
    const { scores, boxes } = await session.run({ [input!]: tensor });
    return readPersons(scores!.data as Float32Array, boxes!.data as Float32Array);
  };
}
