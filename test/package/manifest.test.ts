/** What tools read from `custom-elements.json` is in the package. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { describe, it } from 'node:test';
import { built, root } from './package-files.ts';

interface Reference {
  readonly name: string;
  readonly package?: string;
  readonly module?: string;
}

interface Manifest {
  readonly modules: readonly {
    readonly path: string;
    readonly declarations: readonly {
      readonly tagName?: string;
      readonly events?: readonly { name: string; type: { references?: readonly Reference[] } }[];
    }[];
    readonly exports?: readonly { readonly name: string; readonly declaration: Reference }[];
  }[];
}

const manifest = JSON.parse(readFileSync(`${root}custom-elements.json`, 'utf8')) as Manifest;

/** Every `path` and `module` in it. */
function pathsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    (key === 'path' || key === 'module') && typeof one === 'string' ? [one] : pathsIn(one),
  );
}

describe('custom-elements.json', () => {
  it('names only modules of the package', () => {
    const missing = new Set(pathsIn(manifest).filter((path) => !built.includes(path)));
    assert.deepEqual([...missing], []);
  });

  it('names only what those modules export', async () => {
    for (const { exports = [] } of manifest.modules) {
      for (const { declaration } of exports) {
        const url = pathToFileURL(root + declaration.module!).href;
        const module = (await import(url)) as object;
        assert.ok(declaration.name in module, `${declaration.module}: ${declaration.name}`);
      }
    }
  });

  it('says where the class of each event is', async () => {
    const events = manifest.modules
      .flatMap(({ declarations }) => declarations)
      .flatMap(({ tagName, events = [] }) => (tagName ? events : []));
    assert.ok(events.length > 40);
    for (const { name, type } of events) {
      const [reference] = type.references ?? [];
      if (!name.startsWith('clip-')) {
        assert.deepEqual([reference?.name, reference?.package], ['Event', 'global:'], name);
        continue;
      }
      const module = (await import(pathToFileURL(root + reference?.module).href)) as object;
      assert.ok(reference!.name in module, name);
    }
  });
});
