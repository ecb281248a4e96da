/** The process that finds faces, persons and text: it gets pixels, never a file. */
import { setPriority } from 'node:os';
import type { Box, Dimensions } from '../../edit.ts';
import { analysisNiceness } from '../../program/process-limits.ts';
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

// Started with `urgent` if a person waits for what it finds.
if (process.argv[2] !== 'urgent') setPriority(analysisNiceness);
// It ends with the process that it works for, and not before.
process.once('disconnect', () => process.exit());

// Each is loaded when it is first needed: most clips have one face at a time.
let faces: Promise<FaceNetwork> | null = null;
let persons: Promise<PersonNetwork> | null = null;
let text: Promise<TextNetwork> | null = null;
const searches = new Map<number, FaceSearch>();
let mouths: Promise<MouthNetwork> | null = null;
let last: Promise<void> = Promise.resolve();

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

async function answer(task: FaceTask): Promise<void> {
  if (task.picture) process.send!(await findFaces(task, task.picture));
  else {
    searches.delete(task.clip);
    if (task.wanted === 'faces') await (faces ??= loadFaceNetwork());
  }
}

process.on('message', (task: FaceTask) => {
  last = last.then(() => answer(task));
});
