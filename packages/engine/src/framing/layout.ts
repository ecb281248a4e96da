import type { CropWindow, Dimensions, FramedShot, Framing } from '../edit.ts';
import type { PictureFacts, Span } from '../facts.ts';
import type { Geometry } from './following.ts';

/** The largest window with the output's shape in the source's picture. */
export function getLargestWindow(source: Dimensions, output: Dimensions): Dimensions {
  const shape = output.width / output.height;
  return {
    width: Math.min(source.width, source.height * shape),
    height: Math.min(source.height, source.width / shape),
  };
}

/** Height of a screen in the output, whose width it fills. The speaker is below it. */
export const getScreenHeight = (source: Dimensions, output: Dimensions): number =>
  2 * Math.round((output.width * source.height) / source.width / 2);

/** Height of the upper window of two: an even one, because 4:2:0 colour has half the resolution. */
export const getStackHeight = ({ height }: Dimensions): number => 2 * Math.round(height / 4);

/** The darkening of the ground of a whole picture, as a share of white. */
export const groundDarker = 0.12;

/** A rectangle in pixels. */
export interface Rectangle extends Dimensions {
  x: number;
  y: number;
}

/** A blurred copy of the source's middle, which fills the output behind a smaller picture. */
interface Ground {
  /** The part of the source that it shows. */
  cut: Rectangle;
  /** The size at which it is blurred: that is cheap and looks the same. */
  small: Dimensions;
  /** Standard deviation of the blur, in pixels of the small size. */
  blur: number;
}

/** Windows of the source, and where the output shows them; the ground is behind them. */
export interface ShotLayout {
  ground: Ground | null;
  parts: { window: CropWindow; place: Rectangle }[];
}

/**
 * Where a cover is, as shares of the output: between the title above and large captions below it.
 */
const getCoverPlace = ({ width, height }: Dimensions) =>
  height > width
    ? { width: 0.8, top: 0.25, bottom: 0.655 }
    : { width: 0.8, top: 0.26, bottom: 0.74 };

/** A window fills a part of the output if its width differs by at most this share. */
const maxShapeDifference = 0.1;

const roundDownToEven = (pixels: number) => 2 * Math.floor(pixels / 2);

/** The window of the whole source. */
const getWholeWindow = ({ width, height }: Dimensions): CropWindow => ({
  width,
  height,
  keys: [{ frame: 0, x: 0, y: 0 }],
});

function cutGround(source: Dimensions, output: Dimensions): Ground {
  const { width, height } = getLargestWindow(source, output);
  const small = (side: number) => 2 * Math.ceil(side / 16);
  return {
    cut: {
      x: Math.max(0, source.width - width) / 2,
      y: Math.max(0, source.height - height) / 2,
      width: Math.max(1, width),
      height: Math.max(1, height),
    },
    small: { width: small(output.width), height: small(output.height) },
    blur: Math.max(1, Math.round(small(output.width) / 12)),
  };
}

/** The largest place for a window inside a part of the output, in its middle. */
function placeInside(window: Dimensions, area: Rectangle): Rectangle {
  const factor = Math.min(area.width / window.width, area.height / window.height);
  const fit = (side: number) => Math.max(2, Math.round((side * factor) / 2) * 2);
  const size = { width: fit(window.width), height: fit(window.height) };
  // With 4:2:0 colour, pictures are only laid at even places.
  return {
    x: roundDownToEven(area.x + (area.width - size.width) / 2),
    y: roundDownToEven(area.y + (area.height - size.height) / 2),
    ...size,
  };
}

/** Whether a window has the shape of a part of the output, except for rounding. */
function isFilledBy(window: Dimensions, part: Dimensions): boolean {
  const width = (window.height * part.width) / part.height;
  const difference = Math.abs(window.width - width);
  return difference < 2 || difference <= maxShapeDifference * width;
}

/** Height of a band of the source in the output, whose width it fills. */
const getBandHeight = (source: Dimensions, band: { height: number }, output: Dimensions) =>
  2 * Math.round((output.width * band.height) / source.width / 2);

