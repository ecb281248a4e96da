import { median, markdownTable, ratios, writeRange } from './figures.ts';
import { startMountPages } from './mount/pages.ts';

const names = ['floor', 'clip-preview', 'clip-export-button'];
const rounds = 5;

/**
 * Milliseconds until 1,000 posters with a play button, or export buttons, are drawn, beside the
 * same by hand. Rounds of a fresh page for each in turn.
 */
export async function measure(): Promise<string> {
  const pages = await startMountPages();
  try {
    const times = new Map(names.map((name) => [name, [] as number[]]));
    for (let round = 0; round < rounds; round++) {
      for (const [name, seen] of times) {
        const tab = await pages.open();
        const took = await tab.evaluate(`measure(${JSON.stringify(name)}, 3)`);
        seen.push(median(took as number[]));
        await tab.close();
      }
    }
    const floor = times.get('floor')!;
    return markdownTable(
      ['1,000 of them', 'ms', '× floor', 'of all rounds'],
      [...times].map(([name, seen]) => [
        name,
        median(seen).toFixed(1),
        median(ratios(seen, floor)).toFixed(2),
        writeRange(ratios(seen, floor), 2),
      ]),
    );
  } finally {
    await pages.close();
  }
}
