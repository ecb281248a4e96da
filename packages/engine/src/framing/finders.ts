import { faceFinder, prepareFaceFinder } from './faces/face-finder.ts';
import { saliencyFinder } from './saliency.ts';
import type { OpenFinder } from './subject-finder.ts';
import { textFinder } from './text/text-finder.ts';

/** What looks at the pictures of a clip. */
export interface Finders {
  /** Finds faces; null if they are turned off. */
  faces: OpenFinder | null;
  /** Finds slides and screens. */
  text: OpenFinder;
  /** Finds the part of a picture that draws the eye. */
  salient: OpenFinder;
  /** Loads what takes long to load, shortly before it is needed. */
  prepare: () => void;
}

/** The finders, with or without faces. */
export const findersWith = ({ faces }: { faces: boolean }): Finders => ({
  faces: faces ? faceFinder : null,
  text: textFinder,
  salient: saliencyFinder,
  prepare: faces ? prepareFaceFinder : () => {},
});
