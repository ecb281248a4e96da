import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { test } from 'node:test';
import { withPresets } from '../../tools/preset-page.ts';
import { loadPresets } from '../../packages/engine/src/style/presets.ts';

const docs = new URL('../../docs/', import.meta.url);

test('the page of the style presets is what the presets say (npm run pictures)', async () => {
  const page = await readFile(new URL('presets.md', docs), 'utf8');
  assert.equal(page, withPresets(page, [...(await loadPresets()).values()]));
});

test('each preset has its picture, and all of them together are small', async () => {
  const pictures = new URL('images/presets/', docs);
  const names = (await readdir(pictures)).sort();
  assert.deepEqual(names, [...(await loadPresets()).keys()].map((id) => `${id}.jpg`).sort());
  const sizes = await Promise.all(names.map((name) => stat(new URL(name, pictures))));
  assert.ok(sizes.reduce((sum, { size }) => sum + size, 0) < 400_000);
});
