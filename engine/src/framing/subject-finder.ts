import type { Dimensions, Box } from '../edit.ts';

/** What is to be seen in a picture: a face, or (for want of faces) the part that draws the eye. */
export interface Subject {
  kind: 'face' | 'salient';
  box: Box;
}

/** Small pictures of one clip, in order: four bytes a pixel (red, green, blue, nothing). */
export interface Looking {
  /** Size in pixels of the small pictures. */
  size: Dimensions;
  /** Width over height of the window that is to be cut. */
  shape: number;
  signal: AbortSignal;
}

/** Finds subjects in pictures of a clip. */
export interface SubjectFinder {
  /** Subjects of a picture, empty where there are none. The bytes may be used until it resolves. */
  look(picture: Uint8Array): Promise<Subject[]>;
  close(): Promise<void>;
}

/** Starts a finder for a clip. */
export type OpenFinder = (looking: Looking) => SubjectFinder;
