import type { Span } from '../../facts.ts';
import type { Talk } from '../subject-finder.ts';
import { findPauses } from '../../scan/speech-pauses.ts';
import { frameSeconds } from '../../source/sound-levels.ts';
import { findMouthMoves } from './mouth-moves.ts';
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
/** Without a pause for this long, another person may begin at the quietest moment. */
const maxTurnSeconds = 3;
/** The minimum time of one person's turn, in seconds. */
const minTurnSeconds = 1;
/** A picture stays at least this long. */
const minHoldSeconds = 1;
/** A change is looked for this long before and after the pause at which it is likely. */
const changeReachSeconds = 2;
/** The picture changes this long before the sound begins. */
const leadSeconds = 0.12;

/**
 * The rate at which a mouth begins to open or to close, per second: of one who speaks, during sound
 * and in pauses; of one that moves otherwise; and of one that rests. Real speakers have 3.3 to 5.5,
 * and 0 to 2.4 in pauses; listeners 0 to 1.7.
 */
const rates = { speaks: 4, pauses: 1.5, moves: 3, rests: 0.8 } as const;
/** Weight of how a mouth goes with the sound, and how much it usually does, for a second. */
const soundWeight = 0.7;
const usualSound = 0.1;
/**
 * The cost if mouths move without speaking, that no one in the picture has the voice, and that
 * several speak at once, for a second of sound. All costs are logarithms of likelihoods.
 */
const costs = { moves: 0.5, nobody: 0.2, several: 0.5 } as const;
/** The cost of a change. */
const changeCost = 2;
/** A face says nothing in a part if its mouth is read in less than this share of the sound. */
const minReadShare = 0.5;
/** The only one who speaks in a shot keeps the picture if they have it for this share of it. */
const minOnlyShare = 0.4;

