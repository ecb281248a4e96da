import type { Preset, Presets } from 'clip-engine';
import type { FieldError } from 'clip-kit/contract';
import { ApiError } from './problem.ts';

/** The preset that a field of the body names. Throws a 422 that lists the known ids. */
export const requirePreset = (presets: Presets, path: string, id: string): Preset => {
  const preset = presets.get(id);
  if (preset) return preset;
  const error = unknownPreset(presets, path, id);
  throw new ApiError('unprocessable', `${path}: ${error.message}.`, {
    errors: [error],
    reason: 'preset-unknown',
  });
};

/** What a request that names an unknown preset is told. */
export const unknownPreset = (presets: Presets, path: string, id: string): FieldError => ({
  path,
  message: `there is no style preset "${id.slice(0, 64)}": take one of ${[...presets.keys()].join(', ')}`,
});
