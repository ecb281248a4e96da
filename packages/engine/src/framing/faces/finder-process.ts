/** The process that finds faces, persons and text: it gets pixels, never a file. */
import type { Box, Dimensions } from '../../edit.ts';
import { answerTasks } from '../../program/network-tasks.ts';
import { loadPersonNetwork, type PersonNetwork } from '../persons/person-network.ts';
import { loadTextNetwork, type TextNetwork } from '../text/text-network.ts';
import { type FaceNetwork, loadFaceNetwork } from './face-network.ts';
import { FaceSearch } from './face-search.ts';
import {
  loadMouthNetwork,
  type FacePlace,
  type Mouth,
  type MouthNetwork,
} from './mouth-network.ts';

/** A picture of a clip, with the requested finds; without a picture, the clip has ended. */
export type FaceTask = {
  clip: number;
  size: Dimensions;
  picture: Uint8Array | null;
} & (
  | { wanted: 'faces' | 'persons' | 'text' }
  | { wanted: 'mouths'; faces: readonly (FacePlace | null)[] }
);

/** The answers come in the order of the pictures. */
export type FaceAnswer = Box[] | (Mouth | null)[];

// Each is loaded when it is first needed: most clips have one face at a time.
let faces: Promise<FaceNetwork> | null = null;
let persons: Promise<PersonNetwork> | null = null;
let text: Promise<TextNetwork> | null = null;
const searches = new Map<number, FaceSearch>();
let mouths: Promise<MouthNetwork> | null = null;

async function findFaces(task: FaceTask, picture: Uint8Array): Promise<FaceAnswer> {
  const { clip, size } = task;
  if (task.wanted === 'text') return (await (text ??= loadTextNetwork()))(picture, size);
  if (task.wanted === 'persons') return (await (persons ??= loadPersonNetwork()))(picture, size);
  if (task.wanted === 'mouths') {
    const mouthOf = await (mouths ??= loadMouthNetwork());
    const read: (Mouth | null)[] = [];
    for (const face of task.faces) read.push(face && (await mouthOf(picture, size, face)));
    return read;
  }
  const search = searches.get(clip) ?? new FaceSearch(await (faces ??= loadFaceNetwork()), size);
  searches.set(clip, search);
  return search.find(picture);
}

answerTasks<FaceTask>(async (task) => {
  if (task.picture) process.send!(await findFaces(task, task.picture));
  else {
    searches.delete(task.clip);
    if (task.wanted === 'faces') await (faces ??= loadFaceNetwork());
  }
});
