import type { Analysis, Span } from './analysis.ts';
import { clipSpan } from './clip-span.ts';
import { explain } from './explanation.ts';
import { featureMeter, type Measured, type Unit } from './features.ts';
import { baseLanguage, languageCode } from './language-code.ts';
import { withFavour } from './ranking/favour.ts';
import { outputRate } from './frame-rate.ts';
import { cutIndex } from './scan-measures.ts';
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

interface Choice {
  first: number;
  last: number;
  span: Span;
  score: number;
}

/**
 * The lengths that clips of whole output frames can have: the shortest that is not below `min`, the longest that is not
 * above `max`. Where no whole number of frames lies between them, they stay as they are, and clips are off by half a frame at most.
 * A source just as long as `min` still makes a clip.
 */
export function frameLengths(
  { min, max }: { min: number; max: number },
  { duration, media }: Pick<Analysis, 'duration' | 'media'>,
): { min: number; max: number } {
  const rate = outputRate(media.frameRate);
  const most = Math.floor(max * rate + 1e-6) / rate;
  const least = Math.ceil(min * rate - 1e-6) / rate;
  if (least > most) return { min, max };
  return { min: duration >= min ? Math.min(least, duration) : least, max: most };
}

/** All clips that fit, gathered by their last unit. */
function choices(
  units: readonly Unit[],
  wanted: Wanted,
  analysis: Analysis,
  measure: (first: number, last: number, span: Span) => Measured,
): Choice[][] {
  const source = { duration: analysis.duration, cuts: cutIndex(analysis.cuts) };
  return units.map((end, last) => {
    const held: Choice[] = [];
    for (let first = last; first >= 0; first--) {
      if (end.end - units[first]!.start > wanted.max) break;
      const span = clipSpan(units, [first, last], wanted, source);
      if (!span) continue;
      const own = scoreOf(measure(first, last, span).features);
      const score = wanted.favour ? withFavour(own, wanted.favour(span)) : own;
      held.push({ first, last, span, score });
    }
    return held;
  });
}

/**
 * Of clips without overlap, as many as there can be up to `count`, and among those sets the one with the highest scores.
 * `worth[k][j]` is the best sum of `k` clips within the first `j` units.
 */
function bestSet(byLast: readonly Choice[][], count: number): Choice[] {
  const units = byLast.length;
  const worth: Float64Array[] = [new Float64Array(units + 1)];
  const taken: (Choice | null)[][] = [[]];
  for (let clips = 1; clips <= count; clips++) {
    const before = worth[clips - 1]!;
    const row = new Float64Array(units + 1).fill(-Infinity);
    const chosen: (Choice | null)[] = [null];
    for (let end = 1; end <= units; end++) {
      row[end] = row[end - 1]!;
      chosen[end] = null;
      for (const choice of byLast[end - 1]!) {
        const sum = before[choice.first]! + choice.score;
        if (sum > row[end]!) {
          row[end] = sum;
          chosen[end] = choice;
        }
      }
    }
    if (row[units] === -Infinity) break;
    worth.push(row);
    taken.push(chosen);
  }
  const set: Choice[] = [];
  let end = units;
  for (let clips = worth.length - 1; clips > 0;) {
    const choice = taken[clips]![end];
    if (choice) {
      set.push(choice);
      end = choice.first;
      clips--;
    } else end--;
  }
  return set;
}

/** The sentence of an explanation that tells of a second judge; empty where there is none, or it chose otherwise. */
const judged = (favour: number | undefined): string =>
  favour !== undefined && favour >= 0.5 ? ' The language model chose this part as well.' : '';

/**
 * The stretches of a source that would make shorts, best first, without overlap, each `min` to `max` seconds long (never
 * more than the source has), beginning and ending between words, and where there is room for it not beside a cut. As many as `count` while the material allows: fewer, or
 * none, where the source is too short for `min`.
 */
export function pickCandidates(analysis: Analysis, asked: Wanted): Candidate[] {
  const wanted = { ...asked, ...frameLengths(asked, analysis) };
  const units = unitsOf(analysis, wanted);
  const measure = featureMeter(analysis, units, wanted.target);
  const set = bestSet(choices(units, wanted, analysis, measure), wanted.count);
  return set
    .map(({ first, last, span, score }) => {
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
