import { readFile } from 'node:fs/promises';
import * as ort from 'onnxruntime-web';
import type { Dimensions } from '../../edit.ts';
import type { FaceCells } from './found-faces.ts';

const model = new URL('../../../models/face-detection.onnx', import.meta.url);

/** Runs the network on a picture whose sides are multiples of 32. */
export type FaceNetwork = (
  pixels: Float32Array<ArrayBuffer>,
  size: Dimensions,
) => Promise<FaceCells>;

/** Loads the network: about half a second of processor time, and 110 MB. */
export async function loadFaceNetwork(): Promise<FaceNetwork> {
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = 'error';
  const session = await ort.InferenceSession.create(await readFile(model), {
    executionProviders: ['wasm'],
  });
  const [input] = session.inputNames;
  return async (pixels, { width, height }) => {
    const tensor = new ort.Tensor('float32', pixels, [1, 3, height, width]);
    const { scores, boxes } = await session.run({ [input!]: tensor });
    return { scores: scores!.data as Float32Array, boxes: boxes!.data as Float32Array };
  };
}
