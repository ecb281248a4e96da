import { faceFinder } from './face-finder.ts';
import { saliencyFinder } from './saliency.ts';
import type { OpenFinder } from './subject-finder.ts';

/** The finders of a machine. */
export interface Finders {
  /** Null where OpenCV is not installed, or turned off. */
  faces: OpenFinder | null;
  salient: OpenFinder;
}

export const installedFinders = async ({ faces }: { faces: boolean }): Promise<Finders> => ({
  faces: faces ? await faceFinder() : null,
  salient: saliencyFinder,
});
