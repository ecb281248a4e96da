import type { Analysis, Span } from '../facts.ts';
import {
  median,
  findOutbursts,
  sumRanges,
  measureSilentShare,
  toUnitInterval,
} from '../scan/scan-measures.ts';
import { findIndex } from '../spans.ts';
import type { Unit } from './units.ts';
import type { Features } from './score.ts';

export interface SoundMeasures {
  /** Mean level in dB above the source's usual level. */
  louder: number;
  /** When an audience laughs or claps, for sure: seconds from the start of the clip. */
  reactions: number[];
}

/** A reaction this soon after the last word belongs to the clip. */
const reactionDelaySeconds = 2.5;

/** A smaller difference of loudness is not heard. */
const audibleDb = 0.8;

/** Reactions that begin within this time of each other are one. */
const sameReactionSeconds = 1.5;

/**
 * Reactions late in a clip are its pay-off. One in the first third is the end of something else.
 */
function ratePayOff(reactions: readonly number[], length: number): number {
  const values = reactions.map((at) => (at > 0.7 * length ? 1 : at > length / 3 ? 0.8 : 0.5));
  const [best = 0, next = 0] = values.toSorted((a, b) => b - a);
  return best + 0.5 * next * (1 - best);
}

/** Returns the times in order. A reaction that is both heard and marked counts once. */
const mergeReactionTimes = (times: readonly number[]): number[] =>
  times
    .toSorted((one, other) => one - other)
    .filter((at, index, all) => index === 0 || at - all[index - 1]! > sameReactionSeconds);

/** Measures the sound of a clip, besides the words. Measures nothing if the source has no sound. */
export function createSoundMeter(
  analysis: Analysis,
  units: readonly Unit[],
): (span: Span) => { features: Features; measures: SoundMeasures } {
  const { step, values } = analysis.loudness;
  const heard = values.filter((level) => level > -50);
  const usualLevel = median(heard);
  const power = sumRanges(values.map((level) => 10 ** (level / 10)));
  const silent = sumRanges(
    values.map((_, index) =>
      measureSilentShare(analysis.silences, index * step, (index + 1) * step),
    ),
  );
  const audience = mergeReactionTimes([
    ...(analysis.reactions ?? []).map(({ start }) => start),
    ...(analysis.transcript?.reactions ?? []),
  ]);
  // An outburst may be a reaction, or a door: it counts, but nothing is said about it.
  const reactions = mergeReactionTimes([
    ...audience,
    ...findOutbursts(analysis, units, usualLevel),
  ]);
  const spoken = units.some((unit) => unit.words > 0);

  return ({ start, end }) => {
    const length = end - start;
    const within = (times: readonly number[]) => {
      const place = (time: number) => findIndex(times.length, (at) => times[at]!, time);
      return times
        .slice(place(start + 0.5), place(end + reactionDelaySeconds))
        .map((at) => at - start);
    };
    const features: Features = {};
    let louder = 0;
    if (heard.length > 0) {
      const from = Math.floor(start / step);
      const to = Math.max(from + 1, Math.ceil(end / step));
      // Pauses do not make the voice quieter.
      const sounding = Math.max(0.5, to - from - silent(from, to));
      louder = 10 * Math.log10(power(from, to) / sounding + 1e-7) - usualLevel;
      const audible = louder - Math.min(audibleDb, Math.max(-audibleDb, louder));
      features['loudness'] = toUnitInterval(0.5 + audible / 5);
      if (!spoken) features['speech'] = toUnitInterval(1 - silent(from, to) / (to - from));
    }
    if (reactions.length > 0) features['reaction'] = ratePayOff(within(reactions), length);
    return { features, measures: { louder, reactions: within(audience) } };
  };
}
