/** In Hz: enough for all that is measured of a sound. */
export const measuredRate = 16_000;

/** Length of a frame, whose level is measured, in seconds. */
export const frameSeconds = 0.01;

/** Silence is reported as this level, in dBFS. */
export const minLevelDb = -90;

/** Levels of samples in dBFS, `frameSeconds` each. */
export function measureLevels(samples: Int16Array): Float32Array {
  const frame = measuredRate * frameSeconds;
  return Float32Array.from({ length: Math.floor(samples.length / frame) }, (_, index) => {
    let sum = 0;
    for (let at = index * frame; at < (index + 1) * frame; at++) sum += samples[at]! ** 2;
    const power = sum / frame / 32_768 ** 2;
    return power > 0 ? Math.max(minLevelDb, 10 * Math.log10(power)) : minLevelDb;
  });
}
