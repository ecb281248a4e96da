import { setImmediate } from 'node:timers/promises';
import type { Analysis, Span } from '../facts.ts';
import { findClipSpan } from './clip-span.ts';
import { limitUnits, type Unit, makeUnits } from './units.ts';
import { explainClip } from './explanation.ts';
import {
  createFeatureMeter,
  type FittedParts,
  getSpokenLanguage,
  type Measured,
} from './features.ts';
import { getBaseLanguage, parseLanguage } from '../words/language-code.ts';
import { checkExplanation, findChosen, type Favoured, rateFavour, withFavour } from './favour.ts';
import { chooseOutputRate } from '../source/frame-rate.ts';
import { cutIndex } from '../scan/scan-measures.ts';
import { calibrateScore, computeScore, computeShownScore, weakScore } from './score.ts';
import { type PostTexts, postTexts } from './post-texts.ts';
import { type ScoreSettings, settings as chosenSettings } from './settings.ts';
import { findSpeakerTurns, type SpeakerTurns } from './speaker-turns.ts';
import { getMinTurnWords } from './speech-meter.ts';
import { nameUntitled } from './title-words.ts';
import { createTopicFinder } from './topics.ts';
import { type TopicMatch, createTopicMatcher } from './topic-match.ts';

/** A part of the source that would make a good clip. `start` and `end` are source seconds. */
export interface Candidate {
  start: number;
  end: number;
  title: string;
  /**
   * Whether the title may be shown in the picture. If not, it is only a name: a line of the clip in
   * quotation marks, or its time.
   * @default true
   */
  ownWords?: boolean;
  /** Texts for posting it. Its first title is `title`, if anything is said. */
  post: PostTexts;
  /** 0 to 1; higher is better. */
  score: number;
  /** The requested topic that the clip is about; omitted if none was requested. */
  topic?: string;
  /** One to three sentences that say what happens and why the clip has this score. */
  explanation: string;
  /**
   * The value of each feature, 0 to 1. With a second judge also the two scores, as `own` and
   * `model`.
   */
  features: Record<string, number>;
}

/** The number of moments that are wanted, and their lengths, in seconds. */
export interface MomentOptions {
  count: number;
  /**
   * Weak clips are only returned if there would be fewer than this many otherwise.
   * @default count
   */
  minCount?: number;
  /** Minimum length of a clip. */
  min: number;
  /** Maximum length of a clip. */
  max: number;
  /** Preferred length: clips of about this length score higher. */
  target: number;
  /**
   * Language (BCP 47) of the titles of clips without words.
   * @default 'en'
   */
  language?: string | undefined;
  /**
   * Words or phrases in the source's language: only clips that are about one of them are returned,
   * none if the source has no words.
   */
  topics?: readonly string[] | undefined;
  /** Parts of the source that are in clips already: no clip overlaps them. */
  without?: readonly Span[] | undefined;
  /**
   * The choice of a language model, as `rankByChat` returns it. It raises scores, and its titles
   * and explanations are used if they pass the checks.
   */
  favoured?: readonly Favoured[];
}

/**
 * The number of clips that remain of those that end with the same unit, including the shortest
 * one.
 */
const maxKeptClips = 64;

/** The clips that end with the same unit, by their first units: latest first. */
interface Ending {
  firsts: Int32Array;
  scores: Float64Array;
}

/**
 * The share of a source without words that its clips may be. Only the sound and the picture tell
 * them apart, so more of them would merely divide the source.
 */
const maxWordlessShare = 1 / 3;

const getScannedSpan = ({ scanned, duration }: Pick<Analysis, 'duration' | 'scanned'>): Span =>
  scanned ?? { start: 0, end: duration };

/**
 * Narrows `min` and `max` to lengths of whole output frames. If no whole number of frames fits
 * between them, they stay, and clips are off by half a frame at most. A source that is exactly as
 * long as `min` still makes a clip.
 */
function frameLengths(
  { min, max }: { min: number; max: number },
  analysis: Pick<Analysis, 'duration' | 'media' | 'scanned'>,
): { min: number; max: number } {
  const { media } = analysis;
  const { start, end } = getScannedSpan(analysis);
  const duration = end - start;
  const rate = chooseOutputRate(media.frameRate);
  const maxFrames = Math.floor(max * rate + 1e-6) / rate;
  const minFrames = Math.ceil(min * rate - 1e-6) / rate;
  if (minFrames > maxFrames) return { min, max };
  return { min: duration >= min ? Math.min(minFrames, duration) : minFrames, max: maxFrames };
}

/**
 * The best clips that end with one unit, and the shortest: without it there might be fewer clips in
 * all.
 */
function keepBest(firsts: readonly number[], scores: readonly number[]): Ending {
  let kept = firsts.map((_, index) => index);
  if (kept.length > maxKeptClips) {
    const best = kept.slice(1).toSorted((a, b) => scores[b]! - scores[a]!);
    kept = [0, ...best.slice(0, maxKeptClips - 1).toSorted((a, b) => a - b)];
  }
  return {
    firsts: Int32Array.from(kept, (index) => firsts[index]!),
    scores: Float64Array.from(kept, (index) => scores[index]!),
  };
}

