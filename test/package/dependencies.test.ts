import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { built, importsOf, packageJson, root } from './package-files.ts';

const code = built.filter((file) => /\.(?:js|d\.ts)$/.test(file));

const isWrapper = (file: string): boolean => /^dist\/(?:angular|react|types)\//.test(file);

const packagesOf = (files: readonly string[]): string[] => [
  ...new Set(
    files
      .filter((file) => !file.startsWith('dist/cdn/'))
      .flatMap(importsOf)
      .filter((specifier) => !specifier.startsWith('.'))
      .map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)![0]),
  ),
];

describe('what the package depends on', () => {
  it('is lit and zod, exactly, and the framework of those who use its wrappers', () => {
    assert.deepEqual(Object.keys(packageJson.dependencies).sort(), ['lit', 'zod']);
    assert.deepEqual(packageJson.peerDependencies, { '@angular/core': '>=17', react: '>=18' });
    for (const name of Object.keys(packageJson.peerDependencies)) {
      assert.deepEqual(packageJson.peerDependenciesMeta?.[name], { optional: true });
    }
    assert.deepEqual(Object.keys(packageJson.optionalDependencies ?? {}), []);
  });

  it('is what the built files import: lit and zod', () => {
    assert.ok(code.length > 50);
    const ofKit = code.filter((file) => !isWrapper(file));
    assert.deepEqual(packagesOf(ofKit).sort(), ['lit', 'zod']);
    const ofWrappers = code.filter((file) => isWrapper(file) && file.endsWith('.js'));
    assert.deepEqual(packagesOf(ofWrappers).sort(), ['@angular/core', 'react']);
  });

  for (const [room, packages] of [
    ['contract', ['zod']],
    ['client', []],
    ['flow', []],
    ['elements', ['lit']],
  ] as const) {
    it(`dist/${room} imports ${packages.join(' and ') || 'no package'}; no module of Node`, () => {
      const files = code.filter((file) => file.startsWith(`dist/${room}/`) && file.endsWith('.js'));
      assert.ok(files.length > 0);
      assert.deepEqual(packagesOf(files), [...packages]);
    });
  }

  it('is nothing in a declaration that a page author does not have', () => {
    const declarations = code.filter((file) => file.endsWith('.d.ts') && !isWrapper(file));
    assert.deepEqual(packagesOf(declarations).sort(), ['lit', 'zod']);
  });

  it('no relative import leads nowhere', () => {
    for (const file of code.filter((one) => one.endsWith('.js'))) {
      for (const specifier of importsOf(file).filter((one) => one.startsWith('.'))) {
        assert.ok(existsSync(join(root, dirname(file), specifier)), `${file}: ${specifier}`);
      }
    }
  });
});
