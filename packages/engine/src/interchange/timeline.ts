import type { Edit } from '../edit.ts';

/** What a program for editing gets of a clip: names, and the source's file to link again. */
export interface TimelineNames {
  /** Name of the timeline. */
  title: string;
  /** File name of the source, without a folder. */
  source: string;
}

/** A kept range in whole frames of the output's rate: its place in the source and in the clip. */
export interface TimelineRange {
  sourceFrame: number;
  frame: number;
  frames: number;
}

/** The source as an address relative to the timeline's file. */
export const relativeAddress = (source: string): string =>
  encodeURIComponent(source.toWellFormed());

/** What a timeline does not say: a person does it again, or takes the rendered file. */
export const leftOut = ['captions', 'title', 'emojis', 'framing', 'style', 'loudness'] as const;

/** The kept ranges in frames. */
export function timelineRanges({ ranges, frameRate }: Edit): TimelineRange[] {
  let frame = 0;
  return ranges.map(({ start, end }) => {
    const frames = Math.round((end - start) * frameRate);
    const range = { sourceFrame: Math.round(start * frameRate), frame, frames };
    frame += frames;
    return range;
  });
}
