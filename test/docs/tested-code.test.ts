/** A block behind `<!-- path -->` is that file, or some of its lines, and a test runs it. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';

const root = new URL('../../', import.meta.url);
const read = (path: string): Promise<string> => readFile(new URL(path, root), 'utf8');

/** Without the indentation that all lines have. */
function dedent(code: string): string {
  const lines = code.split('\n');
  const indents = lines.filter((line) => line.trim()).map((line) => line.search(/\S/));
  const least = Math.min(...indents);
  return lines.map((line) => line.slice(least).trimEnd()).join('\n');
}

/** Whether the block is a run of lines of the file, at any indentation. */
function isPartOf(file: string, block: string): boolean {
  const lines = file.split('\n');
  const wanted = dedent(block.trimEnd());
  const count = wanted.split('\n').length;
  return lines.some((_, at) => dedent(lines.slice(at, at + count).join('\n')) === wanted);
}

const marked = /^<!-- ((?:examples|integrations|test)\/\S+) -->\n```\w*\n(.*?)^```$/gms;
const pages = (await readdir(new URL('docs/', root), { recursive: true }))
  .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
  .map((name) => `docs/${name}`);

const texts = new Map(
  await Promise.all(pages.map(async (path) => [path, await read(path)] as const)),
);

describe('code in the documentation that a test runs', () => {
  for (const [path, text] of texts) {
    const blocks = [...text.matchAll(marked)];
    it(`${path}: every mark has its block`, () => {
      const marks = text.match(/^<!-- (examples|integrations|test)\//gm) ?? [];
      assert.equal(blocks.length, marks.length);
    });
    for (const [, file = '', code = ''] of blocks) {
      it(`${path}: ${file}`, async () => {
        assert.ok(isPartOf(await read(file), code), `The block is not in ${file}.`);
      });
    }
  }

  it('a block that differs would be found', () => {
    const file = 'function f() {\n  if (a) {\n    b();\n  }\n}\n';
    assert.ok(isPartOf(file, 'if (a) {\n  b();\n}\n'));
    assert.ok(!isPartOf(file, 'if (a) {\n  c();\n}\n'));
  });
});