/** Differences from the mean of the values around. */
function subtractMean(values: readonly (number | null)[], reach: number): number[] {
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
function readLevels(times: readonly number[], levels: Float32Array): number[] {
  const loudest = levels.toSorted()[Math.floor(0.95 * (levels.length - 1))] ?? 0;
  return times.map((time) => {
    const from = Math.max(0, Math.round((time - soundReachSeconds) / frameSeconds));
    const near = levels.subarray(from, Math.round((time + soundReachSeconds) / frameSeconds));
    const mean = near.reduce((sum, level) => sum + level, 0) / Math.max(1, near.length);
    return Math.min(1, Math.max(0, 1 + (mean - loudest) / rangeDb));
  });
}

/** The mean level of the sound around a time. */
function measureLevelAround(time: number, levels: Float32Array): number {
  const near = levels.subarray(
    Math.round((time - soundReachSeconds) / frameSeconds),
    Math.round((time + soundReachSeconds) / frameSeconds),
  );
  return near.reduce((sum, level) => sum + level, 0) / Math.max(1, near.length);
}

/** Parts of a shot in which one person may speak: they end in pauses, or else at quiet moments. */
function splitIntoTurns(pauses: readonly Span[], levels: Float32Array, seconds: number): Span[] {
  const dipsIn = (start: number, end: number): number[] => {
    if (end - start <= maxTurnSeconds) return [];
    let dip = start + minTurnSeconds;
    for (let time = dip; time <= end - minTurnSeconds; time += 2 * frameSeconds) {
      if (measureLevelAround(time, levels) < measureLevelAround(dip, levels)) dip = time;
    }
    return [...dipsIn(start, dip), dip, ...dipsIn(dip, end)];
  };
  const changes = pauses
    .map(({ start, end }) => end - Math.min(leadSeconds, (end - start) / 2))
    .filter((time) => time > minHoldSeconds && time < seconds - minHoldSeconds);
  const edges = [...changes, seconds].flatMap((end, index) => [
    ...dipsIn(changes[index - 1] ?? 0, end),
    end,
  ]);
  return edges.map((end, index) => ({ start: edges[index - 1] ?? 0, end }));
}

/** Logarithm of the likelihood of some events, at one rate against another. */
const computeLogLikelihood = (
  count: number,
  seconds: number,
  rate: number,
  otherRate: number,
): number => count * Math.log(rate / otherRate) - (rate - otherRate) * seconds;

/** The movements of a mouth in a part of a shot. */
interface MouthPart {
  /** Seconds of sound, and of pauses, in which the mouth was read. */
  heard: number;
  paused: number;
  /** The number of times it began to open or to close then. */
  heardMoves: number;
  pausedMoves: number;
  /** The time in which it moves with the sound: about its seconds if it always does. */
  sound: number;
}

/**
 * Scores the cases that no known mouth speaks, several do, or one of the faces; against mouths that
 * rest.
 * @param heard seconds of sound
 */
function scoreSpeakers(mouths: readonly MouthPart[], heard: number): number[] {
  const { speaks, pauses, moves, rests } = rates;
  const speaking = mouths.map((mouth) => {
    if (mouth.heard < minReadShare * heard) return -Infinity;
    const movesOn = computeLogLikelihood(mouth.pausedMoves, mouth.paused, pauses, moves);
    return (
      computeLogLikelihood(mouth.heardMoves, mouth.heard, speaks, rests) +
      soundWeight * (mouth.sound - usualSound * mouth.heard) +
      Math.min(0, movesOn)
    );
  });
  const silent = mouths.map((mouth) =>
    Math.max(
      0,
      computeLogLikelihood(mouth.heardMoves, mouth.heard, moves, rests) - costs.moves * mouth.heard,
    ),
  );
  const all = silent.reduce((sum, one) => sum + one, 0);
  const alone = speaking.map((one, face) => all - silent[face]! + one);
  const [first, second] = alone.toSorted((a, b) => b - a);
  const several = first! + second! - all - costs.several * heard;
  return [all - costs.nobody * heard, several, ...alone];
}

/** Returns how far a mouth is from its mean opening around each time, in limited deviations. */
function standardizeOpening(opening: Mouths['openings'][number], reach: number): number[] {
  const differences = subtractMean(opening, reach);
  const unit = Math.max(minOpeningDeviation, deviation(differences));
  return differences.map((move) => Math.min(maxDeviations, Math.max(-maxDeviations, move / unit)));
}

/**
 * Finds out from the mouths of a shot who speaks when. A mouth that opens and closes as often as
 * speech does, while there is sound, is evidence, and more so if it goes with its loudness; one
 * that moves in pauses, too, chews or laughs. Who is shown changes only in pauses, or in quiet
 * moments where there are none.
 * @param mouths at times from the start of the shot
 * @param levels of the shot's sound, as `soundLevels` returns them
 */
export function findSpeakers(mouths: Mouths, levels: Float32Array, seconds: number): Talk[] {
  const { times, openings } = mouths;
  const reach = Math.round((contextSeconds * times.length) / seconds);
  const soundWith = (delay: number) =>
    subtractMean(
      readLevels(
        times.map((time) => time + delay),
        levels,
      ),
      reach,
    );
  if (deviation(soundWith(0)) < minLevelDeviation) return [{ start: 0, end: seconds, face: null }];
  const deviations = openings.map((opening) => standardizeOpening(opening, reach));
  const pauses = findPauses(levels, minTurnPauseSeconds);
  const parts = splitIntoTurns(pauses, levels, seconds);
  const findPart = (time: number) => parts.findLastIndex(({ start }) => start <= time);
  const partAt = (time: number) => Math.max(0, findPart(time));
  const partOf = times.map(partAt);
  const step = seconds / times.length;
  const sumsWith = (delay: number) => {
    const sound = soundWith(delay);
    const loud = Math.max(minLevelDeviation, deviation(sound));
    const sums = parts.map(() => openings.map(() => 0));
    deviations.forEach((values, face) =>
      values.forEach((value, at) => {
        sums[partOf[at]!]![face]! += (value * sound[at]! * step) / loud;
      }),
    );
    return sums;
  };
  const total = (sums: readonly (readonly number[])[]) =>
    sums.reduce((all, faces) => all + Math.max(0, ...faces), 0);
  const sums = delaysSeconds
    .map(sumsWith)
    .reduce((best, one) => (total(one) > total(best) ? one : best));
  const isPause = (time: number) => pauses.some(({ start, end }) => time >= start && time <= end);
  const paused = times.map(isPause);
  const moves = openings.map((opening) => findMouthMoves(times, opening));
  const scores = parts.map((_, part) => {
    const pictures = [...times.keys()].filter((at) => partOf[at] === part);
    const seconds = (wanted: boolean, opening?: readonly (number | null)[]) =>
      step * pictures.filter((at) => paused[at] === wanted && opening?.[at] !== null).length;
    const read = openings.map((opening, face): MouthPart => {
      const inPart = moves[face]!.filter((time) => partAt(time) === part);
      const pausedMoves = inPart.filter(isPause).length;
      return {
        heard: seconds(false, opening),
        paused: seconds(true, opening),
        heardMoves: inPart.length - pausedMoves,
        pausedMoves,
        sound: sums[part]![face]!,
      };
    });
    return scoreSpeakers(read, seconds(false));
  });
  const turns = joinShortTurns(findLikeliestPath(scores), parts);
  return withOnlySpeaker(moveChanges(turns, moves, levels), seconds);
}

/** The speaker of a part: a face, several people, or no one. */
type Speaker = number | 'several' | null;
type Turn = Span & { speaker: Speaker };

/** The states of the highest sum of scores, less the cost of the changes (Viterbi). */
function findLikeliestPath(scores: readonly (readonly number[])[]): Speaker[] {
  let sums: number[] = scores[0]!.map(() => 0);
  const cameFrom: number[][] = [];
  for (const score of scores) {
    const best = sums.indexOf(Math.max(...sums));
    const stays = sums.map((sum) => sum >= sums[best]! - changeCost);
    cameFrom.push(stays.map((stay, state) => (stay ? state : best)));
    sums = sums.map(
      (sum, state) => (stays[state] ? sum : sums[best]! - changeCost) + score[state]!,
    );
  }
  let state = sums.indexOf(Math.max(...sums));
  const states: Speaker[] = [];
  for (const from of cameFrom.toReversed()) {
    states.unshift(state === 0 ? null : state === 1 ? 'several' : state - 2);
    state = from[state]!;
  }
  return states;
}

/**
 * Joins parts of the same speaker, and parts that are too short for a picture to the part before.
 */
function joinShortTurns(speakers: readonly Speaker[], parts: readonly Span[]): Turn[] {
  const joined: Turn[] = [];
  for (const [index, speaker] of speakers.entries()) {
    const last = joined.at(-1);
    if (last?.speaker === speaker) last.end = parts[index]!.end;
    else joined.push({ ...parts[index]!, speaker });
  }
  const turns: Turn[] = [];
  for (const turn of joined) {
    const last = turns.at(-1);
    const short = turn.end - turn.start < minHoldSeconds;
    if (last && (short || last.speaker === turn.speaker)) last.end = turn.end;
    else turns.push(turn);
  }
  return turns;
}

/**
 * Moves each change from one face to another to the moment after the first one's mouth has rested
 * and before the other one's moves: a part may hold the end of one turn and the start of the next.
 */
function moveChanges(
  turns: readonly Turn[],
  moves: readonly (readonly number[])[],
  levels: Float32Array,
): Turn[] {
  const moved = turns.map((turn) => ({ ...turn }));
  for (const [index, after] of moved.entries()) {
    const before = moved[index - 1];
    if (typeof before?.speaker !== 'number' || typeof after.speaker !== 'number') continue;
    const [ends, begins] = [moves[before.speaker]!, moves[after.speaker]!];
    const from = Math.max(before.start + minHoldSeconds, after.start - changeReachSeconds);
    const to = Math.min(after.end - minHoldSeconds, after.start + changeReachSeconds);
    const fitsAt = (time: number) =>
      ends.filter((move) => move >= from && move < time).length +
      begins.filter((move) => move >= time && move <= to).length;
    let best = { time: after.start, fits: fitsAt(after.start), level: -Infinity };
    for (let time = from; time <= to; time += 2 * frameSeconds) {
      const [fits, level] = [fitsAt(time), measureLevelAround(time, levels)];
      if (fits > best.fits || (fits === best.fits && level < best.level)) {
        best = { time, fits, level };
      }
    }
    before.end = after.start = best.time;
  }
  return moved;
}

/**
 * Keeps the only speaker of most of a shot in the picture, also while no speaker is known: a
 * pianist beside a singer is silent in the interlude as well.
 */
function withOnlySpeaker(turns: readonly Turn[], seconds: number): Talk[] {
  const [only, ...others] = new Set(
    turns.map(({ speaker }) => speaker).filter((speaker) => speaker !== null),
  );
  const spoken = turns
    .filter(({ speaker }) => speaker === only)
    .reduce((sum, { start, end }) => sum + end - start, 0);
  const keeps = others.length === 0 && only !== 'several' && spoken >= minOnlyShare * seconds;
  const talks: Talk[] = [];
  for (const { start, end, speaker } of turns) {
    const known = speaker ?? (keeps ? only : null);
    const face = typeof known === 'number' ? known : null;
    const last = talks.at(-1);
    if (last?.face === face) last.end = end;
    else talks.push({ start, end, face });
  }
  return talks;
}
