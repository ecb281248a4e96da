import { openFinderWorker } from '../faces/face-finder.ts';
import { sameScene } from '../scene-change.ts';
import type { Looking, Subject, SubjectFinder } from '../subject-finder.ts';

/** Pictures from one search to the next: in a scene, about two seconds, and after a cut. */
const searchEvery = { scene: 8, cut: 3 } as const;

/** Finds the lines of text in the pictures of a clip. */
export function textFinder({ size }: Looking): SubjectFinder {
  const worker = openFinderWorker(size, 'text');
  let before: Uint8Array | null = null;
  let since: number = searchEvery.scene;
  let found: Subject[] | null = null;
  return {
    look: async (picture) => {
      if (before === null || !sameScene(picture, before)) found = null;
      before = picture;
      since += 1;
      if (since < (found ? searchEvery.scene : searchEvery.cut)) return found ?? [];
      since = 0;
      found = (await worker.look(picture)).map((box): Subject => ({ kind: 'text', box }));
      return found;
    },
    close: () => worker.close(),
  };
}
