import { type Dimensions, type CaptionPosition } from '../edit.ts';
import { captionLayout } from './caption-style.ts';
import type { Style } from '../style/style.ts';

/**
 * The place of an emoji in pixels: above the middle of the captions, or below captions at the top.
 * Its shape is kept.
 */
export function emojiPlace(
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
