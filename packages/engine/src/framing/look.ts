import type { Span } from '../facts.ts';
import type { Subject } from './subject-finder.ts';

/** A part of a shot, and which of its faces speaks; null if that is not clear. */
export interface Talk extends Span {
  face: number | null;
}

/** What a look at a clip found. Times are in seconds from the start of the clip. */
export interface ClipLook {
  /** About four per second. */
  sightings: Sighting[];
  /** Times at which new shots begin. */
  cuts: number[];
  /** Time of the first picture that is neither black nor a flash. If omitted, it is 0. */
  firstPicture?: number;
  /** Who speaks in the shots whose mouths were read. */
  talks?: Talk[];
}

export interface Sighting {
  time: number;
  subjects: Subject[];
}
