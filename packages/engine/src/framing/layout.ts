import type { CropWindow, Dimensions, FramedShot, Framing } from '../edit.ts';
import type { PictureFacts, Span } from '../facts.ts';
import type { Geometry } from './following.ts';

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
  /** Its top left corner. With 4:2:0 colour, pictures are only laid at even places. */
  place: { x: number; y: number };
  /** The part of the source, around its middle, that the ground shows. */
  cut: Dimensions;
  /** The ground is blurred at this size: that is cheap and looks the same. */
  small: Dimensions;
  /** Standard deviation of the blur, in pixels of the small size. */
  blur: number;
}

/**
 * Where a cover is, as shares of the output: between the title above and large captions below it.
 */
const coverPlace = ({ width, height }: Dimensions) =>
  height > width
    ? { width: 0.8, top: 0.25, bottom: 0.655 }
    : { width: 0.8, top: 0.26, bottom: 0.74 };

export function wholeLayout(
  source: Dimensions & Pick<PictureFacts, 'soundAlone'>,
  output: Dimensions,
): WholeLayout {
  const { width, top, bottom } = source.soundAlone
    ? coverPlace(output)
    : { width: 1, top: 0, bottom: 1 };
  const factor = Math.min(
    (output.width * width) / source.width,
    (output.height * (bottom - top)) / source.height,
  );
  const fit = (side: number) => Math.max(2, Math.round((side * factor) / 2) * 2);
  const small = (side: number) => 2 * Math.ceil(side / 16);
  const cut = largestWindow(source, output);
  const inner = { width: fit(source.width), height: fit(source.height) };
  const even = (pixels: number) => 2 * Math.floor(pixels / 2);
  return {
    inner,
    place: {
      x: even((output.width - inner.width) / 2),
      y: even((output.height * (top + bottom) - inner.height) / 2),
    },
    cut: { width: Math.max(1, cut.width), height: Math.max(1, cut.height) },
    small: { width: small(output.width), height: small(output.height) },
    blur: Math.max(1, Math.round(small(output.width) / 12)),
  };
}

/** Uses the simplest kind of framing that describes the shots. */
export function simplest(shots: FramedShot[]): Framing {
  const [only] = shots;
  if (shots.length === 1 && only?.mode === 'fit') return { mode: 'fit' };
  if (shots.length === 1 && only?.mode === 'crop') {
    const { keys, width, height } = only.window;
    const [{ x, y } = { x: 0, y: 0 }] = keys;
    if (keys.every((key) => Math.abs(key.x - x) < 1 && Math.abs(key.y - y) < 1)) {
      return { mode: 'crop', x: Math.round(x), y: Math.round(y), width, height };
    }
  }
  return { mode: 'shots', shots };
}

/** The framing of one output frame, without movement. */
export function framingAt(framing: Framing, frame: number): Framing {
  if (framing.mode !== 'shots') return framing;
  const shot = framing.shots.find(({ from, to }) => frame >= from && frame < to);
  if (!shot || shot.mode === 'fit') return { mode: 'fit' };
  const still = (window: CropWindow): CropWindow => {
    const at = frame - shot.from;
    const next = window.keys.findIndex((key) => key.frame > at);
    const before = window.keys.at(next < 0 ? -1 : Math.max(0, next - 1))!;
    const after = next < 0 ? before : window.keys[next]!;
    const share = after === before ? 0 : (at - before.frame) / (after.frame - before.frame);
    const between = (axis: 'x' | 'y') => before[axis] + share * (after[axis] - before[axis]);
    return { ...window, keys: [{ frame: 0, x: between('x'), y: between('y') }] };
  };
  const one = { from: 0, to: 1 };
  if (shot.mode === 'crop') return simplest([{ ...one, mode: 'crop', window: still(shot.window) }]);
  if (shot.mode === 'screen') {
    return { mode: 'shots', shots: [{ ...one, mode: 'screen', speaker: still(shot.speaker) }] };
  }
  const windows: [CropWindow, CropWindow] = [still(shot.windows[0]), still(shot.windows[1])];
  return { mode: 'shots', shots: [{ ...one, mode: 'stack', windows }] };
}

/** What the framing needs to know of a clip. Sizes are in pixels, ranges in source seconds. */
export interface FramedClip {
  source: Dimensions;
  dimensions: Dimensions;
  ranges: readonly Span[];
  frameRate: number;
}

export const geometryOf = ({
  source,
  dimensions,
}: Pick<FramedClip, 'source' | 'dimensions'>): Geometry => ({
  source,
  window: largestWindow(source, dimensions),
  upright: dimensions.height / dimensions.width,
});
