import { spawnSync } from 'node:child_process';
import { markdownTable } from './figures.ts';

/** What each entry of the kit weighs, compressed, beside its limit (`npm run size`). */
export async function measure(): Promise<string> {
  const { stdout } = spawnSync('npx', ['size-limit', '--json'], { encoding: 'utf8' });
  const found = JSON.parse(stdout) as { name: string; size: number; sizeLimit: number }[];
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
  return markdownTable(
    ['what a page loads', 'compressed', 'limit'],
    found.map(({ name, size, sizeLimit }) => [name, kilobytes(size), kilobytes(sizeLimit)]),
  );
}
