import type { Dimensions, FramedShot, Framing, ManualShot } from '../edit.ts';
import type { Focus, PictureFacts, Span } from '../facts.ts';
import { median } from '../scan/scan-measures.ts';
import type { ShotAnalysis } from './following.ts';
import { type FramedClip, getGeometry, getLargestWindow, simplifyFraming } from './layout.ts';
import type { PictureAnalysis } from './subject-finder.ts';
import { splitIntoShots, type TreatedPart, type Treatment } from './shots.ts';
import { holdPart, withManualShots } from './manual-shots.ts';
import { showWithLetters } from './text/whole-letters.ts';
import { type RetainedFrames, roundToPixels, makeWindow } from './window-keys.ts';

/**
 * Maximum number of branches in the filter graph. Each change between ways of framing needs one.
 */
const maxBranches = 24;

function makeShot(
  treatment: Treatment,
  retained: RetainedFrames,
  at: number,
  rate: number,
): FramedShot {
  const span = { from: at, to: at + retained.to - retained.from };
  if (treatment.mode === 'fit') return { ...span, mode: 'fit' };
  if (treatment.mode === 'crop') {
    const { window, band } = treatment;
    return {
      ...span,
      mode: 'crop',
      window: makeWindow(window, retained, rate),
      ...(band && { band }),
    };
  }
  if (treatment.mode === 'screen') {
    return { ...span, mode: 'screen', speaker: makeWindow(treatment.speaker, retained, rate) };
  }
  const [above, below] = treatment.windows;
  return {
    ...span,
    mode: 'stack',
    windows: [makeWindow(above, retained, rate), makeWindow(below, retained, rate)],
  };
}

/**
 * Joins similar neighbours to one branch: windows of the same size can jump to the next position.
 */
function joinSimilarShots(shots: readonly FramedShot[]): FramedShot[] {
  const branches: FramedShot[] = [];
  for (const shot of shots) {
    const last = branches.at(-1);
    if (last?.mode === 'fit' && shot.mode === 'fit') last.to = shot.to;
    else if (
      last?.mode === 'crop' &&
      shot.mode === 'crop' &&
      last.window.width === shot.window.width &&
      last.window.height === shot.window.height &&
      last.band?.y === shot.band?.y &&
      last.band?.height === shot.band?.height
    ) {
      const later = shot.from - last.from;
      const keys = shot.window.keys.map((key) => ({ ...key, frame: key.frame + later }));
      last.window = { ...last.window, keys: [...last.window.keys, ...keys] };
      last.to = shot.to;
    } else branches.push({ ...shot });
  }
  return branches;
}

/** The parts of the clip, moved to the retained frames. */
function applyRetainedFrames(
  parts: readonly TreatedPart[],
  retained: readonly RetainedFrames[],
  rate: number,
): FramedShot[] {
  const framed: FramedShot[] = [];
  let passed = 0;
  for (const range of retained) {
    for (const { start, end, treatment } of parts) {
      const from = Math.max(range.from, Math.round(start * rate));
      const to = Math.min(range.to, Math.round(end * rate));
      if (to <= from) continue;
      framed.push(makeShot(treatment, { from, to }, passed + from - range.from, rate));
    }
    passed += range.to - range.from;
  }
  return framed;
}

/** A person's choices for parts of a clip. */
interface ManualFraming {
  manual?: readonly ManualShot[];
  /** The framing of everything else. If omitted, the finds decide. */
  rest?: Framing | null;
}

/**
 * The framing of a clip that fills the output, from the finds in its pictures and the user's
 * wishes.
 */
export function chooseFraming(
  clip: FramedClip,
  analysis: PictureAnalysis,
  { manual = [], rest = null }: ManualFraming = {},
): Framing {
  const { ranges, frameRate } = clip;
  const geometry = getGeometry(clip);
  const begin = ranges[0]?.start ?? 0;
  const frames = (time: number) => Math.round((time - begin) * frameRate);
  const retained = ranges.map(({ start, end }) => ({ from: frames(start), to: frames(end) }));
  const seconds = (retained.at(-1)?.to ?? 1) / frameRate;
  const looked = splitIntoShots(analysis, seconds);
  const chosen = manual.map((shot) => ({
    ...shot,
    start: shot.start - begin,
    end: shot.end - begin,
  }));
  const framed = (partsOf: (shot: ShotAnalysis) => TreatedPart[]): FramedShot[] => {
    const parts = looked.flatMap((shot) => withManualShots(partsOf(shot), chosen, shot, clip));
    return joinSimilarShots(applyRetainedFrames(parts, retained, frameRate));
  };
  if (rest) return simplifyFraming(framed((shot) => [holdPart(shot, rest)]));
  for (const windowsOnly of [false, true]) {
    const shots = framed((shot) => showWithLetters(shot, geometry, { windowsOnly }));
    if (shots.length <= maxBranches) return simplifyFraming(shots);
  }
  return simplifyFraming(framed((shot) => [holdPart(shot, { mode: 'fit' })]));
}

/** Rounds down to an even number, 16 or more: H.264 with 4:2:0 colour has no odd sizes. */
const roundDownToEven = (pixels: number): number => Math.max(16, pixels - (pixels % 2));

/** The requested size, with odd sides one pixel smaller. */
export const makeEncodable = ({ width, height }: Dimensions): Dimensions => ({
  width: roundDownToEven(width),
  height: roundDownToEven(height),
});

/** Whether the output has the source's shape, except for a pixel. */
function hasSameShape(source: Dimensions, output: Dimensions): boolean {
  const window = getLargestWindow(source, output);
  return source.width - window.width < 2 && source.height - window.height < 2;
}

/** Whether a framing cuts off a part of the source's picture. */
export const isCut = (source: Dimensions, framing: Framing): boolean =>
  framing.mode === 'crop' &&
  (source.width - framing.width >= 2 || source.height - framing.height >= 2);

/**
 * A first guess, before the clip's pictures are analysed. With `reframe`: the largest window
 * with the output's shape, at the median of the keyframes' focus points. Without: the whole picture
 * on a blurred background, as for a source of sound alone.
 */
export function guessFraming(
  source: Dimensions & Pick<PictureFacts, 'soundAlone'>,
  output: Dimensions,
  options: { reframe: boolean; focus: readonly Focus[]; ranges: readonly Span[] },
): Framing {
  if (source.soundAlone) return { mode: 'fit' };
  const { width, height } = getLargestWindow(source, output);
  if (!options.reframe && !hasSameShape(source, output)) return { mode: 'fit' };
  const seen = options.focus.filter(({ time }) =>
    options.ranges.some((range) => time >= range.start && time < range.end),
  );
  const findMedian = (axis: 'x' | 'y') =>
    seen.length > 0 ? median(seen.map((one) => one[axis])) : 0.5;
  const place = (room: number, size: number, share: number) =>
    Math.round(Math.min(Math.max(share * room - size / 2, 0), room - size));
  return {
    mode: 'crop',
    x: place(source.width, width, findMedian('x')),
    y: place(source.height, height, findMedian('y')),
    ...roundToPixels({ width, height }),
  };
}
