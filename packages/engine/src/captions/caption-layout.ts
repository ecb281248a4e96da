import type { CaptionPosition, Dimensions } from '../edit.ts';
import type { Style } from '../style/style.ts';
import { splitWord, isContinued, findPhraseStarts } from '../words/line-breaks.ts';
import { splitBreakable, joinWords, measureTextWidth } from '../words/word-text.ts';

/** Sizes and margins of captions and title, in output pixels. */
export interface CaptionLayout {
  /** Font size of captions, as in ASS. */
  captionSize: number;
  titleSize: number;
  /** Free space at the left and the right. */
  sideMargin: number;
  /** From the bottom edge to the lower edge of captions at the bottom. */
  lowerMargin: number;
  /** From the top edge to the upper edge of captions at the top. The title fits above them. */
  upperMargin: number;
  /** From the top edge to the title's upper edge. */
  titleMargin: number;
  /** From the bottom edge to the lower edge of a title at the bottom. Captions fit below it. */
  lowTitleMargin: number;
}

/** Mean width of a letter, as a share of the font size. */
const letterWidth = { regular: 0.43, bold: 0.46 } as const;
/** Width of capitals / width of small letters. */
const capitalWidth = 1.2;

/**
 * The edges that players and platforms cover with controls, as shares of the output. Upright
 * players have buttons at the right, and name and text at the bottom; others have a control bar.
 */
const getSafeEdges = (tall: boolean) =>
  tall
    ? { side: 0.1, bottom: 0.24, top: 0.09, belowTitle: 0.27 }
    : { side: 0.08, bottom: 0.09, top: 0.07, belowTitle: 0.28 };

/** The layout of a style for an output size. */
export function captionLayout({ width, height }: Dimensions, style: Style): CaptionLayout {
  const side = Math.min(width, height);
  const margins = getSafeEdges(height > width);
  const captionSize = Math.max(10, Math.round(side * style.captions.size));
  return {
    captionSize,
    titleSize: Math.max(9, Math.round(side * style.title.size)),
    sideMargin: Math.round(width * margins.side),
    lowerMargin: Math.round(height * margins.bottom),
    upperMargin: Math.round(height * margins.belowTitle),
    titleMargin: Math.round(height * margins.top),
    lowTitleMargin: Math.round(height * margins.bottom) + Math.round(captionSize * 1.8),
  };
}

/** The number of letters of usual width that fit on a caption line, 6 to 34. */
export function countCharactersPerLine(dimensions: Dimensions, style: Style): number {
  const { captionSize, sideMargin } = captionLayout(dimensions, style);
  const { weight, capitals } = style.captions;
  const letter = captionSize * letterWidth[weight] * (capitals ? capitalWidth : 1);
  return Math.min(34, Math.max(6, Math.floor((dimensions.width - 2 * sideMargin) / letter)));
}

/**
 * Returns the parts that stay on one line: phrases if they fit, otherwise words, or parts of long
 * words.
 */
function splitUnbreakable(text: string, maxWidth: number): string[] {
  const words = splitBreakable(text);
  const starts = findPhraseStarts(words);
  const phrases: string[][] = [];
  words.forEach((word, index) => {
    if (starts[index]) phrases.push([word]);
    else phrases.at(-1)!.push(word);
  });
  return phrases.flatMap((phrase) => {
    const whole = joinWords(phrase);
    const parts = measureTextWidth(whole) <= maxWidth ? [whole] : phrase;
    return parts.flatMap((part) => splitWord(part, maxWidth));
  });
}

/** Breaks a title between words into as many lines as it needs, of about the same width. */
export function balanceLines(text: string, maxWidth: number): string[] {
  const count = Math.max(1, Math.ceil(measureTextWidth(text) / maxWidth));
  const lines: string[][] = [[]];
  let rest = measureTextWidth(text);
  for (const word of splitUnbreakable(text, maxWidth)) {
    const line = lines.at(-1)!;
    const ideal = rest / Math.max(1, count - lines.length + 1);
    const width = measureTextWidth(joinWords(line));
    const grown = measureTextWidth(joinWords([...line, word]));
    const over = Math.abs(grown - ideal) > Math.abs(width - ideal);
    const ended = isContinued(line.at(-1) ?? '');
    if (line.length > 0 && (ended || grown > maxWidth || (over && lines.length < count))) {
      lines.push([word]);
      rest -= width + 1;
    } else line.push(word);
  }
  return lines.map(joinWords);
}

/** The lines of a title for an output size and a style. */
export function breakTitle(text: string, dimensions: Dimensions, style: Style): string[] {
  const { sideMargin, titleSize } = captionLayout(dimensions, style);
  const fit = (dimensions.width - 2 * sideMargin) / (titleSize * 0.5);
  return balanceLines(text, Math.max(8, Math.floor(fit)));
}

/**
 * The place of an emoji in pixels: above the middle of the captions, or below captions at the top.
 * Its shape is kept.
 */
export function placeEmoji(
  image: Dimensions,
  size: Dimensions,
  style: Style,
  position: CaptionPosition = style.captions.position,
): { x: number; y: number; width: number; height: number } {
  const layout = captionLayout(size, style);
  const letters = layout.captionSize;
  const height = Math.max(2, Math.round(letters * 1.8));
  const width = Math.max(2, Math.round((height * image.width) / image.height));
  const y = {
    lower: size.height - layout.lowerMargin - Math.round(letters * 1.6) - height,
    middle: Math.round(size.height / 2 - letters * 0.9) - height,
    upper: layout.upperMargin + Math.round(letters * 1.6),
  }[position];
  return { x: Math.round((size.width - width) / 2), y: Math.max(0, y), width, height };
}
