import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';

const root = new URL('../../', import.meta.url);
const pages = [
  'README.md',
  'CHANGELOG.md',
  ...(await readdir(new URL('docs/', root), { recursive: true }))
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`),
  ...(await readdir(new URL('examples/', root), { recursive: true }))
    .filter((path) => path.endsWith('.md'))
    .map((path) => `examples/${path}`),
];

/** The anchors of a page's headings, as code hosts make them. */
const anchorsOf = (page: string): string[] =>
  [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  );

describe('links in the documentation', () => {
  for (const path of pages) {
    it(`${path}: lead to what is there`, async () => {
      const page = await readFile(new URL(path, root), 'utf8');
      const prose = page.replaceAll(/^```.*?^```/gms, '');
      for (const [, target = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^[a-z]+:/.test(target)) continue;
        const [file = '', anchor] = target.split('#');
        const url = new URL(file || '', new URL(path, root));
        assert.ok(existsSync(url), target);
        if (!anchor) continue;
        const linked = await readFile(file ? url : new URL(path, root), 'utf8');
        assert.ok(anchorsOf(linked).includes(anchor), target);
      }
    });
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
