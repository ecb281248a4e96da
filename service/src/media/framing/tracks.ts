import type { Box } from './subject-finder.ts';

/** One face over the time of a shot: its box at each sample, null where it was not found. */
export type Track = (Box | null)[];

/** Samples for which a face may be lost and still be the same one. */
const patience = 6;
/** How far a face may move between two samples, in its own widths: one among several, and the only one. */
const reach = 0.9;
const loneReach = 3;
/** How much it may grow or shrink. */
const growth = 1.8;

const middle = (box: Box) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });

function apart(a: Box, b: Box): number {
  const [from, to] = [middle(a), middle(b)];
  const size = Math.max(a.width, b.width);
  const height = Math.max(a.height, b.height);
  const ratio = Math.max(a.width / b.width, b.width / a.width);
  if (ratio > growth) return Infinity;
  return Math.hypot((from.x - to.x) / size, (from.y - to.y) / height);
}

const lastOf = (track: Track) => track.findLastIndex((box) => box !== null);

/** Samples in which a face was found. */
export const presence = (track: Track): number => track.filter((box) => box !== null).length;

/** Whether two are seen at the same time, and not only for a moment in which a chance find was one of them. */
function together(one: Track, other: Track): boolean {
  const common = one.filter((box, at) => box !== null && other[at] !== null).length;
  return common > 0.15 * Math.min(presence(one), presence(other));
}

/** Puts each box to the track that it goes on, or begins one with it. */
function threads(samples: readonly (readonly Box[])[]): Track[] {
  const tracks: Track[] = [];
  samples.forEach((boxes, now) => {
    const open = tracks.filter((track) => now - lastOf(track) <= patience);
    const lone = open.length === 1 && boxes.length === 1;
    const pairs = open
      .flatMap((track) => {
        const last = lastOf(track);
        // The longer it was lost, the further it may have gone.
        const most = (lone ? loneReach : reach) * Math.sqrt(now - last);
        return boxes.map((box) => ({ track, box, far: apart(track[last]!, box), most }));
      })
      .filter(({ far, most }) => far <= most)
      .toSorted((a, b) => a.far - b.far);
    const taken = new Set<unknown>();
    for (const { track, box } of pairs) {
      if (taken.has(track) || taken.has(box)) continue;
      taken.add(track).add(box);
      track[now] = box;
    }
    for (const box of boxes) {
      if (taken.has(box)) continue;
      const track: Track = Array.from({ length: samples.length }, () => null);
      track[now] = box;
      tracks.push(track);
    }
  });
  return tracks;
}

/** What goes fast leaves threads one after the other: those of one size that are never seen together are one face. */
function spliced(tracks: readonly Track[]): Track[] {
  const faces: Track[] = [];
  for (const track of tracks) {
    const size = (one: Track) => one[lastOf(one)]!.width;
    const same = faces.find((face) => {
      const ratio = size(face) / size(track);
      return !together(face, track) && Math.max(ratio, 1 / ratio) <= growth;
    });
    if (same) track.forEach((box, at) => (same[at] ??= box));
    else faces.push([...track]);
  }
  return faces;
}

/**
 * Puts the faces of a shot's samples together to tracks, the weightiest first (size times presence). Chance finds are left
 * out: single ones among many samples, and faces seen in less than a quarter of the samples.
 */
export function tracksOf(samples: readonly (readonly Box[])[]): Track[] {
  const weight = (track: Track) => track.reduce((sum, box) => sum + (box?.width ?? 0), 0);
  const heaviest = (a: Track, b: Track) => weight(b) - weight(a);
  const least = samples.length >= 8 ? 2 : 1;
  const seen = threads(samples)
    .filter((track) => presence(track) >= least)
    .toSorted(heaviest);
  return spliced(seen)
    .filter((track) => presence(track) >= samples.length / 4)
    .toSorted(heaviest);
}
