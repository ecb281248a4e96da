import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { listElements } from '../../tools/api-tables.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string): Promise<string> => readFile(new URL(path, root), 'utf8');
const elements = new Map(
  listElements(JSON.parse(await read('custom-elements.json'))).map((one) => [one.tagName, one]),
);
const names = (list: readonly { readonly name: string }[] = []): string[] =>
  list.map(({ name }) => name);

/** Attributes of all elements, and those that frameworks add. */
const common = /^(?:lang|dir|id|class|style|slot|ref)$/;

/** The plain name for a framework's spelling of an attribute, a property or an event. */
const plainName = (written: string): string =>
  written
    .replace(/^\[(?:attr\.)?(.*)\]$/, '$1')
    .replace(/^\((.*)\)$/, '@$1')
    .replace(/^on(?=clip-)/, '@')
    .replace(/^:([\w-]+?)(?:\.prop)?$/, '$1')
    .replace(/^\{(\w+)\}$/, '$1');

/** The names in each tag of an element, by tag. Throws if a tag has no end. */
const tagsOf = (code: string): { tag: string; written: string[] }[] =>
  [...code.matchAll(/<(clip-[\w-]+)/g)].map((start) => {
    const attribute = /\s+([^\s"'=<>{}/]+|\{\w+\})(="[^"]*"|=\{(?:[^{}]|\{[^{}]*\})*\})?/y;
    const end = /\s*\/?>/y;
    const written: string[] = [];
    let at = start.index + start[0].length;
    for (;;) {
      attribute.lastIndex = end.lastIndex = at;
      if (end.test(code)) return { tag: start[1]!, written };
      const [all, name] = attribute.exec(code) ?? [];
      assert.ok(all && name, `a tag that cannot be read: ${code.slice(start.index, at + 40)}`);
      written.push(name);
      at += all.length;
    }
  });

const pages = [
  'README.md',
  'docs/start/studio.md',
  ...(await Promise.all(
    ['docs/elements/', 'docs/recipes/'].map(async (folder) =>
      (await readdir(new URL(folder, root))).map((file) => folder + file),
    ),
  ).then((lists) => lists.flat())),
];

describe('examples in the documentation', () => {
  for (const path of pages) {
    it(`${path}: use what the elements have`, async () => {
      const page = await read(path);
      const blocks = [...page.matchAll(/^```[\w ]*\n(.*?)^```/gms)].map(([, code = '']) => code);
      for (const { tag, written } of blocks.flatMap(tagsOf)) {
        const element = elements.get(tag);
        assert.ok(element, tag);
        const known = new Set([
          ...names(element.attributes),
          ...names(element.members),
          ...names(element.events).map((name) => `@${name}`),
        ]);
        for (const one of written) {
          const name = plainName(one);
          assert.ok(common.test(name) || known.has(name), `<${tag}> has no ${one}`);
        }
      }
    });

    it(`${path}: mark plain markup with what the script upgrades`, async () => {
      const data = JSON.parse(await read('vscode.html-custom-data.json'));
      // Not of plain markup: the session in the page.
      const known = [...names(data.globalAttributes), 'data-clip-session'];
      for (const [, code = ''] of (await read(path)).matchAll(/^```html(?: live)?\n(.*?)^```/gms)) {
        for (const [name] of code.matchAll(/\bdata-clip-[\w-]+/g)) {
          assert.ok(known.includes(name), name);
        }
      }
    });

    it(`${path}: style what the elements have`, async () => {
      const all = [...elements.values()];
      const known = new Set([
        ...all.flatMap(({ cssParts }) => names(cssParts).map((name) => `::part(${name})`)),
        ...all.flatMap(({ cssStates }) => names(cssStates).map((name) => `:state(${name})`)),
        ...all.flatMap(({ cssProperties }) => names(cssProperties)),
      ]);
      const used = (await read(path)).matchAll(/::part\([\w-]+\)|:state\([\w-]+\)|--clip-[\w-]+/g);
      for (const [name] of used) assert.ok(known.has(name), name);
    });
  }
});

it('docs/react.md names the component of each element', async () => {
  const [, list = ''] =
    /has a component for each element: ([^.]+)\./.exec(await read('docs/react.md')) ?? [];
  const components = [...list.matchAll(/`<(\w+)>`/g)].map(([, name = '']) =>
    name.replace(/(?<!^)[A-Z]/g, '-$&').toLowerCase(),
  );
  assert.deepEqual(components.sort(), [...elements.keys()].sort());
});

it('pages without a bundler give the files of the kit one name each', async () => {
  const paths = [
    'docs/start.md',
    ...(await readdir(new URL('docs/start/', root))).map((file) => `docs/start/${file}`),
    ...pages,
  ];
  for (const path of paths) {
    const page = (await read(path)).replaceAll('http://localhost:4300/kit/', '/');
    for (const [, src] of page.matchAll(
      /(?:src|href)="([^"]*\/(?:clip-\w+\.js|placeholder\.css))"/g,
    )) {
      assert.match(src!, /^\/(?:clip-kit\.js|clip-studio\.js|placeholder\.css)$/, path);
    }
  }
});
