import type { Span } from '../facts.ts';
import { frameSeconds } from './speech-pauses.ts';

/** Windows of this length are laughter, applause or cheering, or they are not. */
const windowSeconds = 0.5;
const windowFrames = Math.round(windowSeconds / frameSeconds);

/**
 * Many people at once sound like noise: the sound crosses zero at least this often, as a share of
 * the samples at 16 kHz, in all but the lowest fifth of the frames. A voice or an instrument has
 * frames with fewer.
 */
const minCrossings = 0.09;

/** And they have no gaps: the quietest tenth of the frames is at most this far below the mean. */
const maxDipDb = 7.5;

/** Softer windows are the noise of the recording: relative to the usual level, and to the noise. */
const minRelativeDb = -14;
const minAboveNoiseDb = 12;

/** Frames below this level say nothing about the usual one. */
const silentDb = -50;

/** Shorter sounds are a cough or a chair; longer ones are rain or a street. */
const minSeconds = 0.5;
const maxSeconds = 20;

const at = (sorted: Float32Array, share: number): number =>
  sorted[Math.floor(share * (sorted.length - 1))] ?? 0;

/** Whether the frames from `first` on sound like many people at once. */
function isCrowd(levels: Float32Array, crossings: Float32Array, first: number, minDb: number) {
  const window = levels.subarray(first, first + windowFrames);
  let power = 0;
  for (const level of window) power += 10 ** (level / 10);
  const meanDb = 10 * Math.log10(power / window.length);
  if (meanDb < minDb) return false;
  if (meanDb - at(window.toSorted(), 0.1) > maxDipDb) return false;
  return at(crossings.subarray(first, first + windowFrames).toSorted(), 0.2) >= minCrossings;
}

/**
 * Where an audience laughs, claps or cheers, in seconds.
 * @param levels level of each frame, in dBFS
 * @param crossings how often the sound crosses zero in each frame, as a share of its samples
 */
export function reactionsIn(levels: Float32Array, crossings: Float32Array): Span[] {
  const heard = levels.filter((level) => level > silentDb).sort();
  const minDb = Math.max(
    at(heard, 0.7) + minRelativeDb,
    at(levels.toSorted(), 0.1) + minAboveNoiseDb,
  );
  const reactions: Span[] = [];
  for (let first = 0; first + windowFrames <= levels.length; first += windowFrames) {
    if (!isCrowd(levels, crossings, first, minDb)) continue;
    const start = first * frameSeconds;
    const last = reactions.at(-1);
    // A window between two is part of it.
    if (last && start - last.end <= windowSeconds + 0.001) last.end = start + windowSeconds;
    else reactions.push({ start, end: start + windowSeconds });
  }
  return reactions.filter(
    ({ start, end }) => end - start >= minSeconds && end - start <= maxSeconds,
  );
}
