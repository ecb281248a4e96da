import { computeMean, sumRanges, toUnitInterval } from '../scan/scan-measures.ts';
import { stripWord, readCueModel, type CueModel, computeLogOdds } from '../words/cue-model.ts';
import { splitWords } from '../words/word-text.ts';
import { settings } from './settings.ts';
import turnCues from './turn-cues.json' with { type: 'json' };
import type { Unit } from './units.ts';

/**
 * Who speaks when, by units: as the subtitles mark it, as the voices say, or as likely as the words
 * suggest.
 */
export interface SpeakerTurns {
  /** Whether anything is known of turns. If not, all units are one turn. */
  known: boolean;
  /** Whether the subtitles mark turns, or most voices are known. If not, turns are only likely. */
  marked: boolean;
  /** The probability that a turn begins with this unit, 0 to 1. */
  opens: (unit: number) => number;
  /** The probability that a turn ends with this unit, 0 to 1. */
  closes: (unit: number) => number;
  /** The last unit of the likely turn of this unit. */
  lastOf: (unit: number) => number;
  /**
   * Measures whether one person says `words` words in a row between unit `first` and `last`, 0 to
   * 1.
   */
  holds: (first: number, last: number) => number;
  /**
   * Counts the words that one person says in a row between two units, up to 1.6 times `minWords`:
   * fewer if another one is likely to speak within them.
   */
  countLongest: (first: number, last: number) => number;
}

const longShare = 1.6;

/** A talk in which turns are rarer than this has one speaker, as far as words show. */
const minShare = 0.08;

/**
 * If the words suggest this many times more turns than are marked, the marks are something else: a
 * dash in a sentence, a colon after a word.
 */
const maxUnmarkedRatio = 4;

/**
 * The probability of a turn between two neighbours with the same and with another voice, from the
 * precision and recall of voices of 1 to 4 s.
 */
const voiceTurn = { same: 0.06, other: 0.93 } as const;

/**
 * Estimates the probability that each unit begins a turn, by its voice and that of the unit before
 * it. Where one of them is not known, by the words; if the next known voice is another, a turn is
 * among the units between.
 * @returns also the number of borders between known voices; null if none is known
 */
function estimateVoiceTurns(
  units: readonly Unit[],
  likely: Float64Array | null,
): { values: Float64Array; known: number; turns: number } | null {
  const voiced = units.flatMap(({ speaker }, index) => (speaker === undefined ? [] : [index]));
  if (voiced.length < 2) return null;
  const values = Float64Array.from(units, (_, at) => likely?.[at] ?? Number(at === 0));
  let [known, turns] = [0, 0];
  voiced.slice(1).forEach((to, index) => {
    const from = voiced[index]!;
    const isOther = units[to]!.speaker !== units[from]!.speaker;
    turns += Number(isOther);
    if (to === from + 1) {
      known += 1;
      values[to] = isOther ? voiceTurn.other : voiceTurn.same;
    } else if (isOther) {
      for (let at = from + 1; at <= to; at++) values[at] = Math.max(values[at]!, 1 / (to - from));
    }
  });
  return { values, known, turns };
}

/**
 * Estimates the probability that each unit begins a turn, and whether that is sure; null if nothing
 * is known.
 */
function estimateTurnStarts(
  units: readonly Unit[],
  {
    english,
    cues,
    turnsHeard,
  }: { english: boolean; cues: CueModel | undefined; turnsHeard: boolean },
): { marked: boolean; values: Float64Array } | null {
  const marks =
    !turnsHeard && units.some(({ opensTurn }, index) => index > 0 && opensTurn)
      ? Float64Array.from(units, ({ opensTurn }, index) =>
          Number(index === 0 || opensTurn === true),
        )
      : null;
  const texts = units.map(({ text }) => text);
  const likely = english ? turnLikelihoods(texts, cues) : null;
  const share = likely ? computeMean(likely) : 0;
  if (marks && share <= Math.max(minShare, maxUnmarkedRatio * computeMean(marks)))
    return { marked: true, values: marks };
  const voices = estimateVoiceTurns(units, likely);
  const areMostKnown = voices !== null && voices.known >= (units.length - 1) / 2;
  if (voices && voices.turns > 0) return { marked: areMostKnown, values: voices.values };
  // One person speaks.
  if (areMostKnown) return null;
  return likely && share >= minShare ? { marked: false, values: likely } : null;
}

