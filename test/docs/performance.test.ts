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
