import type { CaptionLine, Dimensions, Edit } from '../edit.ts';
import type { Word } from '../facts.ts';
import { defaultStyle, type Style } from '../style/style.ts';
import { joinWords } from '../words/word-text.ts';
import { captionLines } from './caption-lines.ts';
import { placedText } from './caption-place.ts';
import { charactersPerLine } from './caption-style.ts';

/** Groups words into caption lines that fit the style's font size. */
export function linesOf(
  words: readonly Word[],
  {
    dimensions,
    duration,
    style = defaultStyle,
    language = null,
  }: {
    dimensions: Dimensions;
    duration: number;
    style?: Style | undefined;
    language?: string | null;
  },
): CaptionLine[] {
  const fits = charactersPerLine(dimensions, style);
  const lines = captionLines(words, fits, style.captions.words, language);
  return lines.map((line) => ({ ...line, end: Math.min(line.end, duration) }));
}

/** The same edit with other words as captions, in output time. */
export const reworded = (edit: Edit, words: readonly Word[]): Edit =>
  placedText({ ...edit, captions: linesOf(words, edit) });

/** The text of a line, without marks. */
export const captionText = ({ words }: CaptionLine): string =>
  joinWords(words.map(({ text }) => text));
