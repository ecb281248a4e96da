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

test('the pages that quote the size of a preview have the same figure', async () => {
  const read = (path: string) => readFile(new URL(path, root), 'utf8');
  const performance = await read('docs/performance.md');
  const [, size] = /`clip-kit\/define\/clip-preview\.js` \| ([\d.]+ kB) \|/.exec(performance)!;
  assert.ok((await read('docs/index.md')).includes(`[${size}](performance.md)`));
  assert.ok((await read('docs/comparison.md')).includes(`| ${size}, and`));
});
