import type { Dimensions } from '../../edit.ts';
import { openNetworkFinder } from '../faces/face-finder.ts';
import {
  type FinderOptions,
  isSameScene,
  type Subject,
  type SubjectFinder,
} from '../subject-finder.ts';

/**
 * Pictures from one search to the next: half a second after a cut or where letters seem to come or
 * go, otherwise two.
 */
const searchEvery = { new: 2, known: 8 } as const;

/** Text to read fills this many blocks of a picture beside each other, at least in part. */
const minRun = 3;

/** Finds the lines of text in the pictures of a clip. */
export function createTextFinder({ size, isFew = false }: FinderOptions): SubjectFinder {
  const finder = openNetworkFinder(size, 'text');
  let before: Uint8Array | null = null;
  let since: number = searchEvery.known;
  let found: Subject[] | null = null;
  /** The edges of the picture that was searched last. */
  let searched: Float32Array | null = null;

  /** The search costs a hundred times as much as counting edges. */
  const search = async (picture: Uint8Array, edges: Float32Array): Promise<Subject[]> => {
    // A line that was found may become another one; a new one is longer.
    const run = found?.length ? 1 : minRun;
    if (found && searched && !hasOtherLetters(edges, { run, before: searched })) return found;
    searched = edges;
    if (!hasOtherLetters(edges, { run: minRun })) return [];
    return (await finder.search(picture)).map((box): Subject => ({ kind: 'text', box }));
  };

  return {
    find: async (picture) => {
      if (before === null || !isSameScene(picture, before)) found = null;
      before = picture;
      since += 1;
      const edges = measureEdgeShares(picture, size);
      const isNew =
        !found ||
        !searched ||
        hasOtherLetters(edges, { run: minRun, before: searched, share: drawn });
      if (!isFew && since < searchEvery[isNew ? 'new' : 'known']) return found ?? [];
      since = 0;
      found = await search(picture, edges);
      return found;
    },
    close: () => finder.close(),
  };
}

/** Number of blocks that a picture is divided into. */
const blocks = { across: 16, down: 18 } as const;

/** Letters differ from their ground by this much within two pixels, of 255. */
const minStep = 24;
/** Where letters are, this share of a block's pixels is at such a step: faint ones, drawn ones. */
const faint = 0.03;
const drawn = 0.1;

/** The share of sharp steps in each block of a picture with four bytes per pixel. */
export function measureEdgeShares(
  picture: Uint8Array,
  { width, height }: Dimensions,
): Float32Array {
  const shares = new Float32Array(blocks.across * blocks.down);
  for (let down = 0; down < blocks.down; down++) {
    const bottom = Math.floor(((down + 1) * height) / blocks.down);
    for (let across = 0; across < blocks.across; across++) {
      const right = Math.min(width - 2, Math.floor(((across + 1) * width) / blocks.across));
      const left = Math.floor((across * width) / blocks.across);
      let [steps, count] = [0, 0];
      for (let y = Math.floor((down * height) / blocks.down); y < bottom; y += 2) {
        for (let x = left; x < right; x++, count++) {
          const green = 4 * (y * width + x) + 1;
          if (Math.abs(picture[green]! - picture[green + 8]!) >= minStep) steps += 1;
        }
      }
      shares[down * blocks.across + across] = steps / Math.max(1, count);
    }
  }
  return shares;
}

/**
 * Whether enough neighbouring blocks have gained or lost what may be letters.
 * @param options.before the edges of a picture without letters if omitted
 * @param options.share the least change of a block; if omitted, also that of faint letters
 */
export function hasOtherLetters(
  now: Float32Array,
  { run, before, share = faint }: { run: number; before?: Float32Array; share?: number },
): boolean {
  let beside = 0;
  return now.some((steps, at) => {
    if (at % blocks.across === 0) beside = 0;
    beside = Math.abs(steps - (before?.[at] ?? 0)) >= share ? beside + 1 : 0;
    return beside >= run;
  });
}
