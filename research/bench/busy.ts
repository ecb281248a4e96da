/**
 * What running exports cost a page that shows them: processor time of its main thread, and of the
 * whole browser. Only this: `node research/bench/busy.ts`, after `npm run build`.
 */
import { familyOf, sumOf } from './family.ts';
import { startMountPages, type MountPages } from './mount-server.ts';
import { median } from './statistics.ts';
import { markdownTable } from './table.ts';

const rounds = 3;
const windowMs = 5000;

interface Contender {
  readonly name: string;
  readonly kind: 'floor' | 'clip-export-button';
  readonly many: number;
  /** Seconds that each export is expected to take; 0 where nobody says. */
  readonly seconds: number;
  readonly reducedMotion?: boolean;
}

const button = { kind: 'clip-export-button', many: 100 } as const;
const contenders: readonly Contender[] = [
  { name: 'floor: 100 buttons with a bar that stands still', kind: 'floor', many: 100, seconds: 0 },
  { ...button, name: '1 busy button, of 60 s', many: 1, seconds: 60 },
  { ...button, name: '100 busy buttons, of 60 s', seconds: 60 },
  { ...button, name: '100 busy buttons, of 10 min', seconds: 600 },
  { ...button, name: '100 busy buttons, without an estimate', seconds: 0 },
  { ...button, name: '100 of 10 min, reduced motion', seconds: 600, reducedMotion: true },
  { ...button, name: '100 without an estimate, reduced motion', seconds: 0, reducedMotion: true },
];

export interface BusyResult {
  readonly name: string;
  /**
   * Milliseconds of a second that the page's main thread works, and all of the browser's processes.
   */
  readonly page: number;
  readonly browser: number;
}

async function measure(
  pages: MountPages,
  { kind, many, seconds, reducedMotion }: Contender,
): Promise<Omit<BusyResult, 'name'>> {
  const tab = await pages.open('busy-page.js');
  const value = reducedMotion ? 'reduce' : 'no-preference';
  await tab.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value }]);
  await tab.evaluate(`measure(${JSON.stringify(kind)}, ${many}, ${seconds})`);
  const session = await tab.createCDPSession();
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const look = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const valueOf = (wanted: string) => metrics.find(({ name }) => name === wanted)!.value;
    return {
      task: valueOf('TaskDuration'),
      all: sumOf(await familyOf(tab.browser().process()!.pid!), 'cpu'),
      at: performance.now(),
    };
  };
  // What the mounting left to do is done.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const before = await look();
  await new Promise((resolve) => setTimeout(resolve, windowMs));
  const after = await look();
  await tab.close();
  const took = (after.at - before.at) / 1000;
  return {
    page: ((after.task - before.task) * 1000) / took,
    browser: ((after.all - before.all) * 1000) / took,
  };
}

/** Rounds of a fresh page for each in turn. */
export async function benchBusy(): Promise<readonly BusyResult[]> {
  const pages = await startMountPages();
  try {
    const seen = contenders.map(() => [] as Omit<BusyResult, 'name'>[]);
    for (let round = 0; round < rounds; round++) {
      for (const [at, contender] of contenders.entries()) {
        seen[at]!.push(await measure(pages, contender));
      }
    }
    return contenders.map(({ name }, at) => ({
      name,
      page: median(seen[at]!.map(({ page }) => page)),
      browser: median(seen[at]!.map(({ browser }) => browser)),
    }));
  } finally {
    await pages.close();
  }
}

export const busyTable = (results: readonly BusyResult[]): string =>
  markdownTable(
    ['running exports', 'page, ms/s', 'browser, ms/s'],
    results.map(({ name, page, browser }) => [name, page.toFixed(1), browser.toFixed(0)]),
  );

if (import.meta.main) console.log(busyTable(await benchBusy()));
