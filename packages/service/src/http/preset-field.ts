import type { Preset, Presets } from 'clip-engine';
import { unknownPreset } from '../clips/unknown-preset.ts';
import { ApiError } from './problem.ts';

/** The preset that a field of the body names. Throws a 422 that lists the known ids. */
export function requirePreset(presets: Presets, path: string, id: string): Preset {
  const preset = presets.get(id);
  if (preset) return preset;
  const message = unknownPreset(presets, id);
  throw new ApiError('unprocessable', `${path}: ${message}.`, {
    errors: [{ path, message }],
    reason: 'preset-unknown',
  });
}