/**
 * @param options.turnsHeard as in `Transcript`
 * @param options.minWords words that one person must say in a row to hold the floor
 * @param options.floorDoubt as in `Settings`
 * @param options.cues the weights that predict speaker turns from words
 */
export function findSpeakerTurns(
  units: readonly Unit[],
  {
    language,
    turnsHeard = false,
    minWords,
    cues,
    floorDoubt: doubt = settings.floorDoubt,
  }: {
    language: string;
    turnsHeard?: boolean;
    minWords: number;
    cues?: CueModel | undefined;
    floorDoubt?: number;
  },
): SpeakerTurns {
  const known = estimateTurnStarts(units, { english: language === 'en', cues, turnsHeard });
  const marked = known?.marked ?? false;
  const likelihoods = known?.values ?? Float64Array.from(units, (_, index) => Number(index === 0));
  const starts = units.flatMap((_, index) => (likelihoods[index]! >= 0.5 ? [index] : []));
  const turnOf = new Int32Array(units.length);
  starts.forEach((from, turn) => turnOf.fill(turn, from, starts[turn + 1] ?? units.length));
  const holds = createFloorMeter(units, likelihoods, { minWords, doubt });
  const longWords = longShare * minWords;
  const holdsLong = createFloorMeter(units, likelihoods, { minWords: longWords, doubt });
  return {
    known: known !== null,
    marked,
    opens: (unit) => likelihoods[unit]!,
    closes: (unit) => likelihoods[unit + 1] ?? 1,
    lastOf: (unit) => (starts[turnOf[unit]! + 1] ?? units.length) - 1,
    holds,
    countLongest: (first, last) => longWords * holdsLong(first, last),
  };
}

/**
 * Measures how far one person says `minWords` words in a row, 0 to 1: less if they are fewer, or if
 * another person is likely to speak within them.
 */
function createFloorMeter(
  units: readonly Unit[],
  likelihoods: Float64Array,
  { minWords, doubt }: { minWords: number; doubt: number },
) {
  const words = sumRanges(units.map((unit) => unit.words));
  const worth = (from: number, to: number): number => {
    let [alone, best] = [1, 0];
    for (let at = from; at <= to; at++) {
      if (at > from) alone *= (1 - likelihoods[at]!) ** doubt;
      best = Math.max(best, alone * toUnitInterval(words(from, at + 1) / minWords));
    }
    return best;
  };
  /** The unit from which on enough words are said, for a run from each unit. */
  const reach = new Int32Array(units.length);
  let to = 0;
  const whole = Float64Array.from(units, (_, from) => {
    to = Math.max(to, from);
    while (to < units.length - 1 && words(from, to + 1) < minWords) to += 1;
    reach[from] = to;
    return worth(from, to);
  });
  return (first: number, last: number): number => {
    let best = 0;
    for (let from = first; from <= last; from++) {
      best = Math.max(best, reach[from]! <= last ? whole[from]! : worth(from, last));
    }
    return best;
  };
}

/** Lengths that distinguish turns: a nod, a remark, a sentence, an explanation. */
const lengthBounds = [1, 2, 3, 5, 8, 13, 20, 30];

const nameLength = (words: readonly unknown[]): string =>
  String(lengthBounds.find((bound) => words.length <= bound) ?? 'more');

/** Texts of up to this many words are cues as a whole. */
const maxWholeWords = 3;

/** The first words of a unit, and the last ones before it, that are cues wherever they stand. */
const wordsAfter = 8;
const wordsBefore = 4;

/** Number of texts around a border that show how people speak there: banter, or a speech. */
const textsAround = 8;

/** A text as cues see it. */
interface Said {
  words: string[];
  asks: boolean;
}

const nothing: Said = { words: [], asks: false };

export const readSaid = (texts: readonly string[]): Said[] =>
  texts.map((text) => ({ words: splitWords(text).map(stripWord), asks: text.endsWith('?') }));

