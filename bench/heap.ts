import { markdownTable, median, writeRange } from './figures.ts';
import { startMountPages, type MountPages } from './mount/pages.ts';

/** The first is the control, which does the same by hand. */
const names = ['floor', 'clip-preview', 'clip-preview, lazy', 'clip-export-button'];

const rounds = 5;
/** Rounds before them, in which caches and tables reach their size. */
const warmUps = 3;
/** Bytes a thousand elements: one kept object of each would be more than this, however small. */
export const resolution = 16_000;

/** Measures `rounds` of `many` fresh elements each, in a fresh page, after `warmUp` rounds. */
export async function measureGrowth(
  pages: MountPages,
  name: string,
  rounds: number,
  many: number,
  warmUp = 1,
) {
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
    /** Growth of the heap a thousand elements, for each round after the warm-up. */
    bytes: snapshots
      .slice(1)
      .map(({ usedSize }, at) => ((usedSize - snapshots[at]!.usedSize) * 1000) / many),
    // What there is more at the end than after warming up.
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
    const growths: Awaited<ReturnType<typeof measureGrowth>>[] = [];
    for (const name of names) {
      growths.push(await measureGrowth(pages, name, rounds, 1000, warmUps));
    }
    const rows = growths.map(({ bytes, nodes, listeners, documents }, index) => {
      const kilobytes = bytes.map((size) => size / 1000);
      const figures = [median(kilobytes).toFixed(1), writeRange(kilobytes, 1)];
      const left = String(nodes + listeners + documents);
      const verdict = isNoise(bytes, growths[0]!.bytes) ? 'yes' : 'NO';
      return [names[index]!, ...figures, left, index === 0 ? 'control' : verdict];
    });
    const head = ['1,000 mounted and unmounted', 'heap kB', 'of all rounds', 'left over', 'noise'];
    return markdownTable(head, rows);
  } finally {
    await pages.close();
  }
}
