import type { Box } from '../edit.ts';
import type { Geometry, ShotLook, WindowPath } from './following.ts';
import type { Treatment } from './shots.ts';

/** A window that would move further from its subject, in its own sizes, is not used. */
const maxMove = 0.2;

/** Positions from which a window shows all of a part of the source; null if it cannot. */
function positions(from: number, length: number, room: number, size: number) {
  if (length > size) return null;
  return { least: Math.max(0, from + length - size), most: Math.min(room - size, from) };
}

/** The window moved as far as it must to show a part of the source; null if it cannot. */
function showing(
  { width, height, keys }: WindowPath,
  part: Box,
  { width: across, height: down }: Geometry['source'],
): WindowPath | null {
  const x = positions(part.x * across, part.width * across, across, width);
  const y = positions(part.y * down, part.height * down, down, height);
  if (!x || !y) return null;
  const moved = keys.map((key) => ({
    time: key.time,
    x: Math.min(Math.max(key.x, x.least), x.most),
    y: Math.min(Math.max(key.y, y.least), y.most),
  }));
  const far = moved.some(
    (key, at) =>
      Math.abs(key.x - keys[at]!.x) > maxMove * width ||
      Math.abs(key.y - keys[at]!.y) > maxMove * height,
  );
  return far ? null : { width, height, keys: moved };
}

/** Whether a window shows nothing of a part of the source. */
const isClear = ({ width, height, keys }: WindowPath, part: Box, source: Geometry['source']) =>
  keys.every(
    ({ x, y }) =>
      x >= (part.x + part.width) * source.width ||
      x + width <= part.x * source.width ||
      y >= (part.y + part.height) * source.height ||
      y + height <= part.y * source.height,
  );

/**
 * A shot whose source has captions of its own, shown so that none of them is cut: the window is
 * moved, otherwise the whole picture is shown.
 */
export function withWholeCaptions(
  treatment: Treatment,
  shot: ShotLook,
  { source }: Geometry,
): Treatment {
  const captions = shot.sightings
    .flatMap(({ subjects }) => subjects)
    .find(({ kind }) => kind === 'caption')?.box;
  if (!captions) return treatment;
  if (treatment.mode === 'crop') {
    const window = showing(treatment.window, captions, source);
    return window ? { mode: 'crop', window } : { mode: 'fit' };
  }
  if (treatment.mode !== 'stack') return treatment;
  const clear = treatment.windows.every((window) => isClear(window, captions, source));
  return clear ? treatment : { mode: 'fit' };
}