/** The cues at the border before text `at`: the texts around it, and those around them. */
export function turnCuesAt(texts: readonly Said[], at: number): string[] {
  const around = [-2, -1, 0, 1].map((step) => texts[at + step] ?? nothing);
  const [earlier, said, next, later] = around.map(({ words }) => words) as [
    string[],
    string[],
    string[],
    string[],
  ];
  const [first = '', second = ''] = next;
  return [
    `first: ${first}`,
    `first two: ${first} ${second}`,
    `first before: ${said[0] ?? ''}`,
    `last before: ${said.at(-1) ?? ''}`,
    `both first: ${said[0] ?? ''} | ${first}`,
    `lengths: ${nameLength(said)} ${nameLength(next)}`,
    `questions: ${around.map(({ asks }) => (asks ? '?' : '.')).join('')}`,
    `short before: ${countShort(texts.slice(Math.max(0, at - textsAround), at))}`,
    `short after: ${countShort(texts.slice(at + 1, at + 1 + textsAround))}`,
    ...[...findPersons(said)].flatMap((one) => [
      `person before: ${one}`,
      ...[...findPersons(next.slice(0, wordsAfter))].map((other) => `persons: ${one} ${other}`),
    ]),
    ...listSentenceCues(said, ' before'),
    ...listSentenceCues(next, ''),
    ...listSentenceCues(earlier, ' two before'),
    ...listSentenceCues(later, ' after'),
    ...[...new Set(next.slice(0, wordsAfter))].map((word) => `word: ${word}`),
    ...[...new Set(said.slice(-wordsBefore))].map((word) => `word before: ${word}`),
  ];
}

/** Counts the short texts; 4 stands for more. */
const countShort = (texts: readonly Said[]): number =>
  Math.min(4, texts.filter(({ words }) => words.length <= maxWholeWords).length);

/** “I” after “you” is another person more often than “I” after “I”. */
const persons: ReadonlySet<string> = new Set(['i', 'you', 'we', 'they', 'he', 'she', 'it']);

const findPersons = (words: readonly string[]): Set<string> =>
  new Set(words.map((word) => word.replace(/'.*/, '')).filter((word) => persons.has(word)));

const listSentenceCues = (words: readonly string[], place: string): string[] => [
  `length${place}: ${nameLength(words)}`,
  ...(words.length <= maxWholeWords ? [`whole${place}: ${words.join(' ')}`] : []),
];

/** The probability that another person speaks after the border of two sentences. */
const turnModel = readCueModel(turnCues);

/** The share of borders at which a turn begins in the conversations that the weights come from. */
const usualShare = 0.31;

/** With fewer borders, nothing can be said about how often people take turns. */
const minBorders = 40;

const rounds = 30;

/**
 * Returns the probability that each text begins a turn, 0 to 1. How often people take turns in this
 * talk is found by expectation-maximisation (Saerens, Latinne and Decaestecker 2002): in a lecture,
 * hardly ever.
 * @returns null if there are too few texts
 */
export function turnLikelihoods(
  texts: readonly string[],
  model: CueModel = turnModel,
): Float64Array | null {
  if (texts.length <= minBorders) return null;
  const said = readSaid(texts);
  const odds = Float64Array.from(said, (_, index) =>
    index === 0 ? Infinity : Math.exp(computeLogOdds(model, turnCuesAt(said, index))),
  );
  const likelihoods = new Float64Array(texts.length).fill(1);
  let share = usualShare;
  for (let round = 0; round < rounds; round++) {
    const factor = (share / (1 - share)) * ((1 - usualShare) / usualShare);
    let sum = 0;
    for (let index = 1; index < texts.length; index++) {
      likelihoods[index] = 1 - 1 / (1 + factor * odds[index]!);
      sum += likelihoods[index]!;
    }
    share = sum / (texts.length - 1);
  }
  // The estimate goes too far: half way is nearer to what is true.
  const mid = Math.sqrt((share / (1 - share)) * (usualShare / (1 - usualShare)));
  const factor = mid * ((1 - usualShare) / usualShare);
  for (let index = 1; index < texts.length; index++) {
    likelihoods[index] = 1 - 1 / (1 + factor * odds[index]!);
  }
  return likelihoods;
}
