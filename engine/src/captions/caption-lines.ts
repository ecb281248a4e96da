import type { Word } from '../facts.ts';
import type { CaptionLine } from '../edit.ts';
import { joinWords, textWidth } from '../words/word-text.ts';

/** Pause in seconds after which a new line begins. */
const pause = 0.6;
/** Longest time in seconds that a line stays after its last word. */
const linger = 0.5;

/** How much longer than a line two words may be, so that neither stands alone: they are made smaller. */
export const squeeze = 1.5;

const endsSentence = (text: string): boolean => /[.!?…。！？؟]["”’)]*$/u.test(text);
const endsClause = (text: string): boolean => /[,;:—、，]["”’)]*$/u.test(text);

/** Words said in one breath: no pause and no end of a sentence between them. */
function breaths(words: readonly Word[]): Word[][] {
  const groups: Word[][] = [];
  words.forEach((word, index) => {
    const before = words[index - 1];
    const fresh = !before || word.start - before.end >= pause || endsSentence(before.text);
    if (fresh) groups.push([]);
    groups.at(-1)?.push(word);
  });
  return groups;
}

/**
 * Breaks a breath into lines of one to `mostWords` words that are at most `maxLength` long (a longer word stands alone), as even
 * as can be, rather after a comma, and with no word alone where that can be helped: two words may be longer by `squeeze`.
 */
function breakEvenly(words: readonly Word[], maxLength: number, mostWords: number): Word[][] {
  const cost: number[] = [0];
  const from: number[] = [0];
  for (let end = 1; end <= words.length; end++) {
    cost[end] = Infinity;
    for (let start = end - 1; start >= Math.max(0, end - mostWords); start--) {
      const length = textWidth(joinWords(words.slice(start, end).map(({ text }) => text)));
      const count = end - start;
      if (length > maxLength * (count === 2 ? squeeze : 1) && count > 1) break;
      const ragged = (1 - length / maxLength) ** 2;
      const squeezed = count > 1 && length > maxLength ? 0.35 : 0;
      const alone = count === 1 && words.length > 1 ? 0.6 : 0;
      const clause = end < words.length && endsClause(words[end - 1]!.text) ? -0.25 : 0;
      const sum = cost[start]! + ragged + squeezed + alone + clause + 0.15;
      if (sum < (cost[end] ?? Infinity)) {
        cost[end] = sum;
        from[end] = start;
      }
    }
  }
  const lines: Word[][] = [];
  for (let end = words.length; end > 0; end = from[end]!) {
    lines.push(words.slice(from[end], end));
  }
  return lines.reverse();
}

/**
 * Words of the output grouped into short lines: up to `mostWords` words, at most `maxLength` letters of usual width, never over a pause or
 * the end of a sentence; two words that would stand alone may be half as long again. Lines never overlap.
 */
export function captionLines(
  words: readonly Word[],
  maxLength: number,
  mostWords = 5,
): CaptionLine[] {
  const groups = breaths(words).flatMap((breath) => breakEvenly(breath, maxLength, mostWords));
  return groups.map((held, index) => {
    const start = held[0]?.start ?? 0;
    const end = held.at(-1)?.end ?? start;
    const next = groups[index + 1]?.[0]?.start ?? Infinity;
    return { start, end: Math.min(end + linger, next), words: held };
  });
}
