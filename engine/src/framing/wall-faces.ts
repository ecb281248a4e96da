import type { Box, Dimensions } from '../edit.ts';
import type { ClipLook } from './clip-look.ts';
import { shotsOf } from './shots.ts';
import { tracksOf, type Track } from './tracks.ts';

/** The box of a face is compared in about this many squares each way. */
const squaresAcross = 12;
/** A square has changed from this change of its mean green value on, 0 to 255. */
const minSquareChange = 5;
/** A face has moved if this share of its squares has changed. */
const minMovedShare = 0.05;

/** Whether a face is where it was in the picture before: four bytes per pixel, box in shares. */
export function isStill(
  face: Box,
  now: Uint8Array,
  before: Uint8Array,
  { width, height }: Dimensions,
): boolean {
  const side = Math.max(2, Math.round((face.width * width) / squaresAcross));
  const within = (value: number, size: number) => Math.min(Math.max(Math.round(value), 0), size);
  const right = within((face.x + face.width) * width, width) - side;
  const bottom = within((face.y + face.height) * height, height) - side;
  let [squares, moved] = [0, 0];
  for (let top = within(face.y * height, height); top <= bottom; top += side) {
    for (let left = within(face.x * width, width); left <= right; left += side) {
      let change = 0;
      for (let y = top; y < top + side; y++) {
        for (let x = left; x < left + side; x++) {
          const at = 4 * (y * width + x) + 1;
          change += now[at]! - before[at]!;
        }
      }
      squares += 1;
      if (Math.abs(change) >= minSquareChange * side * side) moved += 1;
    }
  }
  return moved < minMovedShare * squares;
}

/** Fewer comparisons say nothing. */
const minCompared = 10;
/** A picture of a face moves in at most this share of the comparisons, a person in this share. */
const maxPictureMoves = 0.08;
const minPersonMoves = 0.3;

/**
 * The look without the faces of posters and pictures on a wall: those that never move, in shots in
 * which another face does.
 */
export function withoutWallFaces(look: ClipLook, seconds: number): ClipLook {
  const still = new Map<Box, boolean>();
  for (const { subjects } of look.sightings) {
    for (const subject of subjects) {
      if (subject.still !== undefined) still.set(subject.box, subject.still);
    }
  }
  const moves = (track: Track) => {
    const compared = track.flatMap((box) => (box && still.get(box)) ?? []);
    if (compared.length < minCompared) return null;
    return compared.filter((one) => !one).length / compared.length;
  };
  const walls = new Set<Box>();
  for (const shot of shotsOf(look, seconds)) {
    const tracks = tracksOf(
      shot.sightings.map(({ subjects }) =>
        subjects.filter(({ kind }) => kind === 'face').map(({ box }) => box),
      ),
    ).map((track) => ({ track, moves: moves(track) }));
    const isPerson = (one: (typeof tracks)[number]) =>
      one.moves !== null && one.moves >= minPersonMoves;
    if (!tracks.some(isPerson)) continue;
    for (const { track, moves: share } of tracks) {
      if (share === null || share > maxPictureMoves) continue;
      for (const box of track) if (box) walls.add(box);
    }
  }
  if (walls.size === 0) return look;
  const sightings = look.sightings.map(({ time, subjects }) => ({
    time,
    subjects: subjects.filter(({ box }) => !walls.has(box)),
  }));
  return { ...look, sightings };
}
