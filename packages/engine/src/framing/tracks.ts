import type { Box } from '../edit.ts';

/** One face during a shot: its box at each sample, null if it was not found. */
export type Track = (Box | null)[];

/** Detections that follow each other: a face, as far as it could be followed. */
interface Thread {
  finds: { at: number; box: Box }[];
  /** Sum of the widths of its boxes. */
  weight: number;
}

/** A face may be lost for this many samples and still be the same face. */
const maxLostSamples = 6;
/**
 * Maximum movement of a face between two samples, in widths of the face: among others, and as the
 * only face.
 */
const maxMove = 0.9;
const maxLoneMove = 3;
/** Maximum factor by which a face may grow or shrink. */
const maxGrowth = 1.8;
/** Limits for the faces of a picture and the threads of a shot: a crowd has no subject. */
const maxFaces = 12;
const maxThreads = 60;

export const getMiddle = (box: Box) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });

const isAlike = (a: Box, b: Box): boolean =>
  Math.max(a.width / b.width, b.width / a.width) <= maxGrowth;

function measureDistance(a: Box, b: Box): number {
  if (!isAlike(a, b)) return Infinity;
  const [from, to] = [getMiddle(a), getMiddle(b)];
  const width = Math.max(a.width, b.width);
  const height = Math.max(a.height, b.height);
  return Math.hypot((from.x - to.x) / width, (from.y - to.y) / height);
}

/** The number of samples in which a face was found. */
export const countPresence = (track: Track): number => track.filter((box) => box !== null).length;

/** Adds each box to the thread that it continues, or starts a new thread with it. */
function collectThreads(samples: readonly (readonly Box[])[]): Thread[] {
  const done: Thread[] = [];
  let open: Thread[] = [];
  samples.forEach((found, now) => {
    const boxes = found.toSorted((a, b) => b.width - a.width).slice(0, maxFaces);
    const lost = (thread: Thread) => now - thread.finds.at(-1)!.at;
    done.push(...open.filter((thread) => lost(thread) > maxLostSamples));
    open = open.filter((thread) => lost(thread) <= maxLostSamples);
    const lone = open.length === 1 && boxes.length === 1;
    const pairs = open
      .flatMap((thread) => {
        // The longer a face was lost, the further it may have moved.
        const maxDistance = (lone ? maxLoneMove : maxMove) * Math.sqrt(lost(thread));
        const last = thread.finds.at(-1)!.box;
        return boxes.map((box) => ({ thread, box, far: measureDistance(last, box), maxDistance }));
      })
      .filter(({ far, maxDistance }) => far <= maxDistance)
      .toSorted((a, b) => a.far - b.far);
    const taken = new Set<unknown>();
    for (const { thread, box } of pairs) {
      if (taken.has(thread) || taken.has(box)) continue;
      taken.add(thread).add(box);
      thread.finds.push({ at: now, box });
      thread.weight += box.width;
    }
    for (const box of boxes) {
      if (!taken.has(box)) open.push({ finds: [{ at: now, box }], weight: box.width });
    }
  });
  return [...done, ...open];
}

/**
 * Whether two threads are visible at the same time, and not only because of a few wrong detections.
 */
function isVisibleTogether(one: Thread, other: Thread): boolean {
  const times = new Set(one.finds.map(({ at }) => at));
  const common = other.finds.filter(({ at }) => times.has(at)).length;
  return common > 0.15 * Math.min(one.finds.length, other.finds.length);
}

/**
 * Joins the threads of a fast face: threads of about the same size that are never visible together.
 */
function joinThreads(all: readonly Thread[]): Thread[] {
  const faces: Thread[] = [];
  for (const thread of all) {
    const same = faces.find(
      (face) =>
        isAlike(face.finds.at(-1)!.box, thread.finds.at(-1)!.box) &&
        !isVisibleTogether(face, thread),
    );
    if (!same) {
      faces.push({ ...thread, finds: [...thread.finds] });
      continue;
    }
    const times = new Set(same.finds.map(({ at }) => at));
    const more = thread.finds.filter(({ at }) => !times.has(at));
    same.finds = [...same.finds, ...more].toSorted((a, b) => a.at - b.at);
    same.weight += more.reduce((sum, { box }) => sum + box.width, 0);
  }
  return faces;
}

const compareWeights = (a: Thread, b: Thread): number => b.weight - a.weight;

/**
 * Joins the faces of a shot's samples to tracks, highest weight first. Chance detections are
 * dropped: single ones among many samples, and faces in fewer samples than needed.
 */
export function findTracks(
  samples: readonly (readonly Box[])[],
  minSamples = samples.length / 4,
): Track[] {
  const minFinds = samples.length >= 8 ? 2 : 1;
  const seen = collectThreads(samples)
    .filter(({ finds }) => finds.length >= minFinds)
    .toSorted(compareWeights)
    .slice(0, maxThreads);
  return joinThreads(seen)
    .filter(({ finds }) => finds.length >= minSamples)
    .toSorted(compareWeights)
    .map(({ finds }) => {
      const track: Track = Array.from({ length: samples.length }, () => null);
      for (const { at, box } of finds) track[at] = box;
      return track;
    });
}
