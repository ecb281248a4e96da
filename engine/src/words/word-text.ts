/** Scripts that write words without spaces between them. */
const spaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Glues marks of punctuation to the words that they follow, opening ones to the word that follows. */
function splitSpaceless(token: string): string[] {
  const words: string[] = [];
  let opening = '';
  for (const { segment, isWordLike } of segmenter.segment(token)) {
    if (isWordLike) {
      words.push(opening + segment);
      opening = '';
    } else if (words.length === 0 || /^[\p{Ps}\p{Pi}]$/u.test(segment)) opening += segment;
    else words[words.length - 1] += opening + segment;
  }
  if (opening) words.push((words.pop() ?? '') + opening);
  return words;
}

/** Longest word in letters: what is longer is cut off there, as no line could show it. */
const longestWord = 200;

const cutOff = (word: string): string =>
  word.length <= longestWord
    ? word
    : [...word.slice(0, 2 * longestWord)].slice(0, longestWord).join('');

/** The words of a text, each with its punctuation and at most 200 letters long. */
export const splitWords = (text: string): string[] =>
  text
    .split(/\s+/u)
    .filter((token) => /[\p{L}\p{N}]/u.test(token))
    .flatMap((token) => (spaceless.test(token) ? splitSpaceless(token) : [token]))
    .map(cutOff);

/** The parts of a text between which a line may end; marks that stand alone are kept, unlike in `splitWords`. */
export const breakable = (text: string): string[] =>
  text
    .split(/\s+/u)
    .filter(Boolean)
    .flatMap((token) => (spaceless.test(token) ? splitSpaceless(token) : [token]));

/** What stands between two neighbouring words: a space, or nothing where the script has none. */
export const glue = (left: string, right: string): string =>
  spaceless.test(left.slice(-1)) || spaceless.test(right[0] ?? '') ? '' : ' ';

/** Puts words together again, with spaces where their script has them. */
export const joinWords = (words: readonly string[]): string =>
  words.map((word, index) => (index > 0 ? glue(words[index - 1] ?? '', word) : '') + word).join('');

/** Letters that are about as wide as they are high. */
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60]/u;

/** Width of a text in letters of usual width: marks that stand on a letter have none, letters of East Asia are wide. */
export const textWidth = (text: string): number => {
  let width = 0;
  for (const letter of text) {
    if (!/\p{M}|\p{Cf}/u.test(letter)) width += wide.test(letter) ? 1.8 : 1;
  }
  return width;
};
