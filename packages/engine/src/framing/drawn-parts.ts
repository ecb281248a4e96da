import type { CropWindow, Dimensions, Edit } from '../edit.ts';
import { chooseWaveColours } from '../style/sound-alone-style.ts';
import { groundDarker, placeWindows, type Rectangle, findShot } from './layout.ts';

/** A part of the source, and where it is in the output. */
export interface DrawnPart {
  from: Rectangle;
  to: Rectangle;
  /** Only of the ground of a smaller picture: it is drawn small, blurred and darker. */
  ground?: { small: Dimensions; blur: number; darker: number };
  /** A colour instead of the part of the source. */
  fill?: string;
}

/** The window as ffmpeg cuts it: at whole pixels. */
const cut = ({ width, height, keys: [key] }: CropWindow): Rectangle => ({
  x: Math.round(key!.x),
  y: Math.round(key!.y),
  width: Math.round(width),
  height: Math.round(height),
});

/**
 * Lists the parts of the source in a frame of the output, as the filter graph of a render draws it.
 * Later parts are above earlier ones.
 */
export function listDrawnParts(
  { source, framing, style }: Edit,
  output: Dimensions,
  frame: number,
): DrawnPart[] {
  const all = { x: 0, y: 0, width: output.width, height: output.height };
  if (source.soundAlone === 'wave') {
    const from = { x: 0, y: 0, width: source.width, height: source.height };
    return [{ from, to: all, fill: chooseWaveColours(style).ground }];
  }
  const { ground, parts } = placeWindows(findShot(framing, frame), source, output);
  const drawn = parts.map(({ window, place }) => ({ from: cut(window), to: place }));
  if (!ground) return drawn;
  const { cut: from, ...blurred } = ground;
  return [{ from, to: all, ground: { ...blurred, darker: groundDarker } }, ...drawn];
}
