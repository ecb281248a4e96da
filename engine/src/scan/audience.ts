import type { Span } from '../facts.ts';
import { flatnessOf } from './spectral-flatness.ts';
import { frameSeconds } from './speech-pauses.ts';

/** Windows of this length are laughter, applause or cheering, or they are not. */
const windowSeconds = 0.5;
export const windowFrames = Math.round(windowSeconds / frameSeconds);

/**
 * Many people at once sound like noise: the sound crosses zero at least this often, as a share of
 * the samples at 16 kHz, in all but the lowest fifth of the frames. A voice or an instrument has
 * frames with fewer.
 */
const minCrossings = 0.09;

/** They have no gaps: the quietest tenth of the frames is at most this far below the mean. */
const maxDipDb = 7.5;

/** And no tones. */
const minFlatness = { low: 0.25, high: 0.35 } as const;

/**
 * Hiss, wind and engines have this flatness, and their level hardly changes. Voices are less flat,
 * sharp claps more, and dense applause swells and fades.
 */
const evenFlatness = { min: 0.55, max: 0.65 } as const;
const maxEvenDb = 1.5;

/** Softer windows are the noise of the recording: relative to the usual level, and to the noise. */
const minRelativeDb = -14;
const minAboveNoiseDb = 12;

/** Frames below this level say nothing about the usual one, and are no audience. */
const silentDb = -50;

/** Shorter sounds are a cough or a chair; longer ones are rain or a street. */
const minSeconds = 1;
const maxSeconds = 20;

const at = (sorted: Float32Array, share: number): number =>
  sorted[Math.floor(share * (sorted.length - 1))] ?? 0;

function meanDb(levels: Float32Array): number {
  let power = 0;
  for (const level of levels) power += 10 ** (level / 10);
  return 10 * Math.log10(power / levels.length);
}

/** A window that sounds like many people at once. */
export interface CrowdWindow {
  number: number;
  /** Spectral flatness and level in dB where voices are. */
  flatness: number;
  levelDb: number;
}

/**
 * Reads a window; null if it does not sound like many people at once.
 * @param levels level of each frame, in dBFS
 * @param crossings how often the sound crosses zero in each frame, as a share of its samples
 * @param samples of the window, at 16 kHz
 */
export function crowdWindow(
  number: number,
  levels: Float32Array,
  crossings: Float32Array,
  samples: Int16Array,
): CrowdWindow | null {
  const mean = meanDb(levels);
  if (mean < silentDb || mean - at(levels.toSorted(), 0.1) > maxDipDb) return null;
  if (at(crossings.toSorted(), 0.2) < minCrossings) return null;
  const { low, high, levelDb } = flatnessOf(samples);
  if (low < minFlatness.low || high < minFlatness.high) return null;
  return { number, flatness: low, levelDb };
}

function isEven(crowd: readonly CrowdWindow[]): boolean {
  const flatness = crowd.reduce((sum, window) => sum + window.flatness, 0) / crowd.length;
  if (flatness < evenFlatness.min || flatness > evenFlatness.max) return false;
  // The first and the last window are only partly filled.
  const inner = crowd.slice(1, -1).map(({ levelDb }) => levelDb);
  return inner.length < 2 || Math.max(...inner) - Math.min(...inner) < maxEvenDb;
}

/**
 * Where an audience laughs, claps or cheers, in seconds.
 * @param levels level of each frame of the source, in dBFS
 */
export function reactionsIn(levels: Float32Array, windows: readonly CrowdWindow[]): Span[] {
  const heard = levels.filter((level) => level > silentDb).sort();
  const minDb = Math.max(
    at(heard, 0.7) + minRelativeDb,
    at(levels.toSorted(), 0.1) + minAboveNoiseDb,
  );
  const crowds: CrowdWindow[][] = [];
  for (const window of windows) {
    const first = window.number * windowFrames;
    if (meanDb(levels.subarray(first, first + windowFrames)) < minDb) continue;
    const last = crowds.at(-1);
    // A window between two is part of it.
    if (last && window.number - last.at(-1)!.number <= 2) last.push(window);
    else crowds.push([window]);
  }
  return crowds
    .filter((crowd) => !isEven(crowd))
    .map((crowd) => ({
      start: crowd[0]!.number * windowSeconds,
      end: (crowd.at(-1)!.number + 1) * windowSeconds,
    }))
    .filter(({ start, end }) => end - start >= minSeconds && end - start <= maxSeconds);
}
