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

/**
 * The best of some pictures: a face with open eyes, with nothing before it, whole and sharp. If no
 * picture has a face, the sharpest. Of several that are as good, the one nearest to `wanted`.
 */
export function chooseBest(
  candidates: readonly PosterCandidate[],
  wanted: number,
): PosterCandidate | null {
  const withFace = candidates.filter(({ face }) => face);
  const all = withFace.length > 0 ? withFace : candidates;
  const graded = (valueOf: (one: PosterCandidate) => number, good: number) => {
    const best = Math.max(...all.map(valueOf));
    return (one: PosterCandidate) => (best > 0 ? Math.min(1, valueOf(one) / (good * best)) : 0);
  };
  const sharp = graded(({ sharpness }) => sharpness, goodShare.sharpness);
  const open = graded(({ face }) => face?.eyes ?? 1, goodShare.eyes);
  const free = graded(({ face }) => face?.presence ?? 1, goodShare.presence);
  const scored = all.map((one) => ({
    one,
    // Closed eyes and a hand are worse than a little blur.
    score: sharp(one) * open(one) ** 2 * free(one) ** 2 * (one.face?.shown ?? 1) ** 2,
  }));
  const [best] = scored.toSorted(
    (a, b) => b.score - a.score || Math.abs(a.one.time - wanted) - Math.abs(b.one.time - wanted),
  );
  return best && best.score > 0 ? best.one : null;
}

/** The share of a head that is inside the output. */
function measureShownShare({ x, y, width, height }: Box): number {
  const inside = (from: number, size: number) =>
    Math.max(0, Math.min(1, from + size) - Math.max(0, from)) / size;
  const above = head.above * height;
  const beside = head.beside * width;
  return inside(x - beside, width + 2 * beside) * inside(y - above, height + above);
}

/** Returns the output time of the best picture of a clip; null if no picture was measured. */
export function findBestTime(
  edit: Edit,
  framing: Framing,
  { sightings, cuts }: PictureAnalysis,
): number | null {
  const begin = edit.ranges[0]?.start ?? 0;
  const candidates: PosterCandidate[] = [];
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
      candidates.push({
        time: frame / edit.frameRate,
        sharpness,
        ...(face && {
          face: { eyes: face.eyes, presence: face.presence, shown: Math.max(0, ...shown!) },
        }),
      });
    }
    passed += to - from;
  }
  return chooseBest(candidates, edit.duration / 3)?.time ?? null;
}
