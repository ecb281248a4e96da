import { openFinderWorker } from '../faces/face-finder.ts';
import {
  type FinderOptions,
  isSameScene,
  type Subject,
  type SubjectFinder,
} from '../subject-finder.ts';

/** Pictures from one search to the next in a scene: half a second, or one without a person. */
const searchEvery = { persons: 2, nobody: 4 } as const;

/**
 * Finds whole persons: from behind, in profile and far away, too. A search takes as long as one for
 * faces, so it is asked only where no face is found, and does not search every picture.
 */
export function personFinder({ size }: FinderOptions): SubjectFinder {
  const worker = openFinderWorker(size, 'persons');
  let before: Uint8Array | null = null;
  let since = 0;
  let found: Subject[] = [];
  return {
    find: async (picture) => {
      const same = before !== null && isSameScene(picture, before);
      before = picture;
      since += 1;
      const wait = found.length > 0 ? searchEvery.persons : searchEvery.nobody;
      if (same && since < wait) return found;
      since = 0;
      const boxes = await worker.search(picture);
      found = boxes.map((box): Subject => ({ kind: 'person', box }));
      return found;
    },
    close: () => worker.close(),
  };
}
