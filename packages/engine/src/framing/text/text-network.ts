import { Tensor } from 'onnxruntime-node';
import type { Box, Dimensions } from '../../edit.ts';
import { openNetwork } from '../../program/open-network.ts';
import { samplePicture } from '../faces/sampled.ts';
import { readLines } from './found-lines.ts';

const model = new URL('../../../models/text-detection.onnx', import.meta.url);

/** Pictures are scaled to about this many pixels. More find small print, and more false lines. */
const inputPixels = 93_184;
/** Mean and deviation of the colours that the network was trained on, blue first. */
const trained = [
  { mean: 0.485, deviation: 0.229 },
  { mean: 0.456, deviation: 0.224 },
  { mean: 0.406, deviation: 0.225 },
] as const;

/** Finds the lines of text in a picture with four bytes per pixel, as shares of it. */
export type TextNetwork = (picture: Uint8Array, size: Dimensions) => Promise<Box[]>;

/** Size of the network's input for pictures of a shape: sides are multiples of 32. */
function computeInputSize({ width, height }: Dimensions): Dimensions {
  const scale = Math.sqrt(inputPixels / (width * height));
  const side = (length: number) => Math.max(32, Math.round((length * scale) / 32) * 32);
  return { width: side(width), height: side(height) };
}

/** Colours from -1 to 1, red first, as the network wants them. */
function asTrained(colours: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  const plane = colours.length / 3;
  const values = new Float32Array(colours.length);
  for (const [colour, { mean, deviation }] of trained.entries()) {
    const from = (2 - colour) * plane;
    for (let at = 0; at < plane; at++) {
      values[colour * plane + at] = ((colours[from + at]! + 1) / 2 - mean) / deviation;
    }
  }
  return values;
}

/** Loads the network, which takes about 25 ms of processor time for a picture. */
export async function loadTextNetwork(): Promise<TextNetwork> {
  const session = await openNetwork(model);
  const [input] = session.inputNames;
  const [output] = session.outputNames;
  return async (picture, size) => {
    const target = computeInputSize(size);
    const values = asTrained(samplePicture(picture, size, { x: 0, y: 0, ...size }, target));
    const tensor = new Tensor('float32', values, [1, 3, target.height, target.width]);
    const found = await session.run({ [input!]: tensor });
    return readLines(found[output!]!.data as Float32Array, target);
  };
}
