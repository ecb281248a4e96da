import type { Dimensions, Box } from '../edit.ts';

/**
 * What a picture shows: faces, lines of text and where the source has captions of its own or,
 * without faces and much text, the part that draws the eye.
 */
export interface Subject {
  kind: 'face' | 'text' | 'caption' | 'salient';
  box: Box;
  /** Whether a face is just as in the picture before; omitted if they cannot be compared. */
  still?: boolean;
  /** The small picture that a face is in, beside text: that of a webcam. */
  inset?: Box;
}

/**
 * How a clip is searched: small pictures in order, four bytes per pixel (red, green, blue, unused).
 */
export interface Looking {
  /** Size in pixels of the small pictures. */
  size: Dimensions;
  /** Width / height of the window to cut. */
  shape: number;
  signal: AbortSignal;
}

/** Finds subjects in the pictures of a clip. */
export interface SubjectFinder {
  /**
   * Finds the subjects of a picture; may be empty. The finder may use the bytes until
   * the promise of the next picture resolves.
   */
  look(picture: Uint8Array): Promise<Subject[]>;
  close(): Promise<void>;
}

/** Starts a finder for a clip. */
export type OpenFinder = (looking: Looking) => SubjectFinder;
