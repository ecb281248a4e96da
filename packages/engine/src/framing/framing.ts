import type { FramedShot, Framing, WantedShot } from '../edit.ts';
import type { ClipLook } from './look.ts';
import type { ShotLook } from './following.ts';
import { geometryOf, type FramedClip } from './framed-clip.ts';
import { simplest } from './framing-at.ts';
import { shotsOf, treatmentsOf, type TreatedPart, type Treatment } from './shots.ts';
import { withWholeCaptions } from './whole-captions.ts';
import { stillPart, withWanted } from './wanted-shots.ts';
import { windowOver, type KeptFrames } from './window-keys.ts';

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

/** What a person chose for parts of a clip. */
interface Wanted {
  wanted?: readonly WantedShot[];
  /** The framing of everything else. If omitted, what was found decides. */
  rest?: Framing | null;
}

/**
 * The framing of a clip that fills the output, from what was found in its pictures and what a
 * person wants.
 */
export function framingFor(
  clip: FramedClip,
  look: ClipLook,
  { wanted = [], rest = null }: Wanted = {},
): Framing {
  const { ranges, frameRate } = clip;
  const geometry = geometryOf(clip);
  const begin = ranges[0]?.start ?? 0;
  const frames = (time: number) => Math.round((time - begin) * frameRate);
  const kept = ranges.map(({ start, end }) => ({ from: frames(start), to: frames(end) }));
  const seconds = (kept.at(-1)?.to ?? 1) / frameRate;
  const looked = shotsOf(look, seconds);
  const chosen = wanted.map((shot) => ({
    ...shot,
    start: shot.start - begin,
    end: shot.end - begin,
  }));
  const framed = (partsOf: (shot: ShotLook) => TreatedPart[]): FramedShot[] => {
    const parts = looked.flatMap((shot) => withWanted(partsOf(shot), chosen, shot, clip));
    return joined(overKept(parts, kept, frameRate));
  };
  if (rest) return simplest(framed((shot) => [stillPart(shot, rest)]));
  const shots = framed((shot) =>
    treatmentsOf(shot, geometry).map((part) => ({
      ...part,
      treatment: withWholeCaptions(part.treatment, shot, geometry),
    })),
  );
  if (shots.length <= maxBranches) return simplest(shots);
  const windows = framed((shot) => treatmentsOf(shot, geometry, { windowsOnly: true }));
  if (windows.length <= maxBranches) return simplest(windows);
  return simplest(framed((shot) => [stillPart(shot, { mode: 'fit' })]));
}
