import type { Box, Dimensions } from '../edit.ts';
import type { Span } from '../facts.ts';

/**
 * The contents of a picture: faces, lines of text and where the source has captions of its own.
 * Without faces and much text: whole persons, or else the part that draws the eye.
 */
export interface Subject {
  kind: 'face' | 'person' | 'text' | 'caption' | 'salient';
  box: Box;
  /** Whether the finder is so unsure that it counts only beside sure finds of the same subject. */
  isUnsure?: true;
  /** Whether a face is just as in the picture before; omitted if they cannot be compared. */
  still?: boolean;
  /** The small picture with a face, beside text: a webcam. */
  inset?: Box;
}

/**
 * Options for the search in a clip: small pictures in order, four bytes per pixel (red, green,
 * blue, unused).
 */
export interface FinderOptions {
  /** Size in pixels of the small pictures. */
  size: Dimensions;
  /** Width / height of the window to cut. */
  shape: number;
  /**
   * Whether only a few pictures are searched, a second or so apart, and each matters.
   * @default false
   */
  isFew?: boolean;
  signal: AbortSignal;
}

/** Finds subjects in the pictures of a clip. */
export interface SubjectFinder {
  /**
   * Finds the subjects of a picture; may be empty. The finder may use the bytes until
   * the promise of the next picture resolves.
   */
  find(picture: Uint8Array): Promise<Subject[]>;
  close(): Promise<void>;
}

/** Starts a finder for a clip. */
export type OpenFinder = (finderOptions: FinderOptions) => SubjectFinder;

/** A part of a shot, and which of its faces speaks; null if that is not clear. */
export interface Talk extends Span {
  face: number | null;
}

/**
 * The results of an analysis of a clip's pictures. Times are in seconds from the start of the clip.
 */
export interface PictureAnalysis {
  /** About four per second. */
  sightings: Sighting[];
  /** Times at which new shots begin. */
  cuts: number[];
  /** Time of the first picture that is neither black nor a flash. If omitted, it is 0. */
  firstPicture?: number;
  /** The number of damaged pictures: not decoded, or only in part. If omitted, it is 0. */
  brokenPictures?: number;
  /** The speakers of the shots whose mouths were analysed. */
  talks?: Talk[];
}

/** The quality of a picture alone: known of some pictures, for the choice of a poster. */
export interface PictureQuality {
  /** Mean step of brightness between neighbouring pixels, of the largest face or of the picture. */
  sharpness: number;
  /** The largest face; omitted if none can be read. */
  face?: { box: Box; eyes: number; presence: number };
}

export interface Sighting {
  time: number;
  subjects: Subject[];
  look?: PictureQuality;
}

/**
 * A picture is of another scene if its pixels change by this share of the contrast, at least by
 * this much, 0 to 255. Real cuts change 0.86 of it and more, within a shot it was at most 0.64.
 */
const sceneChange = { ofContrast: 0.75, least: 3 } as const;

/** The mean change of the pixels of two pictures (four bytes per pixel), 0 to 255. */
export function measurePictureChange(now: Uint8Array, before: Uint8Array): number {
  let [sum, count] = [0, 0];
  // Green, at every eleventh pixel.
  for (let at = 1; at < now.length; at += 44, count++) sum += Math.abs(now[at]! - before[at]!);
  return sum / count;
}

/** The mean distance of the pixels of a picture from their mean, 0 to 255. */
function measureContrast(picture: Uint8Array): number {
  let [sum, count] = [0, 0];
  for (let at = 1; at < picture.length; at += 44, count++) sum += picture[at]!;
  const mean = sum / count;
  let distances = 0;
  for (let at = 1; at < picture.length; at += 44) distances += Math.abs(picture[at]! - mean);
  return distances / count;
}

/** Whether a picture is of the same scene as the one before, however dark they are. */
export function isSameScene(now: Uint8Array, before: Uint8Array): boolean {
  const contrast = Math.max(measureContrast(now), measureContrast(before));
  const { ofContrast, least } = sceneChange;
  return measurePictureChange(now, before) < Math.max(least, ofContrast * contrast);
}
