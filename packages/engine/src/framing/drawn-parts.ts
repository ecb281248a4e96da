import type { CropWindow, Dimensions, Edit } from '../edit.ts';
import { waveColours } from '../style/sound-alone-style.ts';
import { framingAt, groundDarker, screenHeight, stackHeight, wholeLayout } from './layout.ts';

/** A rectangle in pixels. */
interface Rectangle extends Dimensions {
  x: number;
  y: number;
}

/** A part of the source, and where it is in the output. */
export interface DrawnPart {
  from: Rectangle;
  to: Rectangle;
  /** Only of the ground of a whole picture: it is drawn small, blurred and darker. */
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

const all = ({ width, height }: Dimensions): Rectangle => ({ x: 0, y: 0, width, height });

function whole(source: Edit['source'], output: Dimensions): DrawnPart[] {
  const { inner, place, cut: shown, small, blur } = wholeLayout(source, output);
  const from = {
    x: (source.width - shown.width) / 2,
    y: (source.height - shown.height) / 2,
    ...shown,
  };
  return [
    { from, to: all(output), ground: { small, blur, darker: groundDarker } },
    { from: all(source), to: { ...place, ...inner } },
  ];
}

/**
 * What a frame of the output shows of the source, as the filter graph of a render draws it. Later
 * parts are above earlier ones.
 */
export function drawnParts(
  { source, framing, style }: Edit,
  output: Dimensions,
  frame: number,
): DrawnPart[] {
  const { width, height } = output;
  if (source.soundAlone === 'wave') {
    return [{ from: all(source), to: all(output), fill: waveColours(style).ground }];
  }
  const still = framingAt(framing, frame);
  if (still.mode === 'fit') return whole(source, output);
  if (still.mode === 'crop') {
    const { mode: _, ...from } = still;
    return [{ from, to: all(output) }];
  }
  const [shot] = still.shots;
  const between = (above: number, [upper, lower]: readonly [Rectangle, Rectangle]): DrawnPart[] => [
    { from: upper, to: { x: 0, y: 0, width, height: above } },
    { from: lower, to: { x: 0, y: above, width, height: height - above } },
  ];
  if (shot?.mode === 'stack') {
    const [upper, lower] = shot.windows;
    return between(stackHeight(output), [cut(upper), cut(lower)]);
  }
  if (shot?.mode === 'screen') {
    return between(screenHeight(source, output), [all(source), cut(shot.speaker)]);
  }
  return [];
}
