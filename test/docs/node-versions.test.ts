/** One version of Node is enough for everything, and all pages name the same. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
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

describe('a program on an older Node', () => {
  for (const name of ['engine', 'mcp', 'service']) {
    it(`clip-${name} says which one it needs, and nothing else`, async () => {
      const folder = `packages/${name}/`;
      const { bin, engines } = JSON.parse(await read(`${folder}package.json`)) as {
        bin: Record<string, string>;
        engines: { node: string };
      };
      const program = fileURLToPath(
        new URL(folder + bin[`clip-${name}`], new URL('../../', import.meta.url)),
      );
      const run = (node: string) => {
        const versions = `{ value: { ...process.versions, node: '${node}' } }`;
        const older = `Object.defineProperty(process, 'versions', ${versions})`;
        const args = ['--import', `data:text/javascript,${older}`, program, '--help'];
        return spawnSync(process.execPath, args, { encoding: 'utf8' });
      };
      const least = engines.node.slice('>='.length);
      const [major = 0, minor = 0] = least.split('.').map(Number);
      for (const old of ['20.20.2', `${major}.${minor - 1}.9`]) {
        const { status, stdout, stderr } = run(old);
        assert.deepEqual([status, stdout], [1, '']);
        assert.equal(
          stderr,
          `clip-${name} needs Node ${least} or later, and this is Node ${old}: install a newer one.\n`,
        );
      }
      assert.equal(run(`${least}.0`).status, 0);
    });
  }
});
