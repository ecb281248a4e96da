import type { Features } from './features.ts';

/** What the sentences of an explanation may quote. */
export interface Evidence {
  length: number;
  target: number;
  firstSentence: string;
  numbers: number;
  wordsPerSecond: number;
}

const quoted = (text: string): string =>
  `“${text.length > 60 ? `${text.slice(0, 57).replace(/\s+\S*$/, '')}…` : text}”`;

type Say = (value: number, evidence: Evidence) => string;

const strengths: Readonly<Record<string, Say>> = {
  hook: (_, { firstSentence }) => `It opens with a hook: ${quoted(firstSentence)}`,
  question: () => 'It asks a question that makes one wait for the answer.',
  number: (_, { numbers }) =>
    numbers > 1
      ? `It is concrete: ${numbers} numbers are named.`
      : 'It is concrete: a number is named.',
  contrast: () => 'It sets one thing against another.',
  loudness: () => 'The voice rises above its usual level.',
  pace: (_, { wordsPerSecond }) =>
    `It moves at a good pace, ${wordsPerSecond.toFixed(1)} words a second.`,
  speech: () => 'There is hardly a pause in it.',
  unity: () => 'It stays with one subject.',
  movement: () => 'The picture changes often.',
  opening: () => 'It begins cleanly and needs nothing that went before.',
  ending: () => 'It ends on a finished thought.',
  length: (_, { length, target }) =>
    `At ${Math.round(length)} s it is close to the wanted ${Math.round(target)} s.`,
};

const weaknesses: Readonly<Record<string, Say>> = {
  hook: () => 'its first sentence is no strong hook',
  pace: (_, { wordsPerSecond }) => (wordsPerSecond < 2.8 ? 'it is slow' : 'it is spoken very fast'),
  speech: () => 'it has long pauses',
  unity: () => 'it goes from one subject to another',
  opening: () => 'it leans on what was said before',
  ending: () => 'it stops before the thought is done',
  length: (_, { length, target }) =>
    length < target
      ? `it is short at ${Math.round(length)} s of the wanted ${Math.round(target)} s`
      : `it is long at ${Math.round(length)} s for the wanted ${Math.round(target)} s`,
};

/** Sentences made of the features themselves: the three strongest, then the weakest if it is weak. */
export function explain(features: Features, evidence: Evidence): string {
  const byValue = Object.entries(features).toSorted((a, b) => b[1] - a[1]);
  // The hook is named first where there is one: it is what one notices.
  const strong = byValue
    .filter(([name, value]) => value >= (name === 'hook' ? 0.45 : 0.6) && name in strengths)
    .toSorted((a, b) => Number(b[0] === 'hook') - Number(a[0] === 'hook'))
    .slice(0, 3);
  const weak = byValue.toReversed().find(([name, value]) => value < 0.4 && name in weaknesses);
  const sentences = strong.map(([name, value]) => strengths[name]!(value, evidence));
  if (weak) sentences.push(`Against it: ${weaknesses[weak[0]]!(weak[1], evidence)}.`);
  if (sentences.length === 0)
    sentences.push('Nothing in it stands out from the rest of the video.');
  return sentences.map((text) => (/[.?!…”]$/u.test(text) ? text : `${text}.`)).join(' ');
}
