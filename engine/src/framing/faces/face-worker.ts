/** The worker thread of the face finder: it gets pixels, never a file. */
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { Box, Dimensions } from '../../edit.ts';
import { lookNiceness } from '../look-niceness.ts';
import { loadFaceNetwork } from './face-network.ts';
import { FaceSearch } from './face-search.ts';
import {
  loadMouthNetwork,
  type FacePlace,
  type Mouth,
  type MouthNetwork,
} from './mouth-network.ts';

/**
 * A picture of a clip whose faces are wanted, or the mouths of known ones; without a picture, the
 * clip has ended.
 */
export interface FaceTask {
  clip: number;
  size: Dimensions;
  picture: Uint8Array | null;
  mouthsOf?: readonly (FacePlace | null)[];
}

/** The answers come in the order of the pictures. */
export type FaceAnswer = Box[] | (Mouth | null)[];

// On Linux this is the priority of the thread; elsewhere it would be that of the whole process.
if (process.platform === 'linux') setPriority(lookNiceness);

const network = await loadFaceNetwork();
const searches = new Map<number, FaceSearch>();
/** Loaded when first needed: most clips have one face at a time. */
let mouths: Promise<MouthNetwork> | null = null;
let last: Promise<void> = Promise.resolve();

async function answer({ clip, size, picture, mouthsOf }: FaceTask): Promise<void> {
  if (!picture) {
    searches.delete(clip);
    return;
  }
  if (mouthsOf) {
    const mouth = await (mouths ??= loadMouthNetwork());
    const found: (Mouth | null)[] = [];
    for (const face of mouthsOf) found.push(face && (await mouth(picture, size, face)));
    parentPort!.postMessage(found satisfies FaceAnswer);
    return;
  }
  const search = searches.get(clip) ?? new FaceSearch(network, size);
  searches.set(clip, search);
  parentPort!.postMessage((await search.look(picture)) satisfies FaceAnswer);
}

parentPort!.on('message', (task: FaceTask) => {
  last = last.then(() => answer(task));
});
