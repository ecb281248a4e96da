import type { Box, Edit, Framing } from '../edit.ts';
import { findShot } from '../framing/layout.ts';
import { mapBoxToOutput } from '../framing/output-faces.ts';
import type { PictureAnalysis } from '../framing/subject-finder.ts';

/** A picture that a poster can show. Its time is that of the output. */
export interface PosterCandidate {
  time: number;
  sharpness: number;
  face?: {
    /** Distance of the lids. */
    eyes: number;
    /** The network's confidence in the face. */
    presence: number;
    /** The share of the head that the output shows. */
    shown: number;
  };
}

/** A value counts as good from this share of the best one of the clip on. */
const goodShare = { sharpness: 0.8, eyes: 0.92, presence: 0.9 } as const;
/** Times the face's box, the head is this much higher above it, and wider on each side. */
const head = { above: 0.3, beside: 0.12 } as const;
/** A picture that is nearer to a cut may be part of a transition, in seconds. */
const cutSeconds = 0.3;

/** An opening that is at least this good, beside the best picture of its shot, is shown. */
const openingScore = 0.65;

/** Grades pictures, 0 to 1, each by the best values of all. */
function scorePictures(all: readonly PosterCandidate[]): { one: PosterCandidate; score: number }[] {
  const graded = (valueOf: (one: PosterCandidate) => number, good: number) => {
    const best = Math.max(...all.map(valueOf));
    return (one: PosterCandidate) => (best > 0 ? Math.min(1, valueOf(one) / (good * best)) : 0);
  };
  const sharp = graded(({ sharpness }) => sharpness, goodShare.sharpness);
  const open = graded(({ face }) => face?.eyes ?? 1, goodShare.eyes);
  const free = graded(({ face }) => face?.presence ?? 1, goodShare.presence);
  return all.map((one) => ({
    one,
    // Closed eyes and a hand are worse than a little blur.
    score: sharp(one) * open(one) ** 2 * free(one) ** 2 * (one.face?.shown ?? 1) ** 2,
  }));
}

/**
 * The best of some pictures in order: a face with open eyes, with nothing before it, whole and
 * sharp. If no picture has a face, the sharpest. Of several that are as good, the first.
 */
export function chooseBest(candidates: readonly PosterCandidate[]): PosterCandidate | null {
  const withFace = candidates.filter(({ face }) => face);
  const [best] = scorePictures(withFace.length > 0 ? withFace : candidates).toSorted(
    (a, b) => b.score - a.score,
  );
  return best && best.score > 0 ? best.one : null;
}

/**
 * The first picture of a shot in order whose eyes are not closed, and which is neither covered nor
 * blurred, beside the others of its kind; null if there is none.
 */
export function chooseOpening(shot: readonly PosterCandidate[]): PosterCandidate | null {
  const kinds = [shot.filter(({ face }) => face), shot.filter(({ face }) => !face)];
  const good = kinds
    .flatMap(scorePictures)
    .filter(({ score }) => score >= openingScore)
    .toSorted((a, b) => a.one.time - b.one.time);
  return good[0]?.one ?? null;
}

/** The share of a head that is inside the output. */
function measureShownShare({ x, y, width, height }: Box): number {
  const inside = (from: number, size: number) =>
    Math.max(0, Math.min(1, from + size) - Math.max(0, from)) / size;
  const above = head.above * height;
  const beside = head.beside * width;
  return inside(x - beside, width + 2 * beside) * inside(y - above, height + above);
}

/**
 * Returns the output time of a clip's poster: of the picture that it opens with or, if that is not
 * good, the next good one of its first shot, else the best of all. Null if none was measured.
 */
export function findBestTime(
  edit: Edit,
  framing: Framing,
  { sightings, cuts }: PictureAnalysis,
): number | null {
  const begin = edit.ranges[0]?.start ?? 0;
  const candidates: PosterCandidate[] = [];
  const opening: PosterCandidate[] = [];
  const cut = cuts.find((time) => time >= cutSeconds) ?? Infinity;
  let passed = 0;
  for (const range of edit.ranges) {
    const [from, to] = [range.start - begin, range.end - begin];
    for (const { time, look } of sightings) {
      if (!look || time < from || time >= to) continue;
      if (cuts.some((cut) => Math.abs(cut - time) < cutSeconds)) continue;
      const frame = Math.floor((passed + time - from) * edit.frameRate + 1e-3);
      const { face, sharpness } = look;
      const shown =
        face && mapBoxToOutput(face.box, findShot(framing, frame), edit).map(measureShownShare);
      const candidate = {
        time: frame / edit.frameRate,
        sharpness,
        ...(face && {
          face: { eyes: face.eyes, presence: face.presence, shown: Math.max(0, ...shown!) },
        }),
      };
      candidates.push(candidate);
      if (time < cut) opening.push(candidate);
    }
    passed += to - from;
  }
  return (chooseOpening(opening) ?? chooseBest(candidates))?.time ?? null;
}
