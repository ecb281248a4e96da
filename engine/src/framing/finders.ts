import { faceFinder } from './face-finder.ts';
import { saliencyFinder } from './saliency.ts';
import type { OpenFinder } from './subject-finder.ts';

/** The subject finders of a machine. */
export interface Finders {
  /** Finds faces; null if OpenCV is not installed, or faces are turned off. */
  faces: OpenFinder | null;
  /** Finds the part of a picture that draws the eye. */
  salient: OpenFinder;
}

/**
 * Finds out which subject finders this machine has.
 * @param options.faces false turns the face finder off
 * @param options.onFailed called if the check for faces failed; they are turned off this time
 */
export async function installedFinders({
  faces,
  onFailed,
}: {
  faces: boolean;
  onFailed?: (error: unknown) => void;
}): Promise<Finders> {
  if (!faces) return { faces: null, salient: saliencyFinder };
  const found = await faceFinder().catch((error: unknown) => {
    onFailed?.(error);
    return null;
  });
  return { faces: found, salient: saliencyFinder };
}
