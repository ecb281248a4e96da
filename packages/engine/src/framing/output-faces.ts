import type { Box, FramedShot, Framing, OutputFace } from '../edit.ts';
import { type FramedClip, placeWindows, findShot } from './layout.ts';
import { splitIntoShots } from './shots.ts';
import type { PictureAnalysis, Subject } from './subject-finder.ts';
import { joinBoxes, isReading } from './text/found-lines.ts';
import { type Track, findTracks } from './tracks.ts';

/** A face counts as still while its box changes by less than this share of its size. */
const maxShift = 0.25;
/** Maximum time between two samples of the same still face. */
const maxGapSeconds = 0.6;

/** Where the output shows a box of the source, in shares; a part that lacks its middle does not. */
export function mapBoxToOutput(
  box: Box,
  shot: FramedShot,
  { source, dimensions }: FramedClip,
): Box[] {
  return placeWindows(shot, source, dimensions).parts.flatMap(({ window, place }) => {
    const {
      width,
      height,
      keys: [key],
    } = window;
    const left = (box.x * source.width - key!.x) / width;
    const top = (box.y * source.height - key!.y) / height;
    const across = (box.width * source.width) / width;
    const down = (box.height * source.height) / height;
    const isInside = (middle: number) => middle > 0 && middle < 1;
    if (!isInside(left + across / 2) || !isInside(top + down / 2)) return [];
    return {
      x: (place.x + left * place.width) / dimensions.width,
      y: (place.y + top * place.height) / dimensions.height,
      width: (across * place.width) / dimensions.width,
      height: (down * place.height) / dimensions.height,
    };
  });
}

const isNear = (one: Box, other: Box): boolean =>
  Math.abs(one.x - other.x) <= maxShift * one.width &&
  Math.abs(one.y - other.y) <= maxShift * one.height &&
  Math.abs(one.width - other.width) <= maxShift * one.width;

/**
 * Lists the boxes that captions must not cover: each face, all of a text together, and the source's
 * captions.
 */
function listBoxesToAvoid(subjects: readonly Subject[]): Box[] {
  const lines = subjects.filter(({ kind }) => kind === 'text').map(({ box }) => box);
  const others = subjects.filter(({ kind }) => kind === 'face' || kind === 'caption');
  return [...others.map(({ box }) => box), ...(isReading(lines) ? [joinBoxes(lines)] : [])];
}

/** The faces and the text of a clip, as its output shows them: what captions must not cover. */
export function mapFacesToOutput(
  clip: FramedClip,
  framing: Framing,
  analysis: PictureAnalysis,
): OutputFace[] {
  const faces: OutputFace[] = [];
  const begin = clip.ranges[0]?.start ?? 0;
  let passed = 0;
  for (const range of clip.ranges) {
    const [from, to] = [range.start - begin, range.end - begin];
    for (const { time, subjects } of analysis.sightings) {
      if (time < from || time >= to) continue;
      const now = passed + time - from;
      const still = findShot(framing, Math.round(now * clip.frameRate));
      for (const box of listBoxesToAvoid(subjects)) {
        for (const seen of mapBoxToOutput(box, still, clip)) {
          const face = faces.findLast((one) => now - one.end <= maxGapSeconds && isNear(one, seen));
          if (face) face.end = now;
          else faces.push({ start: now, end: now, ...seen });
        }
      }
    }
    passed += to - from;
  }
  // JSON has no -0: adding 0 turns it into 0.
  const round = (value: number) => Math.round(value * 1000) / 1000 + 0;
  return faces.map(({ start, end, x, y, width, height }) => ({
    start: round(Math.max(0, start - maxGapSeconds / 2)),
    end: round(end + maxGapSeconds / 2),
    x: round(x),
    y: round(y),
    width: round(width),
    height: round(height),
  }));
}

/** The minimum number of comparisons for a result. */
const minCompared = 10;
/** A picture of a face moves in at most this share of the comparisons, a person in this share. */
const maxPictureMoves = 0.08;
const minPersonMoves = 0.3;

/**
 * Returns the analysis without the faces of posters and pictures on a wall: faces that never move
 * in shots with another moving face.
 */
export function withoutWallFaces(analysis: PictureAnalysis, seconds: number): PictureAnalysis {
  const still = new Map<Box, boolean>();
  for (const { subjects } of analysis.sightings) {
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
  for (const shot of splitIntoShots(analysis, seconds)) {
    const tracks = findTracks(
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
  if (walls.size === 0) return analysis;
  const sightings = analysis.sightings.map((sighting) => ({
    ...sighting,
    subjects: sighting.subjects.filter(({ box }) => !walls.has(box)),
  }));
  return { ...analysis, sightings };
}
