import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import { describe, it } from 'node:test';
import { built, root } from './package-files.ts';

const read = (path: string): Promise<string> => readFile(root + path, 'utf8');

/** The line of a text, from 0, and its column there. */
function placeOf(text: string, wanted: string): [line: number, column: number] {
  const lines = text.slice(0, text.indexOf(wanted)).split('\n');
  return [lines.length - 1, lines.at(-1)!.length];
}

describe('source maps', () => {
  it('are beside each module that has code of its own', async () => {
    for (const file of built.filter(
      (one) => /\.js$/.test(one) && !/cdn\/locales|dist\/angular/.test(one),
    )) {
      const passesOn = !/^(?!import|export|\/\/|['"]use client|$)/m.test(await read(file));
      assert.ok(built.includes(`${file}.map`) || passesOn, file);
    }
  });

  for (const file of ['dist/elements/clip-preview/clip-preview.js', 'dist/cdn/clip-kit.js']) {
    it(`of ${file} leads to the line of the source`, async () => {
      const map = JSON.parse(await read(`${file}.map`));
      // It is after templates, which the build makes short.
      const name = 'preview-label';
      const entry = new SourceMap(map).findEntry(...placeOf(await read(file), name));
      assert.ok('originalSource' in entry);
      const index = map.sources.findIndex((one: string) => entry.originalSource.endsWith(one));
      const source = map.sourcesContent[index].split('\n')[entry.originalLine];
      assert.ok(source.includes(name), source);
    });
  }
});

describe("'use client'", () => {
  it('is only in the modules for server components: bundlers without them warn of it', async () => {
    const found: string[] = [];
    for (const file of built.filter((one) => one.endsWith('.js'))) {
      if (/^['"]use client/.test(await read(file))) found.push(file);
    }
    const tags = [
      'config',
      'create',
      'embed',
      'export-button',
      'export-many',
      'feed',
      'list',
      'preview',
      'videos',
    ];
    assert.deepEqual(
      found.toSorted(),
      tags.map((tag) => `dist/react/client/clip-${tag}.js`),
    );
  });
});
