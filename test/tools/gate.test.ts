import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chooseFiles, gateFiles, reachOf } from '../../tools/gate.ts';
import { suites } from '../../tools/suites.ts';

describe('chooseFiles', () => {
  const files = (suite: string, count: number, touched: boolean, seconds = 10) =>
    Array.from({ length: count }, (_, at) => ({
      suite,
      file: `${suite}${at}`,
      seconds,
      touched,
    }));
  const names = (all: readonly { file: string }[]) => all.map(({ file }) => file).join(' ');

  it('takes one of each suite, in turn', () => {
    const all = [...files('a', 3, false), ...files('b', 2, false)];
    assert.deepEqual(
      [0, 1, 2, 3].map((turn) => names(chooseFiles(all, turn, 1000))),
      ['a0 b0', 'b1 a1', 'a2 b0', 'b1 a0'],
    );
  });

  it('begins with what the change may have broken, another suite each time', () => {
    const [a, b] = [files('a', 2, false), files('b', 2, false)];
    const all = [...a, { ...b[0]!, touched: false }, { ...b[1]!, touched: true }];
    assert.equal(names(chooseFiles(all, 0, 1000)), 'b1 a0');
    assert.equal(names(chooseFiles(all, 0, 10)), 'b1');
    const touched = [...files('a', 1, true), ...files('b', 1, true)];
    assert.deepEqual(
      [0, 1].map((turn) => names(chooseFiles(touched, turn, 10))),
      ['a0', 'b0'],
    );
  });

  it('counts what a suite does before its files', () => {
    const all = [...files('a', 2, true), ...files('b', 2, true)];
    const before = (suite: string) => (suite === 'a' ? 30 : 0);
    assert.equal(names(chooseFiles(all, 0, 60, before)), 'a0 b0 a1');
  });

  it('adds what the change may have broken, one of each suite after the other', () => {
    const all = [...files('a', 3, true), ...files('b', 2, false), ...files('c', 3, true)];
    assert.equal(names(chooseFiles(all, 1, 1000)), 'c1 a1 b1 c2 a2 c0 a0');
  });

  it('ends with the time, in which a short file may still fit', () => {
    const all = [...files('a', 3, true, 40), ...files('b', 3, true)];
    assert.equal(names(chooseFiles(all, 0, 75)), 'a0 b0 b1 b2');
  });
});

describe('reachOf', () => {
  const texts: Record<string, string> = {
    'test/a.test.ts': `import { a } from '../src/a.ts';\nimport type { B } from 'clip-kit/client';`,
    'src/a.ts': `export * from './b.ts';\nconst c = await import('./c.ts');`,
    'src/b.ts': `import { a } from './a.ts';`,
    'src/c.ts': `new Worker(new URL('./d.ts', import.meta.url));`,
    'src/d.ts': `import 'node:fs';\nimport { missing } from './missing.ts';`,
    'src/client/index.ts': '',
    'src/other.ts': '',
  };

  it('is what a file imports, directly or not, also by the names of packages', () => {
    const reach = reachOf('test/a.test.ts', (path) => texts[path] ?? null);
    assert.deepEqual(
      [...reach].toSorted(),
      Object.keys(texts)
        .filter((path) => path !== 'src/other.ts')
        .toSorted(),
    );
  });
});

describe('gateFiles', () => {
  it('has a file of each of many suites if nothing has changed that a file reaches', () => {
    const files = gateFiles([]);
    // Which suites fit into the time differs by commit: some have long files.
    assert.ok(files.size >= 3, [...files.keys()].join(' '));
    for (const [name, chosen] of files) {
      assert.equal(chosen.length, 1, name);
      assert.ok(suites[name]!.files.includes(chosen[0]!), chosen.join());
    }
  });
});
