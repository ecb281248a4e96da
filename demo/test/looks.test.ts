import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';

const css = (
  await readFile(new URL('../pages/styles/print-look.css', import.meta.url), 'utf8')
).replaceAll(/\/\*.*?\*\//gs, '');

const rules = [...css.matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(([, selectors = '', body = '']) => ({
  selectors: selectors.split(/,(?=\s*:root)/).map((one) => one.trim()),
  properties: [...body.matchAll(/([\w-]+)\s*:/g)].map(([, name = '']) => name),
}));

describe('the second look', () => {
  test('is there only where it is chosen', () => {
    for (const { selectors } of rules) {
      for (const selector of selectors) assert.match(selector, /^:root\[data-look='print'\]/);
    }
  });

  test('is made of what a page may use: custom properties of the elements, and their parts', () => {
    assert.ok(rules.length > 10);
    for (const { selectors, properties } of rules) {
      const parts = selectors.every((selector) => /\bclip-.*::part\([\w-]+\)/.test(selector));
      const own = properties.every((name) => name.startsWith('--clip-'));
      assert.ok(parts || own, selectors.join());
    }
  });

  test('uses properties and parts that the manifest has', async () => {
    const manifest = await readFile(new URL('../../custom-elements.json', import.meta.url), 'utf8');
    const names = [...css.matchAll(/::part\(([\w-]+)\)|(--clip-[\w-]+)\s*:/g)].map(
      ([, part, property]) => part ?? property ?? '',
    );
    for (const name of new Set(names)) assert.ok(manifest.includes(`"name": "${name}"`), name);
  });
});
