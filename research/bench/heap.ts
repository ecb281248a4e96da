/**
 * What is left of elements that were put into a page and taken out again: growth of the heap a
 * thousand, after forced collection. Only this: `node research/bench/heap.ts`, after `npm run
 * build`.
 */
import { startMountPages, type MountPages } from './mount-server.ts';
import { median, range } from './statistics.ts';
import { markdownTable } from './table.ts';

/** Each element, and the control that does the same by hand: it is its own where it is one. */
export const heapContenders = {
  floor: 'floor',
  'clip-preview': 'floor',
  'clip-preview, lazy': 'floor',
  'clip-export-button': 'floor',
  'floor, its frame loaded': 'floor, its frame loaded',
  'clip-preview, its frame loaded': 'floor, its frame loaded',
  'clip-embed, its frame loaded': 'floor, its frame loaded',
} as const;
export type HeapContender = keyof typeof heapContenders;
const names = Object.keys(heapContenders) as HeapContender[];
const rounds = 5;
/** Rounds before them, in which caches and tables reach their size. */
const warmUps = 3;
/** A page that is loaded takes some ten milliseconds, so these are fewer. */
const manyOf = (name: HeapContender): number => (name.includes('frame') ? 200 : 1000);
/** Bytes a thousand elements: one kept object of each would be more than this, however small. */
export const resolution = 16_000;

export interface HeapGrowth {
  /** Bytes of the heap a thousand elements, for each round after the warm-up. */
  readonly bytes: readonly number[];
  /** What there is more at the end than after warming up. */
  readonly nodes: number;
  readonly listeners: number;
  readonly documents: number;
}

/**
 * Measures `rounds` of `many` fresh elements each, in a fresh page, after `warmUp` rounds.
 */
export async function heapGrowth(
  pages: MountPages,
  name: HeapContender,
  rounds: number,
  many: number,
  warmUp = 1,
): Promise<HeapGrowth> {
  const tab = await pages.open('heap-page.js');
  const session = await tab.createCDPSession();
  await session.send('HeapProfiler.enable');
  const cycle = async () => {
    await tab.evaluate(`cycle(${JSON.stringify(name)}, ${many})`);
    // Several, with time between: what the first one frees among nodes and signals may have held
    // something in the heap.
    for (let turn = 0; turn < 3; turn++) {
      await session.send('HeapProfiler.collectGarbage');
      await tab.evaluate('new Promise((resolve) => setTimeout(resolve, 50))');
    }
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    return { usedSize, ...(await session.send('Memory.getDOMCounters')) };
  };
  for (let at = 1; at < warmUp; at++) await cycle();
  const snapshots = [await cycle()];
  while (snapshots.length <= rounds) snapshots.push(await cycle());
  await tab.close();
  const [first, last] = [snapshots[0]!, snapshots.at(-1)!];
  return {
    bytes: snapshots
      .slice(1)
      .map(({ usedSize }, at) => ((usedSize - snapshots[at]!.usedSize) * 1000) / many),
    nodes: last.nodes - first.nodes,
    listeners: last.jsEventListeners - first.jsEventListeners,
    documents: last.documents - first.documents,
  };
}

export interface HeapResult {
  readonly name: HeapContender;
  /** Bytes a thousand elements: the median of the rounds, and their range. */
  readonly growth: number;
  readonly range: { readonly min: number; readonly max: number };
  /** Nodes, listeners and documents that are left over. */
  readonly left: number;
  /**
   * Whether the growth is the control's, but for the control's own spread and what cannot be told
   * apart.
   */
  readonly withinNoise: boolean;
}

/** Compares each with its control, which must be among them. */
export const heapResults = (
  growths: ReadonlyMap<HeapContender, HeapGrowth>,
): readonly HeapResult[] =>
  [...growths].map(([name, { bytes, nodes, listeners, documents }]) => {
    const control = growths.get(heapContenders[name])!.bytes;
    const spread = range(control);
    const allowed = median(control) + Math.max(spread.max - spread.min, resolution);
    const growth = median(bytes);
    const left = nodes + listeners + documents;
    return { name, growth, range: range(bytes), left, withinNoise: growth <= allowed };
  });

export async function benchHeap(): Promise<readonly HeapResult[]> {
  const pages = await startMountPages();
  try {
    const growths = new Map<HeapContender, HeapGrowth>();
    for (const name of names) {
      growths.set(name, await heapGrowth(pages, name, rounds, manyOf(name), warmUps));
    }
    return heapResults(growths);
  } finally {
    await pages.close();
  }
}

// No minus before a zero.
const kilobytes = (bytes: number): string => (Math.round(bytes / 100) / 10 || 0).toFixed(1);

export const heapTable = (results: readonly HeapResult[]): string =>
  markdownTable(
    ['1,000 mounted and unmounted', 'heap kB', 'range', 'left over', "within the control's noise"],
    results.map((one) => [
      one.name,
      kilobytes(one.growth),
      `${kilobytes(one.range.min)} to ${kilobytes(one.range.max)}`,
      String(one.left),
      heapContenders[one.name] === one.name ? 'control' : one.withinNoise ? 'yes' : 'NO',
    ]),
  );

if (import.meta.main) console.log(heapTable(await benchHeap()));
