import type { Dimensions } from '../edit.ts';
import type { Style } from '../style/style.ts';

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
const safe = (tall: boolean) =>
  tall
    ? { side: 0.1, bottom: 0.24, top: 0.09, belowTitle: 0.27 }
    : { side: 0.08, bottom: 0.09, top: 0.07, belowTitle: 0.28 };

/** The layout of a style for an output size. */
export function captionLayout({ width, height }: Dimensions, style: Style): CaptionLayout {
  const side = Math.min(width, height);
  const margins = safe(height > width);
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
export function charactersPerLine(dimensions: Dimensions, style: Style): number {
  const { captionSize, sideMargin } = captionLayout(dimensions, style);
  const { weight, capitals } = style.captions;
  const letter = captionSize * letterWidth[weight] * (capitals ? capitalWidth : 1);
  return Math.min(34, Math.max(6, Math.floor((dimensions.width - 2 * sideMargin) / letter)));
}
