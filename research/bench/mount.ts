/**
 * Time to mount 1,000 posters with a play button: `<clip-preview loading="click">` beside two
 * facades written by hand (the floors: one of the same structure, and the leanest) and two
 * well-known elements of the kind; and 1,000 export buttons. Only this: `node
 * research/bench/mount.ts`, after `npm run build`.
 */
import { startMountPages } from './mount-server.ts';
import { median, ratios } from './statistics.ts';
import { markdownTable } from './table.ts';

const names = [
  'lean floor',
  'floor',
  'clip-preview',
  'clip-export-button',
  'lite-youtube-embed',
  '@justinribeiro/lite-youtube',
] as const;
type Name = (typeof names)[number];

const rounds = 5;
const repeats = 3;

export interface MountResult {
  readonly name: Name;
  /** Milliseconds for 1,000, median over the rounds. */
  readonly time: number;
  /** How many times the lean floor's time: the median of each round's own ratio. */
  readonly overLeanFloor: number;
  /** How many times the floor's, likewise. */
  readonly overFloor: number;
  /** How many times that of `<clip-preview>`, likewise. */
  readonly overPreview: number;
}

/**
 * Rounds of a fresh page for each contender in turn, so that what slows the machine slows all of
 * them.
 */
export async function benchMount(): Promise<MountResult[]> {
  const pages = await startMountPages();
  try {
    const times = new Map<Name, number[]>(names.map((name) => [name, []]));
    for (let round = 0; round < rounds; round++) {
      // Each round begins with another.
      for (const name of [...names.slice(round), ...names.slice(0, round)]) {
        const tab = await pages.open('page.js');
        const took = (await tab.evaluate(
          `measure(${JSON.stringify(name)}, ${repeats})`,
        )) as number[];
        times.get(name)!.push(median(took));
        await tab.close();
      }
    }
    return names.map((name) => ({
      name,
      time: median(times.get(name)!),
      overLeanFloor: median(ratios(times.get(name)!, times.get('lean floor')!)),
      overFloor: median(ratios(times.get(name)!, times.get('floor')!)),
      overPreview: median(ratios(times.get(name)!, times.get('clip-preview')!)),
    }));
  } finally {
    await pages.close();
  }
}

export const mountTable = (results: readonly MountResult[]): string =>
  markdownTable(
    ['1,000 posters', 'ms', '× lean floor', '× floor', '× clip-preview'],
    results.map(({ name, time, overLeanFloor, overFloor, overPreview }) => [
      name,
      time.toFixed(1),
      overLeanFloor.toFixed(2),
      overFloor.toFixed(2),
      overPreview.toFixed(2),
    ]),
  );

if (import.meta.main) console.log(mountTable(await benchMount()));
