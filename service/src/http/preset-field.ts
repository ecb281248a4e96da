import { unknownPreset, type Preset, type Presets } from '../presets.ts';
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
