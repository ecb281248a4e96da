import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { listElements } from '../../../tools/api-tables.ts';
import type { Site } from '../site.ts';

const story = (name: string): string => `/iframe.html?id=pages--${name}&viewMode=story`;

export default {
  title: 'Storybook 10',
  docs: ['editors'],
  rendered: 'no',
  build: ['storybook', 'build', '--quiet', '--disable-telemetry'],
  serve: { directory: 'storybook-static' },
  paths: { home: story('home'), clip: story('clip') },
  /** Its page of each element has all that the manifest names. */
  look: async (page, origin) => {
    const elements = listElements(JSON.parse(await readFile('custom-elements.json', 'utf8')));
    for (const tag of ['clip-preview', 'clip-embed', 'clip-export-button']) {
      await page.goto(`${origin}/iframe.html?id=elements-${tag}--docs&viewMode=docs`);
      await page.waitForSelector('.docblock-argstable-body');
      const text = await page.$eval('.docblock-argstable-body', (table) => table.textContent);
      const { attributes, events, slots, cssParts } = elements.find(
        ({ tagName }) => tagName === tag,
      )!;
      // Of an attribute, a slot and a part with one name, Storybook shows the last.
      for (const { name } of [attributes, events ?? [], slots ?? [], cssParts ?? []].flat()) {
        assert.ok(text.includes(name), `${tag}: ${name}`);
      }
      assert.ok(text.includes(attributes.find(({ name }) => name === 'project')!.description!));
    }
  },
} satisfies Site;