/**
 * Yields all possible clips, grouped by their last unit in ascending order, with the best score of
 * each. Yields after each unit.
 */
function* listEndings(
  units: readonly Unit[],
  options: MomentOptions,
  spanOf: (first: number, last: number) => Span | null,
  measure: (first: number, last: number, span: Span) => Measured,
  topicOf: ((first: number, last: number, span: Span) => TopicMatch | null) | null,
  settings?: ScoreSettings,
): Generator<void, { endings: Ending[]; worths: Float64Array }> {
  const { favoured, without = [] } = options;
  const isTaken = ({ start, end }: Span) =>
    without.some((taken) => start < taken.end && end > taken.start);
  const endings: Ending[] = [];
  const worths: number[] = [];
  for (const [last, end] of units.entries()) {
    const firsts: number[] = [];
    const scores: number[] = [];
    let best = 0;
    for (let first = last; first >= 0; first--) {
      if (end.end - units[first]!.start > options.max) break;
      const span = spanOf(first, last);
      if (!span) continue;
      const { features } = measure(first, last, span);
      const own = computeScore(features, settings);
      best = Math.max(best, computeShownScore(features));
      if (isTaken(span)) continue;
      const topic = topicOf?.(first, last, span);
      if (topic === null) continue;
      firsts.push(first);
      const favour = Math.max(favoured ? rateFavour(favoured, span) : 0, topic?.relevance ?? 0);
      scores.push(withFavour(own, favour));
    }
    if (best > 0) worths.push(best);
    endings.push(keepBest(firsts, scores));
    yield;
  }
  return { endings, worths: Float64Array.from(worths).sort() };
}

/** A chosen clip: its first and last unit. */
interface Choice {
  first: number;
  last: number;
}

/**
 * Chooses clips without overlap: up to `count`, as many as possible, and for each number of them
 * the set with the highest sum of scores. `worth` is the best sum of that many clips within the
 * first units. Yields after each number of clips.
 * @returns the sets of one clip, of two, and so on
 */
function* findBestSets(endings: readonly Ending[], count: number): Generator<void, Choice[][]> {
  const units = endings.length;
  let worth = new Float64Array(units + 1);
  /** By number of clips: the clip that ends at each unit in the best set, -1 for none. */
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
  return taken.map((_, size) => {
    const set: Choice[] = [];
    let end = units;
    for (let clips = size; clips >= 0;) {
      const index = taken[clips]![end]!;
      if (index >= 0) {
        const { firsts } = endings[end - 1]!;
        set.push({ first: firsts[index]!, last: end - 1 });
        end = firsts[index]!;
        clips--;
      } else end--;
    }
    return set;
  });
}

/** Subtitles do not say how long a reaction lasts. */
const markedReactionSeconds = 2;

/** The reactions that are heard, and those that the subtitles mark, in the order of their ends. */
const collectReactions = ({ reactions = [], transcript }: Analysis): Span[] =>
  [
    ...reactions,
    ...(transcript?.reactions ?? []).map((start) => ({
      start,
      end: start + markedReactionSeconds,
    })),
  ].toSorted((a, b) => a.end - b.end);

/**
 * Returns the clips of the set with the most that are not weak, without its weak ones. If those are
 * fewer than `minCount`, or no selection, the largest set of up to `minCount`.
 */
function chooseSet(
  sets: readonly (readonly Choice[])[],
  {
    minCount,
    maxSeconds,
    ownScore,
    lengthOf,
  }: {
    minCount: number;
    /** The most seconds that all clips may have together. */
    maxSeconds: number;
    ownScore: (clip: Choice) => number;
    lengthOf: (clip: Choice) => number;
  },
): readonly Choice[] {
  const [best = []] = sets
    .map((clips) => clips.filter((clip) => ownScore(clip) >= weakScore))
    .filter((clips) => clips.reduce((sum, clip) => sum + lengthOf(clip), 0) <= maxSeconds)
    .toSorted((a, b) => b.length - a.length);
  return best.length >= minCount ? best : (sets.findLast(({ length }) => length <= minCount) ?? []);
}

/** Returns what says which of the requested topics a part is about; null if none is requested. */
function createTopicLookup(
  units: readonly Unit[],
  { favoured = [], topics }: Pick<MomentOptions, 'favoured' | 'topics'>,
  language: string,
): ((first: number, last: number, span: Span) => TopicMatch | null) | null {
  if (!topics) return null;
  const matchOf = createTopicMatcher(units, topics, language);
  return (first, last, span) => {
    // A part that a model has found may have other words than the topic.
    const { topic } = findChosen(favoured, span) ?? {};
    return topic === undefined ? matchOf(first, last) : { topic, relevance: 1 };
  };
}

