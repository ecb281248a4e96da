import type { Dimensions } from '../edit.ts';
import type { Focus, Span } from '../facts.ts';
import { largestWindow } from './layout.ts';
import { type Framing } from '../edit.ts';
import { wholePixels } from './window-keys.ts';

/** Rounds down to an even number, 16 or more: H.264 with 4:2:0 colour has no odd sizes. */
const even = (pixels: number): number => Math.max(16, pixels - (pixels % 2));

/** The requested size, with odd sides one pixel smaller. */
export const encodable = ({ width, height }: Dimensions): Dimensions => ({
  width: even(width),
  height: even(height),
});

function median(values: number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}

/** Whether the output has the source's shape, except for a pixel. */
function sameShape(source: Dimensions, output: Dimensions): boolean {
  const window = largestWindow(source, output);
  return source.width - window.width < 2 && source.height - window.height < 2;
}

/** Whether a framing cuts off a part of the source's picture. */
export const isCut = (source: Dimensions, framing: Framing): boolean =>
  framing.mode === 'crop' &&
  (source.width - framing.width >= 2 || source.height - framing.height >= 2);

/**
 * A first guess, before anyone looks at the clip's pictures. With `reframe`: the largest window
 * with the output's shape, at the median of the keyframes' focus points. Without: the whole picture
 * on a blurred background.
 */
export function firstFraming(
  source: Dimensions,
  output: Dimensions,
  options: { reframe: boolean; focus: readonly Focus[]; ranges: readonly Span[] },
): Framing {
  const { width, height } = largestWindow(source, output);
  if (!options.reframe && !sameShape(source, output)) return { mode: 'fit' };
  const seen = options.focus.filter(({ time }) =>
    options.ranges.some((range) => time >= range.start && time < range.end),
  );
  const place = (room: number, size: number, share: number) =>
    Math.round(Math.min(Math.max(share * room - size / 2, 0), room - size));
  return {
    mode: 'crop',
    x: place(source.width, width, median(seen.map(({ x }) => x)) ?? 0.5),
    y: place(source.height, height, median(seen.map(({ y }) => y)) ?? 0.5),
    ...wholePixels({ width, height }),
  };
}
