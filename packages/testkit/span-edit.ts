import type { Edit, EditInputs } from 'clip-engine';

/** An edit that keeps a segment of a 320x180 video at 25 frames a second as it is. */
export const spanEdit = (start: number, end: number, changes: Partial<Edit> = {}): Edit => ({
  version: 1,
  source: { width: 320, height: 180, frameRate: 25, hasAudio: true },
  ranges: [{ start, end }],
  duration: end - start,
  frameRate: 25,
  dimensions: { width: 320, height: 180 },
  framing: { mode: 'crop', x: 0, y: 0, width: 320, height: 180 },
  captions: [],
  emojis: [],
  title: null,
  ...changes,
});

/** The inputs of an edit that is not made again. */
export const noInputs = {
  options: {},
  post: { titles: [], description: null, tags: [] },
} as unknown as EditInputs;
