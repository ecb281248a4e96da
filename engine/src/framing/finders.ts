import { faceFinder } from './face-finder.ts';
import { saliencyFinder } from './saliency.ts';
import type { OpenFinder } from './subject-finder.ts';

/** The finders of a machine. */
export interface Finders {
  /** Null where OpenCV is not installed, or turned off. */
  faces: OpenFinder | null;
  salient: OpenFinder;
}

/**
 * The finders that there are now.
 * @param options.onFailed told where it could not be found out whether faces can be found; without them for this time
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
