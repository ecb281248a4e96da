/**
 * Time to mount 1,000 posters with a play button: `<clip-preview loading="click">` beside a facade written by hand (the
 * floor) and two well-known elements of the kind. Run alone: `node bench/mount.ts`, after `npm run build`.
 */
import { startMountPages } from './mount-server.ts';
import { median, ratios } from './statistics.ts';
import { markdownTable } from './table.ts';

const names = [
  'floor',
  'clip-preview',
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
  /** How many times the floor's time: the median of each round's own ratio. */
  readonly overFloor: number;
  /** How many times that of `<clip-preview>`, likewise. */
  readonly overPreview: number;
}

/** Rounds of a fresh page for each contender in turn, so that what slows the machine slows all of them. */
export const benchMount = async (): Promise<MountResult[]> => {
  const pages = await startMountPages();
  try {
    const times = new Map<Name, number[]>(names.map((name) => [name, []]));
    for (let round = 0; round < rounds; round++) {
      // Each round begins with another.
      for (const name of [...names.slice(round % 4), ...names.slice(0, round % 4)]) {
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
      overFloor: median(ratios(times.get(name)!, times.get('floor')!)),
      overPreview: median(ratios(times.get(name)!, times.get('clip-preview')!)),
    }));
  } finally {
    await pages.close();
  }
};

export const mountTable = (results: readonly MountResult[]): string =>
  markdownTable(
    ['1,000 posters', 'ms', '× floor', '× clip-preview'],
    results.map(({ name, time, overFloor, overPreview }) => [
      name,
      time.toFixed(1),
      overFloor.toFixed(2),
      overPreview.toFixed(2),
    ]),
  );

if (import.meta.main) console.log(mountTable(await benchMount()));
