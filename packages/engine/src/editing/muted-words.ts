import type { EditInputs, MutedWords } from './edit-inputs.ts';

const wordPattern = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’][\p{L}\p{M}\p{N}]+)*/gu;

const normalizeWord = (text: string): string =>
  text.normalize('NFC').toLowerCase().replaceAll('’', "'");

/** Every change of an edit compares all its words, so a list is prepared once. */
const prepared = new WeakMap<MutedWords, (word: string) => boolean>();

function getMatcher(list: MutedWords): (word: string) => boolean {
  const known = prepared.get(list);
  if (known) return known;
  const folded = list.words.map(normalizeWord);
  const whole = new Set(folded);
  const stems = folded.filter((word) => word.endsWith('*')).map((word) => word.slice(0, -1));
  const isListed = (text: string): boolean => {
    const word = normalizeWord(text);
    return whole.has(word) || stems.some((stem) => word.startsWith(stem));
  };
  prepared.set(list, isListed);
  return isListed;
}

/** Whether a text has a word of the list. */
export const hasListedWord = (text: string, list: MutedWords | undefined): boolean =>
  list !== undefined && (text.normalize('NFC').match(wordPattern) ?? []).some(getMatcher(list));

/** The first letter of a word, and an asterisk for each further one. */
const maskWord = (word: string): string => word.replace(/(?<!^)[\p{L}\p{N}'’]\p{M}*/gu, '*');

/** Masks every word of a text, but no punctuation. */
export const maskWords = (text: string): string =>
  text.normalize('NFC').replace(wordPattern, maskWord);

/** Masks the words of a text that are in the list. */
export function maskListedWords(text: string, list: MutedWords | undefined): string {
  if (!list || !hasListedWord(text, list)) return text;
  const isListed = getMatcher(list);
  return text
    .normalize('NFC')
    .replace(wordPattern, (word) => (isListed(word) ? maskWord(word) : word));
}

/** Returns the inputs with a list in place of theirs. The texts that were made are masked by it. */
export function withMutedWords(inputs: EditInputs, list: MutedWords | undefined): EditInputs {
  const { mutedWords: _, ...options } = inputs.options;
  const mask = (text: string): string => maskListedWords(text, list);
  const { titles, description, tags } = inputs.post;
  return {
    ...inputs,
    title: mask(inputs.title),
    post: {
      ...inputs.post,
      titles: titles.map(mask),
      description: description === null ? null : mask(description),
      tags: tags.map(mask),
    },
    options: { ...options, ...(list && { mutedWords: list }) },
  };
}
