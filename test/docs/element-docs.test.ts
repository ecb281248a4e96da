import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import {
  writeApiTables,
  listElements,
  writeErrorTable,
  withTables,
} from '../../tools/api-tables.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string): Promise<string> => readFile(new URL(path, root), 'utf8');
const elements = listElements(JSON.parse(await read('custom-elements.json')));

describe('the page of each element', () => {
  it('there is one for each', () => {
    assert.deepEqual(elements.map(({ tagName }) => tagName).sort(), [
      'clip-config',
      'clip-create',
      'clip-embed',
      'clip-export-button',
      'clip-export-many',
      'clip-feed',
      'clip-list',
      'clip-preview',
      'clip-videos',
    ]);
  });

  for (const element of elements) {
    const path = `docs/elements/${element.tagName}.md`;
    it(`${path} has the tables that the manifest gives (else: npm run docs)`, async () => {
      const page = await read(path);
      assert.equal(page, withTables(page, writeApiTables(element)));
    });

    it(`${path} names what the element has`, () => {
      const tables = writeApiTables(element);
      const names = [
        ...element.attributes,
        ...element.members,
        ...(element.events ?? []),
        ...(element.cssParts ?? []),
        ...(element.cssProperties ?? []),
        ...(element.cssStates ?? []),
      ].map(({ name }) => name);
      for (const name of names) assert.match(tables, new RegExp(`\`${name}[\`(]`), name);
    });
  }

  it('types are written out', () => {
    const preview = elements.find(({ tagName }) => tagName === 'clip-preview')!;
    assert.match(
      writeApiTables(preview),
      /\| `loading` \| `loading` \| `'lazy' \\\| 'eager' \\\| 'click'` \| `'lazy'` \|/,
    );
    for (const element of elements) {
      assert.doesNotMatch(writeApiTables(element), /`(Status|FrameStatus|ExportStatus)`/);
    }
  });
});

it('docs/api-errors.md has the codes of the service (else: npm run docs)', async () => {
  const page = await read('docs/api-errors.md');
  assert.equal(page, withTables(page, writeErrorTable(), 'api-error.ts'));
});

describe('withTables', () => {
  it('leaves alone what is written by hand', async () => {
    const page = await read('docs/elements/clip-config.md');
    const changed = withTables(page, 'Tables.');
    const [before = '', after = ''] = changed.split('\n\nTables.\n\n');
    assert.ok(page.startsWith(before));
    assert.ok(page.endsWith(after));
  });

  it('says so where the page has no place for them', () => {
    assert.throws(() => withTables('# A page', 'Tables.'), /needs the lines/);
  });
});
