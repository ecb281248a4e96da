import { faceFinder } from './face-finder.ts';
import { saliencyFinder } from './saliency.ts';
import type { OpenFinder } from './subject-finder.ts';

/** The finders of this machine, the best first: faces where OpenCV is installed and not turned off, then what draws the eye. */
export async function installedFinders({ faces }: { faces: boolean }): Promise<OpenFinder[]> {
  const finder = faces ? await faceFinder() : null;
  return finder ? [finder, saliencyFinder] : [saliencyFinder];
}
