import type { Dimensions, FramedShot, Framing } from '../edit.ts';
import type { Span } from '../facts.ts';
import type { ClipLook } from './clip-look.ts';
import type { Geometry } from './following.ts';
import { shotsOf, treatmentsOf, type TreatedPart, type Treatment } from './shots.ts';
import { withWholeCaptions } from './whole-captions.ts';
import { windowOver, type KeptFrames } from './window-keys.ts';
import { type CropWindow } from '../edit.ts';

/**
 * Maximum number of branches in the filter graph. Each change between ways of framing needs one.
 */
const maxBranches = 24;

function shotOver(treatment: Treatment, kept: KeptFrames, at: number, rate: number): FramedShot {
  const span = { from: at, to: at + kept.to - kept.from };
  if (treatment.mode === 'fit') return { ...span, mode: 'fit' };
  if (treatment.mode === 'crop') {
    return { ...span, mode: 'crop', window: windowOver(treatment.window, kept, rate) };
  }
  if (treatment.mode === 'screen') {
    return { ...span, mode: 'screen', speaker: windowOver(treatment.speaker, kept, rate) };
  }
  const [above, below] = treatment.windows;
  return {
    ...span,
    mode: 'stack',
    windows: [windowOver(above, kept, rate), windowOver(below, kept, rate)],
  };
}

/**
 * Joins similar neighbours to one branch: windows of the same size can jump to the next position.
 */
function joined(shots: readonly FramedShot[]): FramedShot[] {
  const branches: FramedShot[] = [];
  for (const shot of shots) {
    const last = branches.at(-1);
    if (last?.mode === 'fit' && shot.mode === 'fit') last.to = shot.to;
    else if (
      last?.mode === 'crop' &&
      shot.mode === 'crop' &&
      last.window.width === shot.window.width
    ) {
      const later = shot.from - last.from;
      const keys = shot.window.keys.map((key) => ({ ...key, frame: key.frame + later }));
      last.window = { ...last.window, keys: [...last.window.keys, ...keys] };
      last.to = shot.to;
    } else branches.push({ ...shot });
  }
  return branches;
}

/** Uses the simplest kind of framing that describes the shots. */
function simplest(shots: FramedShot[]): Framing {
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

/** The parts of the clip, moved to the kept frames. */
function overKept(
  parts: readonly TreatedPart[],
  kept: readonly KeptFrames[],
  rate: number,
): FramedShot[] {
  const framed: FramedShot[] = [];
  let passed = 0;
  for (const range of kept) {
    for (const { start, end, treatment } of parts) {
      const from = Math.max(range.from, Math.round(start * rate));
      const to = Math.min(range.to, Math.round(end * rate));
      if (to <= from) continue;
      framed.push(shotOver(treatment, { from, to }, passed + from - range.from, rate));
    }
    passed += range.to - range.from;
  }
  return framed;
}

/** What the framing needs to know of a clip. Sizes are in pixels, ranges in source seconds. */
export interface FramedClip {
  source: Dimensions;
  dimensions: Dimensions;
  ranges: readonly Span[];
  frameRate: number;
}

/** The largest window with the output's shape in the source's picture. */
export function largestWindow(source: Dimensions, output: Dimensions): Dimensions {
  const shape = output.width / output.height;
  return {
    width: Math.min(source.width, source.height * shape),
    height: Math.min(source.height, source.width / shape),
  };
}

export const geometryOf = ({ source, dimensions }: FramedClip): Geometry => ({
  source,
  window: largestWindow(source, dimensions),
  upright: dimensions.height / dimensions.width,
});

/** The framing of a clip that fills the output, from what was found in its pictures. */
export function framingFor(clip: FramedClip, look: ClipLook): Framing {
  const { ranges, frameRate } = clip;
  const geometry = geometryOf(clip);
  const begin = ranges[0]?.start ?? 0;
  const frames = (time: number) => Math.round((time - begin) * frameRate);
  const kept = ranges.map(({ start, end }) => ({ from: frames(start), to: frames(end) }));
  const seconds = (kept.at(-1)?.to ?? 1) / frameRate;
  const looked = shotsOf(look, seconds);
  const treated = looked.flatMap((shot) =>
    treatmentsOf(shot, geometry).map((part) => ({
      ...part,
      treatment: withWholeCaptions(part.treatment, shot, geometry),
    })),
  );
  const shots = joined(overKept(treated, kept, frameRate));
  if (shots.length <= maxBranches) return simplest(shots);
  const plain = looked.flatMap((shot) => treatmentsOf(shot, geometry, { windowsOnly: true }));
  const windows = joined(overKept(plain, kept, frameRate));
  return windows.length <= maxBranches ? simplest(windows) : { mode: 'fit' };
}

/** Height of a screen in the output, whose width it fills. The speaker is below it. */
export const screenHeight = (source: Dimensions, output: Dimensions): number =>
  2 * Math.round((output.width * source.height) / source.width / 2);

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