/** Where the output shows the windows of a shot. Later parts are above earlier ones. */
export function placeWindows(
  shot: FramedShot,
  source: Dimensions & Pick<PictureFacts, 'soundAlone'>,
  output: Dimensions,
): ShotLayout {
  const { width, height } = output;
  const all = { x: 0, y: 0, width, height };
  const split = (above: number): [Rectangle, Rectangle] => [
    { ...all, height: above },
    { ...all, y: above, height: height - above },
  ];
  const onGround = (window: CropWindow, area: Rectangle): ShotLayout => ({
    ground: cutGround(source, output),
    parts: [{ window, place: placeInside(window, area) }],
  });
  if (shot.mode === 'fit') {
    const cover = source.soundAlone ? getCoverPlace(output) : { width: 1, top: 0, bottom: 1 };
    return onGround(getWholeWindow(source), {
      x: (width * (1 - cover.width)) / 2,
      y: height * cover.top,
      width: width * cover.width,
      height: height * (cover.bottom - cover.top),
    });
  }
  if (shot.mode === 'crop') {
    const { window, band } = shot;
    const [area, below] = split(height - (band ? getBandHeight(source, band, output) : 0));
    const layout = isFilledBy(window, area)
      ? { ground: null, parts: [{ window, place: area }] }
      : onGround(window, area);
    if (!band) return layout;
    const words = {
      width: source.width,
      height: band.height,
      keys: [{ frame: 0, x: 0, y: band.y }],
    };
    return { ...layout, parts: [...layout.parts, { window: words, place: below }] };
  }
  const windows: readonly [CropWindow, CropWindow] =
    shot.mode === 'stack' ? shot.windows : [getWholeWindow(source), shot.speaker];
  const [upper, lower] = split(
    shot.mode === 'stack' ? getStackHeight(output) : getScreenHeight(source, output),
  );
  return {
    ground: null,
    parts: [
      { window: windows[0], place: upper },
      { window: windows[1], place: lower },
    ],
  };
}

/** Uses the simplest kind of framing that describes the shots. */
export function simplifyFraming(shots: FramedShot[]): Framing {
  const [only] = shots;
  if (shots.length === 1 && only?.mode === 'fit') return { mode: 'fit' };
  if (shots.length === 1 && only?.mode === 'crop' && !only.band) {
    const { keys, width, height } = only.window;
    const [{ x, y } = { x: 0, y: 0 }] = keys;
    if (keys.every((key) => Math.abs(key.x - x) < 1 && Math.abs(key.y - y) < 1)) {
      return { mode: 'crop', x: Math.round(x), y: Math.round(y), width, height };
    }
  }
  return { mode: 'shots', shots };
}

/** The shots of a framing; one that never changes is one shot. */
export function listShots(framing: Framing): readonly FramedShot[] {
  if (framing.mode === 'shots') return framing.shots;
  const all = { from: 0, to: Infinity };
  if (framing.mode === 'fit') return [{ ...all, mode: 'fit' }];
  const { width, height, x, y } = framing;
  return [{ ...all, mode: 'crop', window: { width, height, keys: [{ frame: 0, x, y }] } }];
}

/** Finds the framing of one output frame: its shot, without movement. */
export function findShot(framing: Framing, frame: number): FramedShot {
  const one = { from: 0, to: 1 };
  const shot = listShots(framing).find(({ from, to }) => frame >= from && frame < to);
  if (!shot || shot.mode === 'fit') return { ...one, mode: 'fit' };
  const still = (window: CropWindow): CropWindow => {
    const at = frame - shot.from;
    const next = window.keys.findIndex((key) => key.frame > at);
    const before = window.keys.at(next < 0 ? -1 : Math.max(0, next - 1))!;
    const after = next < 0 ? before : window.keys[next]!;
    const share = after === before ? 0 : (at - before.frame) / (after.frame - before.frame);
    const between = (axis: 'x' | 'y') => before[axis] + share * (after[axis] - before[axis]);
    return { ...window, keys: [{ frame: 0, x: between('x'), y: between('y') }] };
  };
  if (shot.mode === 'crop') return { ...shot, ...one, window: still(shot.window) };
  if (shot.mode === 'screen') return { ...one, mode: 'screen', speaker: still(shot.speaker) };
  return { ...one, mode: 'stack', windows: [still(shot.windows[0]), still(shot.windows[1])] };
}

/** Facts of a clip that the framing needs. Sizes are in pixels, ranges in source seconds. */
export interface FramedClip {
  source: Dimensions;
  dimensions: Dimensions;
  ranges: readonly Span[];
  frameRate: number;
}

export const getGeometry = ({
  source,
  dimensions,
}: Pick<FramedClip, 'source' | 'dimensions'>): Geometry => ({
  source,
  window: getLargestWindow(source, dimensions),
  upright: dimensions.height / dimensions.width,
});
