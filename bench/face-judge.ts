import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Dimensions } from '../packages/engine/src/edit.ts';

export interface Rectangle extends Dimensions {
  x: number;
  y: number;
}

/** A face from the brows to the chin. */
export interface JudgedFace extends Rectangle {
  /** How sure the network is, 0 to 1. */
  score: number;
}

interface FaceApi {
  tf: {
    setBackend(name: string): Promise<boolean>;
    tensor3d(values: Uint8Array, shape: number[], type: string): { dispose(): void };
  };
  nets: { ssdMobilenetv1: { loadFromDisk(folder: string): Promise<void> } };
  SsdMobilenetv1Options: new (options: { minConfidence: number }) => object;
  detectAllFaces(picture: object, options: object): Promise<{ score: number; box: Rectangle }[]>;
}

const packages = [
  '@vladmandic/face-api@1.7.15',
  '@tensorflow/tfjs@4.22.0',
  '@tensorflow/tfjs-backend-wasm@4.22.0',
];
/** Below this score, most finds are no faces. */
const minScore = 0.4;

/** Finds faces with a network that the engine does not use, which is installed once. */
export async function openJudge(folder: string) {
  const api = join(folder, 'node_modules/@vladmandic/face-api');
  if (!existsSync(api)) {
    const args = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund'];
    const { status } = spawnSync('npm', [...args, '--ignore-scripts', ...packages], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (status !== 0) throw new Error('The judge could not be installed.');
  }
  const { tf, nets, SsdMobilenetv1Options, detectAllFaces } = createRequire(join(folder, 'x.js'))(
    '@vladmandic/face-api/dist/face-api.node-wasm.js',
  ) as FaceApi;
  await tf.setBackend('wasm');
  await nets.ssdMobilenetv1.loadFromDisk(join(api, 'model'));
  const options = new SsdMobilenetv1Options({ minConfidence: minScore });
  /** The faces in a picture of three bytes per pixel, in its pixels. */
  return async (picture: Uint8Array, { width, height }: Dimensions): Promise<JudgedFace[]> => {
    const tensor = tf.tensor3d(picture, [height, width, 3], 'int32');
    const found = await detectAllFaces(tensor, options);
    tensor.dispose();
    return found.map(({ score, box: { x, y, width: across, height: high } }) => ({
      ...{ x, y, width: across, height: high, score },
    }));
  };
}
