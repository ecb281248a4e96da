import type { Span } from '../facts.ts';
import { frameSeconds, minLevelDb } from '../source/sound-levels.ts';

/** Shorter pauses are not reported: closed lips before a `p` take up to 0.2 s. */
const minPauseSeconds = 0.3;
/** Shorter sounds inside a pause are clicks. */
const minSoundSeconds = 0.04;
/** Speech fades out: at most this much of a pause counts as the sound before or after it. */
const maxFadeSeconds = 0.25;

/** Levels are compared with those of this much time before and after. */
const contextSeconds = 30;
/** The length of a part with one threshold, in seconds. */
const blockSeconds = 10;

/** The distance from the noise at which a level is speech, in dB. */
const maxRiseDb = 12;
/** The same, as a share of the distance between noise and speech. */
const riseShare = 0.25;
/** If noise and speech are closer, pauses cannot be distinguished from the rest. */
const minRangeDb = 15;
/** Quieter noise counts as this far below speech: otherwise a noise gate hides soft speech. */
const maxRangeDb = 50;
/** If no pauses can be distinguished, only this is silent, in dBFS. */
const silentDb = -65;

/** Two thresholds in dBFS: speech is above `high`, and its fading ends are above `low`. */
interface Thresholds {
  high: number;
  low: number;
}

/** Null if noise and speech have the same level. */
function findThresholds(levels: Float32Array): Thresholds | null {
  const sorted = levels.toSorted();
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? minLevelDb;
  const speech = at(0.95);
  const noise = Math.max(at(0.1), speech - maxRangeDb);
  const range = speech - noise;
  if (range < minRangeDb) return null;
  const rise = Math.min(maxRiseDb, riseShare * range);
  return { high: Math.max(silentDb, noise + rise), low: Math.max(silentDb, noise + rise / 2) };
}

/** The thresholds of each block, from the levels around it. */
function findBlockThresholds(levels: Float32Array): Thresholds[] {
  const whole = findThresholds(levels) ?? { high: silentDb, low: silentDb };
  const block = blockSeconds / frameSeconds;
  const context = contextSeconds / frameSeconds;
  return Array.from({ length: Math.ceil(levels.length / block) }, (_, index) => {
    const from = Math.max(0, index * block - context);
    return findThresholds(levels.subarray(from, (index + 1) * block + context)) ?? whole;
  });
}

/**
 * The pauses between sounds, from levels in dBFS of `frameSeconds` each. The threshold follows the
 * noise of the recording.
 */
export function findPauses(levels: Float32Array, minSeconds = minPauseSeconds): Span[] {
  const blocks = findBlockThresholds(levels);
  const block = blockSeconds / frameSeconds;
  const is = (what: keyof Thresholds, frame: number) =>
    levels[frame]! > blocks[Math.floor(frame / block)]![what];
  const runs: { from: number; to: number }[] = [];
  for (let frame = 0; frame < levels.length; frame++) {
    if (is('high', frame)) continue;
    const last = runs.at(-1);
    if (last && frame - last.to < minSoundSeconds / frameSeconds) last.to = frame + 1;
    else runs.push({ from: frame, to: frame + 1 });
  }
  const fade = maxFadeSeconds / frameSeconds;
  return runs.flatMap(({ from, to }) => {
    let [start, end] = [from, to];
    if (from > 0) while (start < to && start - from < fade && is('low', start)) start++;
    if (to < levels.length) while (end > start && to - end < fade && is('low', end - 1)) end--;
    const long = end - start >= minSeconds / frameSeconds;
    return long ? [{ start: start * frameSeconds, end: end * frameSeconds }] : [];
  });
}
