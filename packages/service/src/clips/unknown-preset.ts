import type { Presets } from 'clip-engine';

/** What is said of a preset that there is not. */
export const unknownPreset = (presets: Presets, id: string): string =>
  `there is no style preset "${id.slice(0, 64)}": take one of ${[...presets.keys()].join(', ')}`;
