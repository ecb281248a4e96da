import type { Facts } from './features.ts';
import { effectsOf, type Features } from './score.ts';

/** What the sentences of an explanation may quote. */
export interface Evidence extends Facts {
  length: number;
  target: number;
  firstSentence: string;
}

const quoted = (text: string): string =>
  `“${text.length > 60 ? `${text.slice(0, 57).replace(/\s+\S*$/, '')}…` : text}”`;

/**
 * An explanation of what is shown in another language: where it quotes `said`, it quotes the translation, or says that the words are
 * the source's where that is not known.
 */
export const inTranslation = (
  explanation: string,
  said: string,
  translation: string | null,
): string => {
  if (!explanation.includes(quoted(said))) return explanation;
  return translation === null
    ? `${explanation} The quotation is in the source’s own language.`
    : explanation.replace(quoted(said), () => quoted(translation));
};

const counted = (count: number, one: string, many: string): string =>
  count === 1 ? one : `${count} ${many}`;

const seconds = ({ length, target }: Evidence): string =>
  `${Math.round(length)} s of the wanted ${Math.round(target)} s`;

type Say = (evidence: Evidence) => string;

/** Ends of a sentence that begins with “It”. */
const strengths: Readonly<Record<string, Say>> = {
  hook: ({ firstSentence }) => `opens with a hook, ${quoted(firstSentence)}`,
  substance: () => 'says something in nearly each sentence',
  question: ({ questions }) => `asks ${counted(questions, 'a question', 'questions')}`,
  number: ({ numbers }) => `names ${counted(numbers, 'a number', 'numbers')}`,
  contrast: () => 'sets one thing against another',
  loudness: ({ louder }) => `is ${louder.toFixed(1)} dB louder than the video usually is`,
  reaction: () => 'is met with laughter, applause or another outburst',
  pace: ({ pace }) => `is spoken faster than the rest (${pace.toFixed(1)} words a second)`,
  speech: () => 'has hardly a pause',
  unity: () => 'stays with one subject',
  movement: ({ cuts }) =>
    cuts > 0 ? `has a lively picture (${counted(cuts, 'a cut', 'cuts')})` : 'has a lively picture',
  opening: () => 'begins where the thought begins',
  ending: () => 'ends where the thought ends',
  length: (evidence) => `lasts ${seconds(evidence)}`,
};

const weaknesses: Readonly<Record<string, Say>> = {
  hook: () => 'its first sentence is no strong hook',
  substance: () => 'much of it says little',
  loudness: ({ louder }) =>
    louder < -0.3 ? 'it is quieter than the rest' : 'it is hardly louder than the rest',
  pace: ({ pace }) => `it is spoken slowly (${pace.toFixed(1)} words a second)`,
  speech: () => 'it has long pauses',
  unity: () => 'it goes from one subject to another',
  movement: () => 'its picture hardly changes',
  opening: () => 'it begins in the middle of something',
  ending: () => 'it stops before the thought is done',
  length: (evidence) =>
    `it is ${evidence.length < evidence.target ? 'short' : 'long'} at ${seconds(evidence)}`,
};

/** Smallest effect on the score that is worth a word. */
const notable = 0.01;

/** What the explanation names, by effect on the score: up to three features that raise it most, and the one that lowers it most. */
export function named(features: Features): { strong: string[]; weak: string | null } {
  const effects = effectsOf(features);
  const strong = effects.filter(([name, effect]) => effect >= notable && name in strengths);
  const weak = effects.findLast(([name]) => name in weaknesses);
  return {
    strong: strong.slice(0, 3).map(([name]) => name),
    weak: weak && weak[1] <= -notable ? weak[0] : null,
  };
}

const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

/** One or two sentences made of the features themselves: those that raise the score most, then what lowers it most. */
export function explain(features: Features, evidence: Evidence): string {
  const { strong, weak } = named(features);
  // The hook is named first where there is one: it is what one notices.
  const inOrder = strong.toSorted((a, b) => Number(b === 'hook') - Number(a === 'hook'));
  const sentences =
    strong.length > 0
      ? [`It ${listed(inOrder.map((name) => strengths[name]!(evidence)))}.`]
      : ['Nothing in it stands out from the rest of the video.'];
  if (weak) sentences.push(`Against it: ${weaknesses[weak]!(evidence)}.`);
  return sentences.join(' ');
}
