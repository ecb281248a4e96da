import { Tensor } from 'onnxruntime-node';
import type { Box, Dimensions } from '../../edit.ts';
import { openNetwork } from '../../program/open-network.ts';

/** A face that the network found; `score` is from 0 to 1. */
export interface FoundFace extends Box {
  score: number;
}

/** The output of the network: a logit and 16 numbers for each cell of four by four pixels. */
export interface FaceCells {
  scores: Float32Array;
  boxes: Float32Array;
}

const cellPixels = 4;

/** The area that two boxes share, as a share of the area that they cover together. */
export function measureOverlap(one: Box, other: Box): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  if (width <= 0 || height <= 0) return 0;
  const shared = width * height;
  return shared / (one.width * one.height + other.width * other.height - shared);
}

/** Boxes that share more are the same face. */
const sameFaceOverlap = 0.3;

/** Joins boxes of the same face, weighted by their scores. The highest scores come first. */
export function joinFaces(found: readonly FoundFace[]): FoundFace[] {
  const groups: FoundFace[][] = [];
  for (const face of found.toSorted((a, b) => b.score - a.score)) {
    const group = groups.find(([best]) => measureOverlap(best!, face) > sameFaceOverlap);
    if (group) group.push(face);
    else groups.push([face]);
  }
  return groups.map((group) => {
    const weight = group.reduce((sum, { score }) => sum + score, 0);
    const mean = (side: keyof Box) =>
      group.reduce((sum, face) => sum + face[side] * face.score, 0) / weight;
    return {
      x: mean('x'),
      y: mean('y'),
      width: mean('width'),
      height: mean('height'),
      score: group[0]!.score,
    };
  });
}

/** The faces in the network's output, as shares of its input. */
export function readFaces(
  { scores, boxes }: FaceCells,
  input: Dimensions,
  minScore: number,
): FoundFace[] {
  const columns = input.width / cellPixels;
  const cells = scores.length;
  const minLogit = Math.log(minScore / (1 - minScore));
  const found: FoundFace[] = [];
  for (let cell = 0; cell < cells; cell++) {
    const logit = scores[cell]!;
    if (logit < minLogit) continue;
    // The first four numbers are the distance of the middle from the cell's, and the size.
    const [right, down, width, height] = [0, 1, 2, 3].map((n) => boxes[n * cells + cell]!) as [
      number,
      number,
      number,
      number,
    ];
    const x = ((cell % columns) + 0.5) * cellPixels + right;
    const y = (Math.floor(cell / columns) + 0.5) * cellPixels + down;
    found.push({
      x: (x - width / 2) / input.width,
      y: (y - height / 2) / input.height,
      width: width / input.width,
      height: height / input.height,
      score: 1 / (1 + Math.exp(-logit)),
    });
  }
  return joinFaces(found);
}

const model = new URL('../../../models/face-detection.onnx', import.meta.url);

/** Runs the network on a picture whose sides are multiples of 32. */
export type FaceNetwork = (
  pixels: Float32Array<ArrayBuffer>,
  size: Dimensions,
) => Promise<FaceCells>;

/** Loads the network, which takes about 8 ms of processor time for a picture. */
export async function loadFaceNetwork(): Promise<FaceNetwork> {
  const session = await openNetwork(model);
  const [input] = session.inputNames;
  return async (pixels, { width, height }) => {
    const tensor = new Tensor('float32', pixels, [1, 3, height, width]);
    const { scores, boxes } = await session.run({ [input!]: tensor });
    return { scores: scores!.data as Float32Array, boxes: boxes!.data as Float32Array };
  };
}
