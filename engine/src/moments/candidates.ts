import { setImmediate } from 'node:timers/promises';
import type { Analysis, Span } from '../facts.ts';
import { clipSpan } from './clip-span.ts';
import { comparableUnits } from './dense-units.ts';
import { explain } from './explanation.ts';
import { featureMeter, type Measured, type Unit } from './features.ts';
import { baseLanguage, languageCode } from '../words/language-code.ts';
import { withFavour } from './ranking/favour.ts';
import { outputRate } from '../source/frame-rate.ts';
import { cutIndex } from '../scan/scan-measures.ts';
import { scoreOf } from './score.ts';
import { titleOf } from './title.ts';
import { untitledAt } from './title-words.ts';
import { unitsOf } from './units.ts';

/** A stretch of the source that would make a short. */
export interface Candidate {
  start: number;
  end: number;
  title: string;
  /** Whether the title is made of the clip's own words, so that it may be shown in it. Left out: yes. */
  ownWords?: boolean;
  /** 0 to 1. */
  score: number;
  /** Sentences that say which features made the score. */
  explanation: string;
  /** The sentence that the explanation may quote; left out: none. */
  firstSentence?: string;
  /** Each feature's value, 0 to 1; with a second judge also `own` and `model`, the two scores. */
  features: Record<string, number>;
}

/** How many candidates, and how long, in seconds. */
export interface Wanted {
  count: number;
  min: number;
  max: number;
  target: number;
  /** Language (BCP 47) of titles of clips in which nothing is said; English where left out. */
  language?: string | undefined;
  /** How much a second judge favours a clip of these times, 0 to 1. It can move scores, and nothing else. */
  favour?: (span: Span) => number;
}

/** Best clips that are kept of those that end with the same unit; the shortest of them is kept as well. */
const mostKept = 64;

/** Clips that end with the same unit, by their first units: latest first. */
interface Ending {
  firsts: Int32Array;
  scores: Float64Array;
}

/**
 * The lengths that clips of whole output frames can have: the shortest that is not below `min`, the longest that is not
 * above `max`. Where no whole number of frames lies between them, they stay as they are, and clips are off by half a frame at most.
 * A source just as long as `min` still makes a clip.
 */
function frameLengths(
  { min, max }: { min: number; max: number },
  { duration, media }: Pick<Analysis, 'duration' | 'media'>,
): { min: number; max: number } {
  const rate = outputRate(media.frameRate);
  const most = Math.floor(max * rate + 1e-6) / rate;
  const least = Math.ceil(min * rate - 1e-6) / rate;
  if (least > most) return { min, max };
  return { min: duration >= min ? Math.min(least, duration) : least, max: most };
}

/** The best of the clips that end with one unit, and the shortest, without which there might be fewer clips in all. */
function bestOf(firsts: readonly number[], scores: readonly number[]): Ending {
  let kept = firsts.map((_, index) => index);
  if (kept.length > mostKept) {
    const best = kept.slice(1).toSorted((a, b) => scores[b]! - scores[a]!);
    kept = [0, ...best.slice(0, mostKept - 1).toSorted((a, b) => a - b)];
  }
  return {
    firsts: Int32Array.from(kept, (index) => firsts[index]!),
    scores: Float64Array.from(kept, (index) => scores[index]!),
  };
}

/** All clips that fit, gathered by their last unit; a step for each. */
function* endingsOf(
  units: readonly Unit[],
  wanted: Wanted,
  spanOf: (first: number, last: number) => Span | null,
  measure: (first: number, last: number, span: Span) => Measured,
): Generator<void, Ending[]> {
  const endings: Ending[] = [];
  for (const [last, end] of units.entries()) {
    const firsts: number[] = [];
    const scores: number[] = [];
    for (let first = last; first >= 0; first--) {
      if (end.end - units[first]!.start > wanted.max) break;
      const span = spanOf(first, last);
      if (!span) continue;
      const own = scoreOf(measure(first, last, span).features);
      firsts.push(first);
      scores.push(wanted.favour ? withFavour(own, wanted.favour(span)) : own);
    }
    endings.push(bestOf(firsts, scores));
    yield;
  }
  return endings;
}

/** A clip of a set: its units, and its score. */
interface Choice {
  first: number;
  last: number;
  score: number;
}

