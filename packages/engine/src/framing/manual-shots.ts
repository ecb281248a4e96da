import type { Dimensions, Framing, ManualShot, ManualWindow } from '../edit.ts';
import type { Span } from '../facts.ts';
import { subtractSpans } from '../spans.ts';
import type { ShotAnalysis, WindowPath } from './following.ts';
import { type FramedClip, getGeometry, getLargestWindow, getScreenHeight } from './layout.ts';
import { chooseTreatments, type TreatedPart, type Treatment } from './shots.ts';

type Sizes = Pick<FramedClip, 'source' | 'dimensions'>;

/** A speaker below a screen gets at least this share of the output's height, or is not shown. */
const minSpeakerShare = 0.1;
/** Where the speaker beside a screen is by default: in the corner at the bottom right. */
const corner = { x: 0.85, y: 0.8, zoom: 3 };
/** A window has at least this many pixels on each side, however near it is. */
const minSidePixels = 16;

/** A part of a clip that is framed as the whole clip was, before its pictures were analysed. */
export const holdPart = ({ start, end }: Span, framing: Framing): TreatedPart => ({
  start,
  end,
  treatment:
    framing.mode === 'crop' ? { mode: 'crop', window: holdWindow(framing) } : { mode: 'fit' },
});

const holdWindow = ({
  width,
  height,
  x,
  y,
}: Dimensions & { x: number; y: number }): WindowPath => ({
  width,
  height,
  keys: [{ time: 0, x, y }],
});

/** A window of the shape of a part of the output, around a middle. */
function placeWindow(
  { x = 0.5, y = 0.5, zoom = 1 }: ManualWindow,
  part: Dimensions,
  source: Dimensions,
): WindowPath {
  const largest = getLargestWindow(source, part);
  const most = Math.min(largest.width, largest.height) / minSidePixels;
  const near = Math.max(1, Math.min(zoom, most));
  const [width, height] = [largest.width / near, largest.height / near];
  const begin = (middle: number, size: number, room: number) =>
    Math.min(Math.max(middle * room - size / 2, 0), room - size);
  return holdWindow({
    width,
    height,
    x: begin(x, width, source.width),
    y: begin(y, height, source.height),
  });
}

const isPlaced = ({ x, y, zoom }: ManualWindow): boolean => (x ?? y ?? zoom) !== undefined;

/** Applies a person's choices to a shot; where they set no window, the engine places it. */
function applyManualShot(
  manual: ManualShot,
  own: Treatment,
  shot: ShotAnalysis,
  { source, dimensions }: Sizes,
): Treatment {
  const { mode, below } = manual;
  const { width, height } = dimensions;
  if (mode === 'fit') return { mode };
  if (mode === 'crop') {
    if (isPlaced(manual)) return { mode, window: placeWindow(manual, dimensions, source) };
    if (own.mode === 'crop') return own;
    const parts = chooseTreatments(shot, getGeometry({ source, dimensions }), {
      windowsOnly: true,
    });
    const shared = ({ start, end }: Span) =>
      Math.min(end, manual.end) - Math.max(start, manual.start);
    const [followed] = parts.toSorted((a, b) => shared(b) - shared(a));
    const found = shot.sightings.length > 0 && followed?.treatment.mode === 'crop';
    return found ? followed.treatment : { mode, window: placeWindow({}, dimensions, source) };
  }
  if (mode === 'stack') {
    if (own.mode === 'stack' && !isPlaced(manual) && !below) return own;
    const half = { width, height: height / 2 };
    return {
      mode,
      windows: [
        placeWindow({ x: 0.25, ...manual }, half, source),
        placeWindow({ x: 0.75, ...below }, half, source),
      ],
    };
  }
  const room = height - getScreenHeight(source, dimensions);
  if (room < Math.max(minSidePixels, minSpeakerShare * height)) return { mode: 'fit' };
  if (own.mode === 'screen' && !isPlaced(manual)) return own;
  return { mode, speaker: placeWindow({ ...corner, ...manual }, { width, height: room }, source) };
}

/** Returns the parts of a shot, with the user's changes. Times are clip seconds. */
export function withManualShots(
  parts: readonly TreatedPart[],
  manual: readonly ManualShot[],
  shot: ShotAnalysis,
  sizes: Sizes,
): TreatedPart[] {
  return parts.flatMap((part) => {
    const here = manual.filter(({ start, end }) => start < part.end && end > part.start);
    const others = subtractSpans(part, here).map((span) => ({
      ...span,
      treatment: part.treatment,
    }));
    const chosen = here.map((one) => ({
      start: Math.max(one.start, part.start),
      end: Math.min(one.end, part.end),
      treatment: applyManualShot(one, part.treatment, shot, sizes),
    }));
    return [...others, ...chosen].toSorted((a, b) => a.start - b.start);
  });
}
