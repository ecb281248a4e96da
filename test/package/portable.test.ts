/** The host works in any runtime with `fetch`: its built files use only what all of them have. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { describe, it } from 'node:test';
import { Linter } from 'eslint';
import { importsOf, root } from './package-files.ts';

/**
 * Of the names that every runtime has (the minimum common API for the web), those that the host may
 * use.
 */
// prettier-ignore
const everywhere = [
  'AbortController', 'AbortSignal', 'Headers', 'ReadableStream', 'Request', 'Response', 'fetch',
  'TextDecoder', 'TextEncoder', 'URL', 'URLSearchParams', 'atob', 'btoa', 'crypto', 'console',
  'clearTimeout', 'setTimeout', 'queueMicrotask', 'structuredClone', 'DOMException',
];

/** The file and all its imports, as paths from the package's root. */
function closureOf(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const specifier of importsOf(file)) {
    if (specifier.startsWith('.')) closureOf(join(dirname(file), specifier), found);
    else
      assert.match(specifier, /^(?:zod(?:\/|$)|jose$|clip-kit\/)/, `${file} imports ${specifier}`);
  }
  return found;
}

const unknownNames = (code: string): string[] =>
  new Linter()
    .verify(code, {
      languageOptions: {
        ecmaVersion: 2024,
        globals: Object.fromEntries(everywhere.map((name) => [name, 'readonly'])),
      },
      rules: { 'no-undef': 'error' },
    })
    .map(({ message, line }) => `${line}: ${message}`);

for (const [entry, size] of [
  ['packages/host/dist/index.js', 30],
  ['packages/host/dist/adapters/next.js', 1],
  ['packages/host/dist/adapters/node.js', 4],
] as const) {
  describe(entry, () => {
    const files = [...closureOf(entry)];

    it('imports zod, jose and the kit, and no module of Node', () => {
      assert.ok(files.length >= size, `${files.length} files`);
    });

    for (const file of files) {
      it(`${file} uses no name that some runtime lacks`, () => {
        assert.deepEqual(unknownNames(readFileSync(root + file, 'utf8')), []);
      });
    }
  });
}

it('a name that edge workers lack would be found', () => {
  for (const name of ['process', 'Buffer', 'setImmediate', 'require', 'window', '__dirname']) {
    assert.equal(unknownNames(`${name}.x();`).length, 1, name);
  }
});
