import type { Word } from './analysis.ts';
import type { CaptionLine } from './plan.ts';
import { joinWords } from './word-text.ts';

/** Pause in seconds after which a new line begins. */
const pause = 0.6;
/** Longest time in seconds that a line stays after its last word. */
const linger = 0.5;

const endsClause = (text: string): boolean => /[.!?…,;:—。！？、，]["”’)]*$/u.test(text);

/**
 * Words of the output grouped into short lines: two to five words, at most `maxLength` characters, ended by a pause or a
 * mark of punctuation where one is near. Lines never overlap.
 */
export function captionLines(words: readonly Word[], maxLength: number): CaptionLine[] {
  const groups: Word[][] = [];
  let group: Word[] = [];
  words.forEach((word, index) => {
    const grown = joinWords([...group, word].map(({ text }) => text));
    const before = group.at(-1);
    const breaks =
      before !== undefined &&
      (grown.length > maxLength || group.length >= 5 || word.start - before.end >= pause);
    if (breaks) {
      groups.push(group);
      group = [];
    }
    group.push(word);
    const sentenceEnd = /[.!?…。！？]["”’)]*$/u.test(word.text);
    const next = words[index + 1];
    if (next && (sentenceEnd || (group.length >= 3 && endsClause(word.text)))) {
      groups.push(group);
      group = [];
    }
  });
  if (group.length > 0) groups.push(group);
  return groups.map((held, index) => {
    const start = held[0]?.start ?? 0;
    const end = held.at(-1)?.end ?? start;
    const next = groups[index + 1]?.[0]?.start ?? Infinity;
    return { start, end: Math.min(end + linger, next), words: held };
  });
}
