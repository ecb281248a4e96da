import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { listElements } from '../../tools/api-tables.ts';
import { developmentPages, docsPages } from '../../tools/docs-pages.ts';
import { writeEditorTexts } from '../../tools/editor-file-texts.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string): Promise<string> => readFile(new URL(path, root), 'utf8');
const files = await writeEditorTexts();
const elements = listElements(JSON.parse(await read('custom-elements.json')));

interface Named {
  name: string;
  values?: { name: string }[];
  valueSet?: string;
}

describe('what editors and assistants read', () => {
  for (const [name, text] of files) {
    it(`${name} is what the manifest and the docs say (else: npm run docs, npm run build)`, async () => {
      assert.equal(await read(name), text);
    });
  }

  it('package.json names the files', async () => {
    const packageJson = JSON.parse(await read('package.json'));
    assert.equal(packageJson['web-types'], './web-types.json');
    for (const name of files.keys()) assert.ok(packageJson.files.includes(name), name);
  });

  it('web-types.json has every attribute, property, event, slot and part', () => {
    const { contributions } = JSON.parse(files.get('web-types.json')!);
    const names = (list: readonly { name: string }[] = []) => list.map(({ name }) => name);
    for (const element of elements) {
      const found = contributions.html.elements.find(
        ({ name }: { name: string }) => name === element.tagName,
      );
      assert.deepEqual(names(found.attributes), names(element.attributes));
      assert.deepEqual(names(found.js.events), names(element.events));
      assert.deepEqual(names(found.slots), names(element.slots));
      assert.deepEqual(names(found.css.parts), names(element.cssParts));
      assert.deepEqual(
        names(found.js.properties),
        names(element.members.filter(({ kind }) => kind === 'field')),
      );
    }
  });

  it('vscode.html-custom-data.json offers words, flags and plain markup', () => {
    const data = JSON.parse(files.get('vscode.html-custom-data.json')!);
    const preview: { attributes: Named[] } = data.tags.find(
      ({ name }: Named) => name === 'clip-preview',
    );
    const attribute = (name: string) => preview.attributes.find((one) => one.name === name)!;
    assert.deepEqual(
      attribute('loading').values?.map(({ name }) => name),
      ['lazy', 'eager', 'click'],
    );
    assert.equal(attribute('loop').valueSet, 'v');
    const plain = (data.globalAttributes as Named[]).map(({ name }) => name);
    assert.ok(plain.includes('data-clip-preview') && plain.includes('data-clip-watermark-src'));
    assert.ok(!plain.includes('data-clip-endpoint') && !plain.includes('data-clip-token'));
  });

  it('llms.txt links to pages that exist, and llms-full.txt has them', async () => {
    const full = files.get('llms-full.txt')!;
    const paths = [...files.get('llms.txt')!.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path!);
    assert.ok(paths.length > 15);
    for (const path of paths) {
      await read(path);
      assert.ok(full.includes(`<!-- ${path} -->`), path);
    }
  });

  it('llms-full.txt has every page that the package has', async () => {
    const full = files.get('llms-full.txt')!;
    const pages = await readdir(new URL('docs/', root), { recursive: true });
    const missing = pages.filter(
      (page) => page.endsWith('.md') && !full.includes(`<!-- docs/${page} -->`),
    );
    const unpacked = [...developmentPages, ...docsPages['The engine']!].map((page) => `${page}.md`);
    assert.deepEqual(
      missing.filter((page) => !page.startsWith('decisions/')).toSorted(),
      [...unpacked, 'index.md'].toSorted(),
    );
  });

  it('teach React by its components', () => {
    const blocks = files.get('llms-full.txt')!.matchAll(/^```[jt]sx\n(.*?)^```$/gms);
    const tags = [...blocks].filter(
      ([, code = '']) =>
        /<clip-/.test(code) && !/solid|preact|qwik|@builder|import 'clip-kit'/.test(code),
    );
    assert.deepEqual(
      tags.map(([block]) => block),
      [],
    );
  });
});
