import type { Box } from '../edit.ts';
import type { ClipLook } from './look.ts';
import { shotsOf } from './shots.ts';
import { tracksOf, type Track } from './tracks.ts';

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