/**
 * Of clips without overlap, as many as there can be up to `count`, and among those sets the one with the highest scores.
 * `worth` is the best sum of so many clips within the first units; a step for each number of clips.
 */
function* bestSet(endings: readonly Ending[], count: number): Generator<void, Choice[]> {
  const units = endings.length;
  let worth = new Float64Array(units + 1);
  /** By number of clips: which clip ends there in the best set, -1 for none. */
  const taken: Int32Array[] = [];
  for (let clips = 1; clips <= count; clips++) {
    const before = worth;
    const row = new Float64Array(units + 1).fill(-Infinity);
    const chosen = new Int32Array(units + 1).fill(-1);
    for (let end = 1; end <= units; end++) {
      row[end] = row[end - 1]!;
      const { firsts, scores } = endings[end - 1]!;
      for (let index = 0; index < firsts.length; index++) {
        const sum = before[firsts[index]!]! + scores[index]!;
        if (sum > row[end]!) {
          row[end] = sum;
          chosen[end] = index;
        }
      }
    }
    if (row[units] === -Infinity) break;
    worth = row;
    taken.push(chosen);
    yield;
  }
  const set: Choice[] = [];
  let end = units;
  for (let clips = taken.length - 1; clips >= 0;) {
    const index = taken[clips]![end]!;
    if (index >= 0) {
      const { firsts, scores } = endings[end - 1]!;
      set.push({ first: firsts[index]!, last: end - 1, score: scores[index]! });
      end = firsts[index]!;
      clips--;
    } else end--;
  }
  return set;
}

/** The sentence of an explanation that tells of a second judge; empty where there is none, or it chose otherwise. */
const judged = (favour: number | undefined): string =>
  favour !== undefined && favour >= 0.5 ? ' The language model chose this part as well.' : '';

/** The work of `pickCandidates` in small steps. */
function* picking(analysis: Analysis, asked: Wanted): Generator<void, Candidate[]> {
  const wanted = { ...asked, ...frameLengths(asked, analysis) };
  const units = comparableUnits(unitsOf(analysis, wanted), wanted.max);
  const measure = featureMeter(analysis, units, wanted.target);
  const source = { duration: analysis.duration, cuts: cutIndex(analysis.cuts) };
  const spanOf = (first: number, last: number) => clipSpan(units, [first, last], wanted, source);
  const endings = yield* endingsOf(units, wanted, spanOf, measure);
  const set = yield* bestSet(endings, wanted.count);
  return set
    .map(({ first, last, score }) => {
      const span = spanOf(first, last)!;
      const held = units.slice(first, last + 1);
      const { features, facts } = measure(first, last, span);
      const favour = wanted.favour?.(span);
      const title = titleOf(
        held.filter((unit) => unit.words > 0),
        { language: analysis.transcript?.language ?? null, start: span.start },
      );
      const evidence = {
        ...facts,
        length: span.end - span.start,
        target: wanted.target,
        firstSentence: held[0]?.text ?? '',
      };
      return {
        ...span,
        title: title ?? untitledAt(span.start, baseLanguage(languageCode(wanted.language) ?? 'en')),
        ...(title === null && { ownWords: false }),
        score,
        ...(evidence.firstSentence && { firstSentence: evidence.firstSentence }),
        explanation: explain(features, evidence) + judged(favour),
        // Both scores are kept: the engine's own and the second judge's.
        features:
          favour === undefined ? features : { ...features, own: scoreOf(features), model: favour },
      };
    })
    .toSorted((a, b) => b.score - a.score || a.start - b.start);
}

/**
 * The stretches of a source that would make shorts, best first, without overlap, each `min` to `max` seconds long (never
 * more than the source has), beginning and ending between words, and where there is room for it not beside a cut. As many as `count` while the material allows: fewer, or
 * none, where the source is too short for `min`.
 */
export function pickCandidates(analysis: Analysis, asked: Wanted): Candidate[] {
  const steps = picking(analysis, asked);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Milliseconds of work after which others have a turn. */
const turn = 20;

/** As `pickCandidates`, but other work has its turn in between. Throws the signal's reason. */
export async function pickInTurns(
  analysis: Analysis,
  asked: Wanted,
  signal: AbortSignal,
): Promise<Candidate[]> {
  const steps = picking(analysis, asked);
  let began = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - began < turn) continue;
    await setImmediate();
    signal.throwIfAborted();
    began = performance.now();
  }
}
