/** How likely each unit begins a turn, from its words and those before it. English only. */
import { bareWord, logOddsOf, type CueModel } from '../words/cue-model.ts';
import { splitWords } from '../words/word-text.ts';
import { turnCues } from './turn-cues.ts';

/** Lengths that tell turns apart: a nod, a remark, a sentence, an explanation. */
const lengthBounds = [1, 2, 3, 5, 8, 13, 20, 30];

const lengthOf = (words: readonly unknown[]): string =>
  String(lengthBounds.find((bound) => words.length <= bound) ?? 'more');

/** Texts of up to this many words are cues as a whole. */
const maxWholeWords = 3;

/** The first words of a unit, and the last ones before it, that are cues wherever they stand. */
const wordsAfter = 8;
const wordsBefore = 4;

/** So many texts before and after a border tell how people speak there: banter, or a speech. */
const textsAround = 8;

/** A text as cues see it. */
interface Said {
  words: string[];
  asks: boolean;
}

const nothing: Said = { words: [], asks: false };

export const saidOf = (texts: readonly string[]): Said[] =>
  texts.map((text) => ({ words: splitWords(text).map(bareWord), asks: text.endsWith('?') }));

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
    `lengths: ${lengthOf(said)} ${lengthOf(next)}`,
    `questions: ${around.map(({ asks }) => (asks ? '?' : '.')).join('')}`,
    `short before: ${shortOf(texts.slice(Math.max(0, at - textsAround), at))}`,
    `short after: ${shortOf(texts.slice(at + 1, at + 1 + textsAround))}`,
    ...[...personsIn(said)].flatMap((one) => [
      `person before: ${one}`,
      ...[...personsIn(next.slice(0, wordsAfter))].map((other) => `persons: ${one} ${other}`),
    ]),
    ...sentenceCues(said, ' before'),
    ...sentenceCues(next, ''),
    ...sentenceCues(earlier, ' two before'),
    ...sentenceCues(later, ' after'),
    ...[...new Set(next.slice(0, wordsAfter))].map((word) => `word: ${word}`),
    ...[...new Set(said.slice(-wordsBefore))].map((word) => `word before: ${word}`),
  ];
}

/** How many of the texts are short; 4 stands for more. */
const shortOf = (texts: readonly Said[]): number =>
  Math.min(4, texts.filter(({ words }) => words.length <= maxWholeWords).length);

/** “I” after “you” is another person more often than “I” after “I”. */
const persons: ReadonlySet<string> = new Set(['i', 'you', 'we', 'they', 'he', 'she', 'it']);

const personsIn = (words: readonly string[]): Set<string> =>
  new Set(words.map((word) => word.replace(/'.*/, '')).filter((word) => persons.has(word)));

const sentenceCues = (words: readonly string[], place: string): string[] => [
  `length${place}: ${lengthOf(words)}`,
  ...(words.length <= maxWholeWords ? [`whole${place}: ${words.join(' ')}`] : []),
];

/** How often a turn begins at a border in the conversations that the weights come from. */
const usualShare = 0.31;

/** With fewer borders, nothing can be said about how often people take turns. */
const minBorders = 40;

const rounds = 30;

/**
 * How likely each text begins a turn, 0 to 1. How often people take turns in this talk is found by
 * expectation-maximisation (Saerens, Latinne and Decaestecker 2002): in a lecture, hardly ever.
 * @returns null if there are too few texts
 */
export function turnLikelihoods(
  texts: readonly string[],
  model: CueModel = turnCues,
): Float64Array | null {
  if (texts.length <= minBorders) return null;
  const said = saidOf(texts);
  const odds = Float64Array.from(said, (_, index) =>
    index === 0 ? Infinity : Math.exp(logOddsOf(model, turnCuesAt(said, index))),
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
