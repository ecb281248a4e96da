import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

const root = new URL('../../', import.meta.url);

test('docs/performance.md has the limits of the build', async () => {
  const page = await readFile(new URL('docs/performance.md', root), 'utf8');
  const limits = JSON.parse(await readFile(new URL('.size-limit.json', root), 'utf8')) as {
    name: string;
    limit: string;
  }[];
  // Of the whole kit beside Lit, the page has only the preview.
  const shown = limits.filter(({ name }) => !name.startsWith('clip-kit beside Lit'));
  assert.deepEqual(
    [...page.matchAll(/\| ([\d.]+ kB) \|$/gm)].map(([, limit]) => limit).toSorted(),
    shown.map(({ limit }) => limit).toSorted(),
  );
});

test('the pages that quote sizes have the same figures', async () => {
  const read = (path: string) => readFile(new URL(path, root), 'utf8');
  const performance = await read('docs/performance.md');
  const sizeOf = (file: string): string => performance.split(`\`${file}\` | `)[1]!.split(' |')[0]!;
  const preview = sizeOf('clip-kit/define/clip-preview.js');
  const index = await read('docs/index.md');
  const comparison = await read('docs/comparison.md');
  assert.ok(index.includes(`[${sizeOf('clip-kit.js')}](performance.md)`));
  assert.ok(index.includes(`studio ${sizeOf('clip-studio.js')}.`));
  assert.ok(index.includes(`with a clip loads ${preview}.`));
  assert.ok(comparison.includes(`| ${sizeOf('clip-kit.js')} |`));
  assert.ok(comparison.includes(`loads ${preview} of clip-kit`));
});
