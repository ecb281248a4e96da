import { openFinderWorker } from '../faces/face-finder.ts';
import { sameScene } from '../scene-change.ts';
import type { Looking, Subject, SubjectFinder } from '../subject-finder.ts';
import { edgeShares, lettersDiffer } from './letter-edges.ts';

/** Pictures from one search to the next: in a scene, about two seconds, and after a cut. */
const searchEvery = { scene: 8, cut: 3 } as const;

/** Text to read fills this many blocks of a picture beside each other, at least in part. */
const minRun = 3;

/** Finds the lines of text in the pictures of a clip. */
export function textFinder({ size }: Looking): SubjectFinder {
  const worker = openFinderWorker(size, 'text');
  let before: Uint8Array | null = null;
  let since: number = searchEvery.scene;
  let found: Subject[] | null = null;
  /** The edges of the picture that was searched last. */
  let searched: Float32Array | null = null;

  /** The search costs a hundred times as much as a look at the edges. */
  const search = async (picture: Uint8Array): Promise<Subject[]> => {
    const edges = edgeShares(picture, size);
    // A line that was found may become another one; a new one is longer.
    const run = found?.length ? 1 : minRun;
    if (found && searched && !lettersDiffer(edges, { run, before: searched })) return found;
    searched = edges;
    if (!lettersDiffer(edges, { run: minRun })) return [];
    return (await worker.look(picture)).map((box): Subject => ({ kind: 'text', box }));
  };

  return {
    look: async (picture) => {
      if (before === null || !sameScene(picture, before)) found = null;
      before = picture;
      since += 1;
      if (since < (found ? searchEvery.scene : searchEvery.cut)) return found ?? [];
      since = 0;
      found = await search(picture);
      return found;
    },
    close: () => worker.close(),
  };
}
