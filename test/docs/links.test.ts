import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { findDeadLinks } from '../../tools/markdown-links.ts';

const root = new URL('../../', import.meta.url);
const pages = [
  'README.md',
  'src/README.md',
  'packages/host/README.md',
  'CHANGELOG.md',
  ...(await readdir(new URL('docs/', root), { recursive: true }))
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`),
  ...(await readdir(new URL('examples/', root), { recursive: true }))
    .filter((path) => path.endsWith('.md'))
    .map((path) => `examples/${path}`),
];

/** A folder is an empty text. */
function readRepository(path: string): string | undefined {
  const url = new URL(path, root);
  const stat = statSync(url, { throwIfNoEntry: false });
  return stat && (stat.isFile() ? readFileSync(url, 'utf8') : '');
}

describe('links in the documentation', () => {
  for (const path of pages) {
    it(`${path}: lead to what is there`, () =>
      assert.deepEqual(findDeadLinks(path, readRepository), []));
  }
  for (const path of pages.filter((page) => page.startsWith('docs/'))) {
    it(`${path}: leads to the specification, if it cites it`, async () => {
      const page = await readFile(new URL(path, root), 'utf8');
      const cited = /\bthe specification\b|\(4\.\d+\)/i.exec(page.replace(/^# .*/, ''));
      if (!cited || path === 'docs/specification.md') return;
      assert.ok(page.includes('specification.md'), cited[0]);
    });
  }
});
