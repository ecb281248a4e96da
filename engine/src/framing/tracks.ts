import type { Box } from '../edit.ts';

/** One face over the time of a shot: its box at each sample, null where it was not found. */
export type Track = (Box | null)[];

/** Finds that go on each other: a face as far as it could be followed. */
interface Thread {
  finds: { at: number; box: Box }[];
  /** Size times presence. */
  weight: number;
}

/** Samples for which a face may be lost and still be the same one. */
const patience = 6;
/** How far a face may move between two samples, in its own widths: one among several, and the only one. */
const reach = 0.9;
const loneReach = 3;
/** How much it may grow or shrink. */
const growth = 1.8;
/** Most faces of a picture, and most threads of a shot, that are followed: a crowd has no subject. */
const mostFaces = 12;
const mostThreads = 60;

const middle = (box: Box) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });

const alike = (a: Box, b: Box): boolean => Math.max(a.width / b.width, b.width / a.width) <= growth;

function apart(a: Box, b: Box): number {
  if (!alike(a, b)) return Infinity;
  const [from, to] = [middle(a), middle(b)];
  const width = Math.max(a.width, b.width);
  const height = Math.max(a.height, b.height);
  return Math.hypot((from.x - to.x) / width, (from.y - to.y) / height);
}

/** Samples in which a face was found. */
export const presence = (track: Track): number => track.filter((box) => box !== null).length;

/** Puts each box to the thread that it goes on, or begins one with it. */
function threads(samples: readonly (readonly Box[])[]): Thread[] {
  const done: Thread[] = [];
  let open: Thread[] = [];
  samples.forEach((found, now) => {
    const boxes = found.toSorted((a, b) => b.width - a.width).slice(0, mostFaces);
    const lost = (thread: Thread) => now - thread.finds.at(-1)!.at;
    done.push(...open.filter((thread) => lost(thread) > patience));
    open = open.filter((thread) => lost(thread) <= patience);
    const lone = open.length === 1 && boxes.length === 1;
    const pairs = open
      .flatMap((thread) => {
        // The longer it was lost, the further it may have gone.
        const most = (lone ? loneReach : reach) * Math.sqrt(lost(thread));
        const last = thread.finds.at(-1)!.box;
        return boxes.map((box) => ({ thread, box, far: apart(last, box), most }));
      })
      .filter(({ far, most }) => far <= most)
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

/** Whether two are seen at the same time, and not only for a moment in which a chance find was one of them. */
function together(one: Thread, other: Thread): boolean {
  const times = new Set(one.finds.map(({ at }) => at));
  const common = other.finds.filter(({ at }) => times.has(at)).length;
  return common > 0.15 * Math.min(one.finds.length, other.finds.length);
}

/** What goes fast leaves threads one after the other: those of one size that are never seen together are one face. */
function spliced(all: readonly Thread[]): Thread[] {
  const faces: Thread[] = [];
  for (const thread of all) {
    const same = faces.find(
      (face) => alike(face.finds.at(-1)!.box, thread.finds.at(-1)!.box) && !together(face, thread),
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

const heaviest = (a: Thread, b: Thread): number => b.weight - a.weight;

/**
 * Puts the faces of a shot's samples together to tracks, the weightiest first (size times presence). Chance finds are left
 * out: single ones among many samples, and faces seen in less than a quarter of the samples.
 */
export function tracksOf(samples: readonly (readonly Box[])[]): Track[] {
  const least = samples.length >= 8 ? 2 : 1;
  const seen = threads(samples)
    .filter(({ finds }) => finds.length >= least)
    .toSorted(heaviest)
    .slice(0, mostThreads);
  return spliced(seen)
    .filter(({ finds }) => finds.length >= samples.length / 4)
    .toSorted(heaviest)
    .map(({ finds }) => {
      const track: Track = Array.from({ length: samples.length }, () => null);
      for (const { at, box } of finds) track[at] = box;
      return track;
    });
}
