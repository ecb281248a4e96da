import type { CropWindow, FramedShot, Framing } from '../edit.ts';

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
