/** Every file that the documentation shows is one that a test runs, as it is shown. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { check, getFileInfo, resolveConfig } from 'prettier';
import type { Site } from '../sites/site.ts';
import { shownFiles } from './shown-files.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string): Promise<string> => readFile(new URL(path, root), 'utf8');
const namesIn = async (path: string): Promise<string[]> => readdir(new URL(path, root));

/**
 * Pages whose files `programs.test.ts`, `studio-docs.suite.ts` and the two `sign-in.suite.ts` run.
 */
const ofExamples = ['agents', 'hosts/express', 'hosts/next', 'host-policies', 'start/studio'];
const ofSignIn = ['', '/php', '/python', '/ruby', '/go-java-csharp', '/elixir-perl'].map(
  (name) => `sign-in${name}`,
);

const ofSites = new Set<string>();
for (const name of await namesIn('test/sites/')) {
  if (!existsSync(new URL(`test/sites/${name}/site.ts`, root))) continue;
  const site = (await import(`../sites/${name}/site.ts`)) as { default: Site };
  for (const page of site.default.docs ?? []) ofSites.add(page);
}

const pages = new Map<string, string>();
for (const path of await readdir(new URL('docs/', root), { recursive: true })) {
  if (path.endsWith('.md')) pages.set(path.slice(0, -3), await read(`docs/${path}`));
}

describe('files in the documentation', () => {
  it('belong to a page that a site or an example is made from', () => {
    const showing = [...pages].filter(([, text]) => shownFiles(text).length).map(([page]) => page);
    const run = new Set([...ofSites, ...ofExamples, ...ofSignIn]);
    assert.deepEqual(showing.toSorted(), [...run].toSorted());
  });

  for (const [page, text] of pages) {
    if (!page.startsWith('start/')) continue;
    it(`${page}: every block is a whole file or a command`, () => {
      const blocks = text.match(/^```(?!sh\b)\w+$/gm) ?? [];
      assert.equal(shownFiles(text).length, blocks.length);
    });
  }

  it('are formatted as the project is', async () => {
    const config = await resolveConfig(new URL('package.json', root));
    for (const [page, text] of pages) {
      for (const { path, text: code } of shownFiles(text)) {
        const { inferredParser } = await getFileInfo(path);
        if (!inferredParser || inferredParser === 'markdown') continue;
        assert.ok(await check(code, { ...config, filepath: path }), `${page}: ${path}`);
      }
    }
  });
});

describe('the files of a page', () => {
  const page = '`a/b.ts`\n\n```ts\nlet a;\n```\n\nAt the end of `c.py`:\n\n```python\nb = 1\n```\n';

  it('are the blocks below a line that holds only a file name', () => {
    assert.deepEqual(shownFiles(page), [
      { path: 'a/b.ts', text: 'let a;\n', atEnd: false },
      { path: 'c.py', text: 'b = 1\n', atEnd: true },
    ]);
  });

  it('are no blocks below other lines', () => {
    assert.deepEqual(shownFiles('In `a.ts`:\n\n```ts\nlet a;\n```\n'), []);
  });
});
