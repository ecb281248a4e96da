import type { Span } from '../facts.ts';
import { measureSpectralShape, type SpectralShape } from './spectral-shape.ts';
import { frameSeconds } from '../source/sound-levels.ts';

/** Windows of this length are laughter, applause or cheering, or they are not. */
const windowSeconds = 0.5;
export const windowFrames = Math.round(windowSeconds / frameSeconds);
const frameSamples = 16_000 * frameSeconds;

/**
 * Many people at once sound like noise: the sound crosses zero at least this often, as a share of
 * the samples at 16 kHz, in all but the lowest fifth of the frames. A voice or an instrument has
 * frames with fewer.
 */
const minCrossings = 0.09;

/** The deepest dip: the quietest tenth of the frames is at most this far below the mean. */
const maxDipDb = 7.5;

/** And no tones. */
const minFlatness = { low: 0.25, high: 0.35 } as const;

/**
 * The log-odds of an audience against other sounds that pass these tests (music, drums, wind, rain,
 * machines, several people who talk), as log-odds: logistic regression on mixes of recordings and
 * of made sounds (docs/engine-words.md, "Who speaks, and who laughs").
 */
const crowdWeights = {
  base: -8.1,
  /** Fricatives and hiss cross zero more often. */
  crossings: -20.6,
  /** A crowd is half way between tones and even noise: at this flatness of the low bands. */
  low: -41.8,
  bestLow: 0.524,
  /** Even noise is flatter in the high bands. */
  high: -16.8,
  /** Held tones, as of guitars, stay in a mean of spectra; those of many laughs do not. */
  lasting: 18.2,
  /** Music, wind and engines have bass, and voices have vowels. */
  bassDb: -0.229,
  vowelDb: -0.342,
  /** Claps and laughs change the level from frame to frame; noise does not. */
  roughDb: 2.07,
};

/**
 * Measures that distinguish an audience from the other sounds that are like noise and have no gaps.
 */
export interface CrowdMeasures extends SpectralShape {
  /** The rate of zero crossings in all but the lowest fifth of the frames. */
  crossings: number;
  /** The mean change of the level from one frame to the next. */
  roughDb: number;
}

/** The log-odds of all windows together: a short reaction must be clearer than a long one. */
const minEvidence = 4;

/** Softer windows are the noise of the recording: relative to the usual level, and to the noise. */
const minRelativeDb = -14;
const minAboveNoiseDb = 12;

/** Frames below this level say nothing about the usual one, and are not an audience. */
const silentDb = -50;

/** Shorter sounds are a cough or a chair; longer ones are rain or a street. */
const minSeconds = 1;
const maxSeconds = 20;

const getQuantile = (sorted: Float32Array, share: number): number =>
  sorted[Math.floor(share * (sorted.length - 1))] ?? 0;

function computeMeanDb(levels: Float32Array): number {
  let power = 0;
  for (const level of levels) power += 10 ** (level / 10);
  return 10 * Math.log10(power / levels.length);
}

/** The mean change of the level from one frame to the next in dB, without the low tones. */
function measureRoughness(samples: Int16Array): number {
  let [changes, before] = [0, NaN];
  for (let from = 0; from < samples.length; from += frameSamples) {
    let power = 1;
    for (let at = Math.max(1, from); at < from + frameSamples; at++) {
      power += (samples[at]! - samples[at - 1]!) ** 2 / frameSamples;
    }
    const level = 10 * Math.log10(power);
    if (from > 0) changes += Math.abs(level - before);
    before = level;
  }
  return changes / (samples.length / frameSamples - 1);
}

/**
 * Measures a window; null if it cannot be many people at once.
 * @param levels level of each frame, in dBFS
 * @param crossings how often the sound crosses zero in each frame, as a share of its samples
 * @param samples of the window, at 16 kHz
 */
export function measureCrowd(
  levels: Float32Array,
  crossings: Float32Array,
  samples: Int16Array,
): CrowdMeasures | null {
  const mean = computeMeanDb(levels);
  if (mean < silentDb || mean - getQuantile(levels.toSorted(), 0.1) > maxDipDb) return null;
  const crossed = getQuantile(crossings.toSorted(), 0.2);
  if (crossed < minCrossings) return null;
  const shape = measureSpectralShape(samples);
  if (shape.low < minFlatness.low || shape.high < minFlatness.high) return null;
  return { ...shape, crossings: crossed, roughDb: measureRoughness(samples) };
}

/** Returns the log-odds that many people are heard at once in a window. */
export const weighCrowd = (
  { crossings, low, high, lasting, bassDb, vowelDb, roughDb }: CrowdMeasures,
  weights = crowdWeights,
): number =>
  weights.base +
  weights.crossings * crossings +
  weights.low * (low - weights.bestLow) ** 2 +
  weights.high * high +
  weights.lasting * lasting +
  weights.bassDb * bassDb +
  weights.vowelDb * vowelDb +
  weights.roughDb * roughDb;

/** A window that sounds like many people at once, and how clearly, in log-odds: more than 0. */
export interface CrowdWindow {
  number: number;
  evidence: number;
}

/**
 * Where an audience laughs, claps or cheers, in seconds.
 * @param levels level of each frame of the source, in dBFS
 */
export function findReactions(levels: Float32Array, windows: readonly CrowdWindow[]): Span[] {
  const heard = levels.filter((level) => level > silentDb).sort();
  const minDb = Math.max(
    getQuantile(heard, 0.7) + minRelativeDb,
    getQuantile(levels.toSorted(), 0.1) + minAboveNoiseDb,
  );
  const crowds: CrowdWindow[][] = [];
  for (const window of windows) {
    const first = window.number * windowFrames;
    if (computeMeanDb(levels.subarray(first, first + windowFrames)) < minDb) continue;
    const last = crowds.at(-1);
    // A window between two is part of it.
    if (last && window.number - last.at(-1)!.number <= 2) last.push(window);
    else crowds.push([window]);
  }
  return crowds
    .filter((crowd) => crowd.reduce((sum, { evidence }) => sum + evidence, 0) > minEvidence)
    .map((crowd) => ({
      start: crowd[0]!.number * windowSeconds,
      end: (crowd.at(-1)!.number + 1) * windowSeconds,
    }))
    .filter(({ start, end }) => end - start >= minSeconds && end - start <= maxSeconds);
}
