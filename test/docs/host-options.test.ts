/** The page of the host's options has each of them. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

const root = new URL('../../', import.meta.url);
const read = (path: string): Promise<string> => readFile(new URL(path, root), 'utf8');

test('docs/host-options.md has every option of createClipHost', async () => {
  const source = await read('packages/host/src/options.ts');
  const [, fields = ''] = /interface ClipHostOptions\b.*?\{\n(.*?)\n\}/s.exec(source) ?? [];
  const names = [...fields.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name = '']) => name);
  assert.ok(names.length > 12);
  const page = await read('docs/host-options.md');
  // The clock is for tests.
  const missing = names.filter((name) => name !== 'now' && !page.includes(`| \`${name}\` |`));
  assert.deepEqual(missing, []);
});
