import { markdownTable, median, writeRange } from './figures.ts';
import { startMountPages, type MountPages } from './mount/pages.ts';

/** Each element, and the control that does the same by hand: a control is its own. */
const controls = {
  floor: 'floor',
  'clip-preview': 'floor',
  'clip-preview, lazy': 'floor',
  'clip-export-button': 'floor',
  'floor, its frame loaded': 'floor, its frame loaded',
  'clip-preview, its frame loaded': 'floor, its frame loaded',
  'clip-embed, its frame loaded': 'floor, its frame loaded',
} as const;
export type HeapContender = keyof typeof controls;

const rounds = 5;
/** Rounds before them, in which caches and tables reach their size. */
const warmUps = 3;
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

/** Measures `rounds` of `many` fresh elements each, in a fresh page, after `warmUp` rounds. */
export async function measureGrowth(
  pages: MountPages,
  name: HeapContender,
  rounds: number,
  many: number,
  warmUp = 1,
): Promise<HeapGrowth> {
  const tab = await pages.open();
  const session = await tab.createCDPSession();
  await session.send('HeapProfiler.enable');
  const cycle = async () => {
    await tab.evaluate(`cycle(${JSON.stringify(name)}, ${many})`);
    // Several, with time between: what the first one frees may have held something in the heap.
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

/** Whether growth is what the control grows, but for its spread and what cannot be told apart. */
export function isNoise(growth: readonly number[], control: readonly number[]): boolean {
  const spread = Math.max(...control) - Math.min(...control);
  return median(growth) <= median(control) + Math.max(spread, resolution);
}

/** What is left of elements that were put into a page and taken out again. */
export async function measure(): Promise<string> {
  const pages = await startMountPages();
  try {
    const growths = new Map<string, HeapGrowth>();
    for (const name of Object.keys(controls) as HeapContender[]) {
      // A page that is loaded takes some ten milliseconds, so these are fewer.
      const many = name.includes('frame') ? 200 : 1000;
      growths.set(name, await measureGrowth(pages, name, rounds, many, warmUps));
    }
    const rows = Object.entries(controls).map(([name, control]) => {
      const { bytes, nodes, listeners, documents } = growths.get(name)!;
      const kilobytes = bytes.map((size) => size / 1000);
      const verdict = isNoise(bytes, growths.get(control)!.bytes) ? 'yes' : 'NO';
      return [
        name,
        median(kilobytes).toFixed(1),
        writeRange(kilobytes, 1),
        String(nodes + listeners + documents),
        name === control ? 'control' : verdict,
      ];
    });
    const head = ['1,000 mounted and unmounted', 'heap kB', 'of all rounds', 'left over'];
    return markdownTable([...head, "within the control's noise"], rows);
  } finally {
    await pages.close();
  }
}
