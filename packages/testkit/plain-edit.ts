import type { Edit, EditingOptions } from '../engine/src/edit.ts';

/** Editing options: those that are named, and no others. */
export const editingWith = (...on: (keyof EditingOptions)[]): EditingOptions => ({
  captions: on.includes('captions'),
  emojis: on.includes('emojis'),
  intro_title: on.includes('intro_title'),
  reframe: on.includes('reframe'),
  remove_silences: on.includes('remove_silences'),
});

/** An edit that shows two seconds of its source whole, with nothing drawn, but for the changes. */
export function plainEdit(changes: Partial<Edit> = {}): Edit {
  const { ranges = [{ start: 0, end: 2 }] } = changes;
  const source = changes.source ?? { width: 320, height: 180, frameRate: 25, hasAudio: true };
  return {
    version: 1,
    source,
    ranges,
    duration: ranges.reduce((sum, { start, end }) => sum + end - start, 0),
    frameRate: source.frameRate,
    dimensions: { width: 1080, height: 1920 },
    framing: { mode: 'fit' },
    captions: [],
    emojis: [],
    title: null,
    ...changes,
  };
}
