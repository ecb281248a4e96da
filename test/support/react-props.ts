import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Page } from 'puppeteer-core';
import { readElementModels } from '../../tools/element-model.ts';

interface Member {
  readonly name: string;
  readonly type?: { readonly text: string };
}

/** Two values of a property, by its type. */
function valuesOf(name: string, type: string): readonly [unknown, unknown] {
  if (type === 'boolean') return [true, false];
  if (name === 'volume') return [0.5, 0.25];
  if (/^number\b/.test(type) && !type.includes('string')) return [4, 5];
  const words = [...type.matchAll(/'([\w-]+)'/g)].map(([, word]) => word);
  if (words.length > 1) return [words.at(-1), words[0]];
  if (type.includes('WatermarkInput')) {
    return [{ src_url: 'https://x.example/a.png' }, { src_url: 'https://x.example/b.png' }];
  }
  return ['first', 'second'];
}

async function propsOf(): Promise<
  { component: string; tag: string; name: string; values: readonly [unknown, unknown] }[]
> {
  const file = new URL('../../custom-elements.json', import.meta.url);
  const manifest = JSON.parse(await readFile(file, 'utf8')) as {
    modules: { declarations: { name: string; members?: Member[] }[] }[];
  };
  const declarations = manifest.modules.flatMap((module) => module.declarations);
  return readElementModels().flatMap(({ tag, className, fields }) => {
    const { members = [] } = declarations.find(({ name }) => name === className)!;
    return (
      fields
        // A token cannot be read. Functions are compared by the page that calls them.
        .filter(({ name }) => name !== 'token' && name !== 'getToken')
        .map(({ name }) => {
          const type = members.find((member) => member.name === name)?.type?.text ?? '';
          return { component: className, tag, name, values: valuesOf(name, type) };
        })
    );
  });
}

/**
 * Sets, changes and removes every prop of every component, on a page that has
 * `draw(component, key, props)`. Afterwards the element must be as a new one.
 */
export async function checkProps(page: Page): Promise<void> {
  await page.waitForFunction('globalThis.draw');
  const props = await propsOf();
  const seen = await page.evaluate((all) => {
    const { draw } = globalThis as unknown as {
      draw(component: string, key: string, props: object): void;
    };
    return all.map(({ component, tag, name, values: [first, second] }) => {
      const value = (given: object) => {
        draw(component, name, given);
        return (document.querySelector(tag) as unknown as Record<string, unknown>)[name];
      };
      const fresh = value({});
      const shown = [{ [name]: first }, { [name]: second }, { [name]: first }].map(value);
      return { prop: `${component} ${name}`, fresh, shown, removed: value({}) };
    });
  }, props);
  assert.ok(seen.length > 50);
  assert.deepEqual(
    seen.map(({ prop, shown, removed }) => [prop, shown, removed ?? null]),
    seen.map(({ prop, fresh }, at) => {
      const [first, second] = props[at]!.values;
      return [prop, [first, second, first], fresh ?? null];
    }),
  );
}
