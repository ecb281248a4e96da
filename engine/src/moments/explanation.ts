import type { ClipMeasures } from './features.ts';
import { effectsOf, type Features } from './score.ts';

/** The values that an explanation can mention. Lengths are in seconds. */
export interface Evidence extends ClipMeasures {
  length: number;
  target: number;
  firstSentence: string;
}

const quoted = (text: string): string =>
  `“${text.length > 60 ? `${text.slice(0, 57).replace(/\s+\S*$/, '')}…` : text}”`;

/**
 * Adapts an explanation to a translated clip. A quote of `said` is replaced by `translation`. If
 * that is null, a sentence says that the quote is in the original language.
 */
export function inTranslation(
  explanation: string,
  said: string,
  translation: string | null,
): string {
  if (!explanation.includes(quoted(said))) return explanation;
  return translation === null
    ? `${explanation} The quote is in the original language of the video.`
    : explanation.replace(quoted(said), () => quoted(translation));
}

const counted = (count: number, one: string, many: string): string =>
  count === 1 ? one : `${count} ${many}`;

const inSeconds = (value: number): string => counted(Math.round(value), '1 second', 'seconds');

type Say = (evidence: Evidence) => string;

/** Parts of a sentence that begins with “It”. */
const strengths: Readonly<Record<string, Say>> = {
  hook: ({ firstSentence }) => `opens with a strong hook (${quoted(firstSentence)})`,
  substance: () => 'has something to say in nearly every sentence',
  question: ({ questions }) => `asks ${counted(questions, 'a question', 'questions')}`,
  number: ({ numbers }) => `mentions ${counted(numbers, 'a number', 'numbers')}`,
  contrast: () => 'makes a clear contrast',
  loudness: ({ louder }) => `is ${louder.toFixed(1)} dB louder than usual in this video`,
  reaction: () => 'gets laughter, applause or another strong reaction',
  pace: ({ pace }) => `is spoken faster than the rest (${pace.toFixed(1)} words per second)`,
  speech: () => 'has almost no pauses',
  unity: () => 'stays on one topic',
  movement: ({ cuts }) =>
    cuts > 0 ? `has a lively picture (${counted(cuts, 'a cut', 'cuts')})` : 'has a lively picture',
  opening: () => 'starts at the beginning of a thought',
  ending: () => 'ends with a finished thought',
  length: ({ length }) => `is close to the length you asked for (${inSeconds(length)})`,
};

const weaknesses: Readonly<Record<string, Say>> = {
  hook: () => 'its first sentence is not a strong hook',
  substance: () => 'much of it does not say a lot',
  loudness: ({ louder }) =>
    louder < -0.3 ? 'it is quieter than the rest' : 'it is not much louder than the rest',
  pace: ({ pace }) => `it is spoken slowly (${pace.toFixed(1)} words per second)`,
  speech: () => 'it has long pauses',
  unity: () => 'it changes from one topic to another',
  movement: () => 'its picture hardly changes',
  opening: () => 'it starts in the middle of a thought',
  ending: () => 'it stops before the thought is finished',
  length: ({ length, target }) =>
    `at ${inSeconds(length)} it is ${length < target ? 'shorter' : 'longer'} than the ${inSeconds(target)} you asked for`,
};

/** A smaller effect on the score is not mentioned. */
const minNamedEffect = 0.01;

/**
 * The features to mention: up to three that raise the score most, and the one that lowers it most.
 */
export function named(features: Features): { strong: string[]; weak: string | null } {
  const effects = effectsOf(features);
  const strong = effects.filter(([name, effect]) => effect >= minNamedEffect && name in strengths);
  const weak = effects.findLast(([name]) => name in weaknesses);
  return {
    strong: strong.slice(0, 3).map(([name]) => name),
    weak: weak && weak[1] <= -minNamedEffect ? weak[0] : null,
  };
}

const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

/**
 * One or two sentences about the features: those that raise the score most, then the one that
 * lowers it most.
 */
export function explain(features: Features, evidence: Evidence): string {
  const { strong, weak } = named(features);
  // The hook comes first, because viewers notice it first.
  const inOrder = strong.toSorted((a, b) => Number(b === 'hook') - Number(a === 'hook'));
  const sentences =
    strong.length > 0
      ? [`It ${listed(inOrder.map((name) => strengths[name]!(evidence)))}.`]
      : ['It does not stand out from the rest of the video.'];
  if (weak) sentences.push(`One weakness: ${weaknesses[weak]!(evidence)}.`);
  return sentences.join(' ');
}
