import type { Span } from '../../facts.ts';
import type { Talk } from '../subject-finder.ts';
import { pausesIn } from '../../scan/speech-pauses.ts';
import { frameSeconds } from '../../source/sound-levels.ts';
import type { Mouths } from './mouths.ts';

/** Openings and levels are compared with their means over this much time before and after. */
const contextSeconds = 0.7;
/** The level of a picture is that of this much sound before and after. */
const soundReachSeconds = 0.05;
/** Speech is within this range below its loudest level, in dB. */
const rangeDb = 30;
/** If levels vary less than this share of the range, there is music or silence, not speech. */
const minLevelDeviation = 0.08;
/** Lips that move less only seem to: noise of the measurement, in distances of the eyes. */
const minOpeningDeviation = 0.01;
/** Openings further from the mean count as this many standard deviations: a yawn is one opening. */
const maxDeviations = 1.5;
/** Sound is heard this long after the lips open. A video may also delay it, or the picture. */
const delaysSeconds = [0, 0.08, 0.16, -0.08, 0.24] as const;
/** At a pause of this length, another person may begin. */
const minTurnPauseSeconds = 0.12;
/** A picture stays at least this long. */
const minHoldSeconds = 1;
/** The picture changes this long before the sound begins. */
const leadSeconds = 0.12;

/** How much the other face's evidence counts against a face: both may speak. */
const otherWeight = 1.25;
/** Evidence that a face needs for a second of sound, to be shown alone; the cost of a change. */
const minEvidence = 0.25;
const changeCost = 0.6;

/** Differences from the mean of the values around. */
function aroundZero(values: readonly (number | null)[], reach: number): number[] {
  return values.map((value, at) => {
    if (value === null) return 0;
    const near = values
      .slice(Math.max(0, at - reach), at + reach + 1)
      .filter((one) => one !== null);
    return value - near.reduce((sum, one) => sum + one, 0) / near.length;
  });
}

const deviation = (values: readonly number[]): number =>
  Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / Math.max(1, values.length));

/** The sound's level at each time, 0 to 1. */
function levelsAt(times: readonly number[], levels: Float32Array): number[] {
  const loudest = levels.toSorted()[Math.floor(0.95 * (levels.length - 1))] ?? 0;
  return times.map((time) => {
    const from = Math.max(0, Math.round((time - soundReachSeconds) / frameSeconds));
    const near = levels.subarray(from, Math.round((time + soundReachSeconds) / frameSeconds));
    const mean = near.reduce((sum, level) => sum + level, 0) / Math.max(1, near.length);
    return Math.min(1, Math.max(0, 1 + (mean - loudest) / rangeDb));
  });
}

/**
 * Finds out from the mouths of a shot who speaks when.  A mouth that opens and closes with the
 * sound is evidence; one that moves without sound, chews or smiles, is not. Who is shown changes
 * only in pauses.
 * @param mouths at times from the start of the shot
 * @param levels of the shot's sound, as `soundLevels` returns them
 */
export function whoSpeaks(mouths: Mouths, levels: Float32Array, seconds: number): Talk[] {
  const { times, openings } = mouths;
  const reach = Math.round((contextSeconds * times.length) / seconds);
  const moves = openings.map((opening) => {
    const differences = aroundZero(opening, reach);
    const unit = Math.max(minOpeningDeviation, deviation(differences));
    return differences.map((move) =>
      Math.min(maxDeviations, Math.max(-maxDeviations, move / unit)),
    );
  });
  const pauses = pausesIn(levels, minTurnPauseSeconds);
  const changes = pauses
    .map(({ start, end }) => end - Math.min(leadSeconds, (end - start) / 2))
    .filter((time) => time > minHoldSeconds && time < seconds - minHoldSeconds);
  const edges = [0, ...changes, seconds];
  const parts = edges.slice(1).map((end, index) => ({ start: edges[index]!, end }));
  const partOf = times.map((time) =>
    Math.max(
      0,
      parts.findLastIndex(({ start }) => start <= time),
    ),
  );
  const step = seconds / times.length;
  const sumsWith = (delay: number) => {
    const sound = aroundZero(
      levelsAt(
        times.map((time) => time + delay),
        levels,
      ),
      reach,
    );
    const loud = deviation(sound);
    const sums = parts.map(() => moves.map(() => 0));
    if (loud < minLevelDeviation) return sums;
    moves.forEach((move, face) =>
      move.forEach((deviations, at) => {
        sums[partOf[at]!]![face]! += (deviations * sound[at]! * step) / loud;
      }),
    );
    return sums;
  };
  const total = (sums: readonly (readonly number[])[]) =>
    sums.reduce((all, faces) => all + Math.max(0, ...faces), 0);
  const evidence = delaysSeconds
    .map(sumsWith)
    .reduce((best, sums) => (total(sums) > total(best) ? sums : best));
  const scores = parts.map(({ start, end }, index) => {
    const sums = evidence[index]!;
    const silent = pauses.reduce(
      (sum, pause) => sum + Math.max(0, Math.min(end, pause.end) - Math.max(start, pause.start)),
      0,
    );
    return sums.map((sum, face) => {
      const others = Math.max(0, ...sums.filter((_, other) => other !== face));
      return sum - otherWeight * others - minEvidence * (end - start - silent);
    });
  });
  return mostLikely(parts, scores);
}

/**
 * The faces of the highest sum of scores, less the cost of the changes (Viterbi). The first state,
 * that no one is shown alone, has the score 0.
 */
function mostLikely(parts: readonly Span[], scores: readonly (readonly number[])[]): Talk[] {
  const states = (scores[0]?.length ?? 0) + 1;
  let sums = Array.from({ length: states }, () => 0);
  const cameFrom: number[][] = [];
  for (const score of scores) {
    const best = sums.indexOf(Math.max(...sums));
    const stays = sums.map((sum) => sum >= sums[best]! - changeCost);
    cameFrom.push(stays.map((stay, state) => (stay ? state : best)));
    sums = sums.map(
      (sum, state) =>
        (stays[state] ? sum : sums[best]! - changeCost) + (state === 0 ? 0 : score[state - 1]!),
    );
  }
  let state = sums.indexOf(Math.max(...sums));
  const talks: Talk[] = [];
  for (let at = parts.length - 1; at >= 0; at--) {
    const face = state === 0 ? null : state - 1;
    const after = talks[0];
    if (after?.face === face) after.start = parts[at]!.start;
    else talks.unshift({ ...parts[at]!, face });
    state = cameFrom[at]![state]!;
  }
  const held: Talk[] = [];
  for (const talk of talks) {
    const last = held.at(-1);
    const short = talk.end - talk.start < minHoldSeconds;
    if (last && (short || last.face === talk.face)) last.end = talk.end;
    else held.push(talk);
  }
  return held;
}
