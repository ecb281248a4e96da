/** One version of Node is enough for everything, and all pages name the same. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): Promise<string> => readFile(root + path, 'utf8');
const version = '22.18';

describe('the version of Node', () => {
  for (const manifest of globSync('packages/*/package.json', { cwd: root })) {
    it(`is that of ${manifest}`, async () => {
      const { engines } = JSON.parse(await read(manifest)) as { engines: { node: string } };
      assert.equal(engines.node, `>=${version}`);
    });
  }

  it('is the same on all pages', async () => {
    const pages = globSync(['docs/**/*.md', 'packages/**/README.md'], {
      cwd: root,
      exclude: ['**/node_modules/**', 'docs/decisions/**'],
    });
    const found = await Promise.all(
      pages.map(async (page) =>
        [...(await read(page)).matchAll(/\bNode (\d[\d.]*\d) (?:or|and) later/g)].map(
          ([, named]) => `${page}: ${named}`,
        ),
      ),
    );
    assert.ok(found.flat().length > 10);
    assert.deepEqual(
      found.flat().filter((line) => !line.endsWith(`: ${version}`)),
      [],
    );
  });
});
