import type { Dimensions } from 'clip-kit/contract';

/** Sizes in pixels of the output that captions and title are laid out with. */
export interface CaptionStyle {
  /** Height of the captions' letters (ASS font size). */
  captionSize: number;
  titleSize: number;
  outline: number;
  /** Free room at either side. */
  sideMargin: number;
  /** From the bottom edge to the captions' lower edge. */
  captionMargin: number;
  /** From the top edge to the title's upper edge. */
  titleMargin: number;
}

/** Share of the width that the text may take. */
const textShare = 0.84;
/** Mean width of a letter, as a share of the font size; bold sans faces, wide ones counted in. */
const letterWidth = 0.56;

/** The style for an output size: captions in the lower third, above where players put their controls. */
export function captionStyle({ width, height }: Dimensions): CaptionStyle {
  const side = Math.min(width, height);
  const captionSize = Math.max(10, Math.round(side * 0.084));
  const tall = height > width;
  return {
    captionSize,
    titleSize: Math.max(9, Math.round(side * 0.066)),
    outline: Math.max(1, Math.round(captionSize * 0.075)),
    sideMargin: Math.round((width * (1 - textShare)) / 2),
    captionMargin: Math.round(height * (tall ? 0.24 : 0.09)),
    titleMargin: Math.round(height * (tall ? 0.09 : 0.07)),
  };
}

/** Letters that fit on one caption line; 12 to 34. */
export function charactersPerLine(dimensions: Dimensions): number {
  const { captionSize } = captionStyle(dimensions);
  const fit = Math.floor((dimensions.width * textShare) / (captionSize * letterWidth));
  return Math.min(34, Math.max(12, fit));
}
