import type { Dimensions } from '../edit.ts';
import { captionLayout } from './caption-style.ts';
import type { Style } from '../style/style.ts';
import { breakable, joinWords, textWidth } from '../words/word-text.ts';

/** Breaks a title into lines of about the same width, as many as it needs, between its words. */
export function balancedLines(text: string, longest: number): string[] {
  const count = Math.max(1, Math.ceil(textWidth(text) / longest));
  const lines: string[][] = [[]];
  let rest = textWidth(text);
  for (const word of breakable(text)) {
    const line = lines.at(-1)!;
    const ideal = rest / Math.max(1, count - lines.length + 1);
    const width = textWidth(joinWords(line));
    const grown = textWidth(joinWords([...line, word]));
    const over = Math.abs(grown - ideal) > Math.abs(width - ideal);
    if (line.length > 0 && (grown > longest || (over && lines.length < count))) {
      lines.push([word]);
      rest -= width + 1;
    } else line.push(word);
  }
  return lines.map(joinWords);
}

/** The lines in which a title is set. */
export function titleLines(text: string, dimensions: Dimensions, style: Style): string[] {
  const { sideMargin, titleSize } = captionLayout(dimensions, style);
  const fit = (dimensions.width - 2 * sideMargin) / (titleSize * 0.5);
  return balancedLines(text, Math.max(8, Math.floor(fit)));
}
