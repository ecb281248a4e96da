/** The worker thread of the face finder: it gets pixels, never a file. */
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { Box, Dimensions } from '../../edit.ts';
import { lookNiceness } from '../look-niceness.ts';
import { loadFaceNetwork } from './face-network.ts';
import { FaceSearch } from './face-search.ts';

/** A picture of a clip; without a picture, the clip has ended. */
export interface FaceTask {
  clip: number;
  size: Dimensions;
  picture: Uint8Array | null;
}

/** The answers come in the order of the pictures. */
export type FaceAnswer = Box[];

// On Linux this is the priority of the thread; elsewhere it would be that of the whole process.
if (process.platform === 'linux') setPriority(lookNiceness);

const network = await loadFaceNetwork();
const searches = new Map<number, FaceSearch>();
let last: Promise<void> = Promise.resolve();

async function answer({ clip, size, picture }: FaceTask): Promise<void> {
  if (!picture) {
    searches.delete(clip);
    return;
  }
  const search = searches.get(clip) ?? new FaceSearch(network, size);
  searches.set(clip, search);
  parentPort!.postMessage((await search.look(picture)) satisfies FaceAnswer);
}

parentPort!.on('message', (task: FaceTask) => {
  last = last.then(() => answer(task));
});