/** Makes the function that scores, names and explains a chosen clip. */
function createDescriber(
  analysis: Analysis,
  { favoured, language: stated }: MomentOptions,
  {
    units,
    turns,
    language,
    spanOf,
    measure,
    topicOf,
    worths,
  }: {
    units: readonly Unit[];
    turns: SpeakerTurns;
    language: string;
    spanOf: (first: number, last: number) => Span | null;
    measure: ReturnType<typeof createFeatureMeter>;
    topicOf: ReturnType<typeof createTopicLookup>;
    worths: Float64Array;
  },
): (choice: Choice) => Candidate {
  const finder = createTopicFinder(units, language);
  return ({ first, last }) => {
    const span = spanOf(first, last)!;
    const { features, sound, cuts } = measure(first, last, span);
    const favour = favoured && rateFavour(favoured, span);
    const chosen = findChosen(favoured ?? [], span);
    const own = calibrateScore(features, worths);
    const { title, ...post } = postTexts({
      units,
      first,
      last,
      language: analysis.transcript?.language ?? null,
      start: span.start,
      finder,
      turns,
      proposed: chosen,
    });
    const [name = null] = post.titles;
    const facts = { span, units: units.slice(first, last + 1), features, sound, cuts };
    return {
      ...span,
      title: name ?? nameUntitled(span.start, getBaseLanguage(parseLanguage(stated) ?? 'en')),
      ...(title === null && { ownWords: false }),
      post,
      ...(topicOf && { topic: topicOf(first, last, span)!.topic }),
      score: favour === undefined ? own : withFavour(own, favour),
      explanation:
        checkExplanation(chosen?.explanation) ??
        explainClip(
          { ...facts, topics: finder.topics(first, last), turnsMarked: turns.marked },
          { language, chosenByModel: chosen !== undefined },
        ),
      features: favour === undefined ? features : { ...features, own, model: favour },
    };
  };
}

/** `pickCandidates` in small steps. */
function* pickInSteps(
  analysis: Analysis,
  requested: MomentOptions,
  fitted: FittedParts,
): Generator<void, Candidate[]> {
  const options = { ...requested, ...frameLengths(requested, analysis) };
  const spoken = getSpokenLanguage(analysis);
  const language = spoken || getBaseLanguage(parseLanguage(options.language) ?? 'en');
  const units = limitUnits(makeUnits(analysis, options), options.max);
  const { settings = chosenSettings, turnCues: cues } = fitted;
  const { target } = options;
  const turns = findSpeakerTurns(units, {
    language: spoken,
    minWords: getMinTurnWords(target),
    turnsHeard: analysis.transcript?.turnsHeard ?? false,
    cues,
    floorDoubt: settings.floorDoubt,
  });
  const measure = createFeatureMeter(analysis, units, turns, {
    language: spoken,
    target,
    settings,
  });
  const { start: from, end: to } = getScannedSpan(analysis);
  const source = { from, to, cuts: cutIndex(analysis.cuts), reactions: collectReactions(analysis) };
  const spanOf = (first: number, last: number) =>
    findClipSpan(units, [first, last], options, source);
  const topicOf = createTopicLookup(units, options, language);
  const { endings, worths } = yield* listEndings(
    units,
    options,
    spanOf,
    measure,
    topicOf,
    settings,
  );
  const sets = yield* findBestSets(endings, options.count);
  const { minCount = options.count } = options;
  const ownScore = ({ first, last }: Choice) =>
    calibrateScore(measure(first, last, spanOf(first, last)!).features, worths);
  const lengthOf = ({ first, last }: Choice) => {
    const { start, end } = spanOf(first, last)!;
    return end - start;
  };
  const clips = chooseSet(sets, {
    minCount,
    ownScore,
    lengthOf,
    maxSeconds: units.some(({ words }) => words > 0) ? Infinity : maxWordlessShare * (to - from),
  });
  const describe = createDescriber(analysis, options, {
    units,
    turns,
    language,
    spanOf,
    measure,
    topicOf,
    worths,
  });
  return clips.map(describe).toSorted((a, b) => b.score - a.score || a.start - b.start);
}

/**
 * Finds the parts of a source that make the best clips: best first, without overlap, each `min` to
 * `max` seconds long. They begin and end between words, and not beside a cut if there is room.
 * Returns fewer than `count` if the source has no more, and none if it is shorter than `min`.
 */
export function pickCandidates(
  analysis: Analysis,
  options: MomentOptions,
  fitted: FittedParts = {},
): Candidate[] {
  const steps = pickInSteps(analysis, options, fitted);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Longest time without yielding to other work. */
const sliceMs = 20;

/**
 * Finds the parts of a source that make the best clips: best first, without overlap, each `min` to
 * `max` seconds long. They begin and end between words, and not beside a cut if there is room.
 * Returns fewer than `count` if the source has no more, and none if it is shorter than `min`.
 * Works in small steps, so that the process can do other work in between.
 * @throws the signal's reason
 * @example
 * ```ts
 * const options = { count: 5, min: 15, max: 60, target: 30 };
 * const candidates = await pickCandidatesAsync(analysis, options, signal);
 * ```
 */
export async function pickCandidatesAsync(
  analysis: Analysis,
  options: MomentOptions,
  signal: AbortSignal,
): Promise<Candidate[]> {
  const steps = pickInSteps(analysis, options, {});
  let began = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - began < sliceMs) continue;
    await setImmediate();
    signal.throwIfAborted();
    began = performance.now();
  }
}
