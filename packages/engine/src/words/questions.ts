/** Which sentences are questions, in English text without marks. */
import { bareWord, logOddsOf, probabilityOf, type CueModel } from './cue-model.ts';
import { questionCues } from './question-cues.ts';
import { splitWords } from './word-text.ts';

/** Longer sentences are as long as each other. */
const maxWords = 20;

/** The cues of a sentence and of the one after it, which may be the answer. */
export function questionCuesOf(text: string, after: string): string[] {
  const words = splitWords(text).map(bareWord);
  const next = splitWords(after).map(bareWord);
  const [first = '', second = ''] = words;
  return [
    `first: ${first}`,
    `first two: ${first} ${second}`,
    `last: ${words.at(-1) ?? ''}`,
    `last two: ${words.at(-2) ?? ''} ${words.at(-1) ?? ''}`,
    `length: ${Math.min(maxWords, words.length)}`,
    `next: ${next[0] ?? ''}`,
    `next two: ${next[0] ?? ''} ${next[1] ?? ''}`,
    `next length: ${Math.min(maxWords, next.length)}`,
    ...[...new Set(words)].map((word) => `word: ${word}`),
    ...[...new Set(words.slice(1).map((word, at) => `pair: ${words[at]!} ${word}`))],
  ];
}

/** Whether a sentence is more likely a question than not. */
export const isQuestion = (text: string, after: string, model: CueModel = questionCues): boolean =>
  probabilityOf(logOddsOf(model, questionCuesOf(text, after))) >= 0.5;
