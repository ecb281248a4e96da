import type { Dimensions } from '../edit.ts';
import { captionLayout } from './caption-style.ts';
import type { Style } from '../style/style.ts';
import { brokenWord, continues } from '../words/long-words.ts';
import { phraseStarts } from '../words/phrases.ts';
import { breakable, joinWords, textWidth } from '../words/word-text.ts';

/** What stays on one line: phrases if they fit, otherwise words, or parts of long words. */
function unbroken(text: string, maxWidth: number): string[] {
  const words = breakable(text);
  const starts = phraseStarts(words);
  const phrases: string[][] = [];
  words.forEach((word, index) => {
    if (starts[index]) phrases.push([word]);
    else phrases.at(-1)!.push(word);
  });
  return phrases.flatMap((phrase) => {
    const whole = joinWords(phrase);
    const pieces = textWidth(whole) <= maxWidth ? [whole] : phrase;
    return pieces.flatMap((piece) => brokenWord(piece, maxWidth));
  });
}

/** Breaks a title between words into as many lines as it needs, of about the same width. */
export function balancedLines(text: string, maxWidth: number): string[] {
  const count = Math.max(1, Math.ceil(textWidth(text) / maxWidth));
  const lines: string[][] = [[]];
  let rest = textWidth(text);
  for (const word of unbroken(text, maxWidth)) {
    const line = lines.at(-1)!;
    const ideal = rest / Math.max(1, count - lines.length + 1);
    const width = textWidth(joinWords(line));
    const grown = textWidth(joinWords([...line, word]));
    const over = Math.abs(grown - ideal) > Math.abs(width - ideal);
    const ended = continues(line.at(-1) ?? '');
    if (line.length > 0 && (ended || grown > maxWidth || (over && lines.length < count))) {
      lines.push([word]);
      rest -= width + 1;
    } else line.push(word);
  }
  return lines.map(joinWords);
}

/** The lines of a title for an output size and a style. */
export function titleLines(text: string, dimensions: Dimensions, style: Style): string[] {
  const { sideMargin, titleSize } = captionLayout(dimensions, style);
  const fit = (dimensions.width - 2 * sideMargin) / (titleSize * 0.5);
  return balancedLines(text, Math.max(8, Math.floor(fit)));
}
