import type { Dimensions } from '../edit.ts';

/** The largest window with the output's shape in the source's picture. */
export function largestWindow(source: Dimensions, output: Dimensions): Dimensions {
  const shape = output.width / output.height;
  return {
    width: Math.min(source.width, source.height * shape),
    height: Math.min(source.height, source.width / shape),
  };
}

/** Height of a screen in the output, whose width it fills. The speaker is below it. */
export const screenHeight = (source: Dimensions, output: Dimensions): number =>
  2 * Math.round((output.width * source.height) / source.width / 2);

/** Height of the upper window of two: an even one, because 4:2:0 colour has half the resolution. */
export const stackHeight = ({ height }: Dimensions): number => 2 * Math.round(height / 4);

/** How much darker the ground of a whole picture is, as a share of white. */
export const groundDarker = 0.12;

/** The whole picture on a blurred ground of itself. Sizes are in pixels. */
interface WholeLayout {
  /** Size of the picture in the output. */
  inner: Dimensions;
  /** The part of the source, around its middle, that the ground shows. */
  cut: Dimensions;
  /** The ground is blurred at this size: that is cheap and looks the same. */
  small: Dimensions;
  /** Standard deviation of the blur, in pixels of the small size. */
  blur: number;
}

export function wholeLayout(source: Dimensions, output: Dimensions): WholeLayout {
  const factor = Math.min(output.width / source.width, output.height / source.height);
  const fit = (side: number) => Math.max(2, Math.round((side * factor) / 2) * 2);
  const small = (side: number) => 2 * Math.ceil(side / 16);
  const cut = largestWindow(source, output);
  return {
    inner: { width: fit(source.width), height: fit(source.height) },
    cut: { width: Math.max(1, cut.width), height: Math.max(1, cut.height) },
    small: { width: small(output.width), height: small(output.height) },
    blur: Math.max(1, Math.round(small(output.width) / 12)),
  };
}
