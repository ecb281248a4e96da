import type { Box, Dimensions } from '../../edit.ts';
import { getNetworkProcess, type NetworkProcess } from '../../program/network-process.ts';
import type { FinderOptions, Subject, SubjectFinder } from '../subject-finder.ts';
import type { FaceAnswer, FaceTask } from './finder-process.ts';
import type { FacePlace, Mouth } from './mouth-network.ts';

/** The process that finds faces, persons and text for all clips. */
const getFinderProcess = (): NetworkProcess<FaceTask, FaceAnswer> =>
  getNetworkProcess(new URL('finder-process.ts', import.meta.url));

/** Starts the process, so that the first clip does not wait for it. */
export function prepareFaceFinder(): void {
  const size = { width: 0, height: 0 };
  getFinderProcess().send({ clip: 0, size, wanted: 'faces', picture: null });
}

/** Results of the process for the pictures of one clip. */
export function openNetworkFinder(
  size: Dimensions,
  wanted: 'faces' | 'persons' | 'text',
): { search(picture: Uint8Array): Promise<Box[]>; close(): Promise<void> } {
  const finder = getFinderProcess();
  const clip = finder.open();
  return {
    search: async (picture) => (await finder.ask({ clip, size, wanted, picture })) as Box[],
    close: () => {
      finder.send({ clip, size, wanted, picture: null });
      finder.close();
      return Promise.resolve();
    },
  };
}

/** Finds faces, in a process that all clips share. */
export function createFaceFinder({ size }: FinderOptions): SubjectFinder {
  const finder = openNetworkFinder(size, 'faces');
  return {
    find: async (picture) => {
      const faces = await finder.search(picture);
      return faces.map((box): Subject => ({ kind: 'face', box }));
    },
    close: () => finder.close(),
  };
}

/** Reads the mouths of known faces, in the process of the face finder. */
export interface MouthReader {
  /** Null for faces that are not given or not there. */
  read(picture: Uint8Array, faces: readonly (FacePlace | null)[]): Promise<(Mouth | null)[]>;
  close(): void;
}

export function createMouthReader(size: Dimensions): MouthReader {
  const finder = getFinderProcess();
  const clip = finder.open();
  return {
    read: async (picture, faces) =>
      (await finder.ask({ clip, size, wanted: 'mouths', picture, faces })) as (Mouth | null)[],
    close: () => {
      finder.send({ clip, size, wanted: 'mouths', picture: null, faces: [] });
      finder.close();
    },
  };
}
