import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { flakyLines, tryAgain } from '../../tools/second-try.ts';

const failed = (name: string, test = 'works') => ({
  file: `test/${name}.test.ts`,
  test,
  error: 'late',
  command: ['tools/test.ts'],
  step: 'kit',
});

describe('tryAgain', () => {
  it('runs each failed file once, alone, and names those that pass', async () => {
    const runs: string[] = [];
    const failures = [failed('a'), failed('b'), failed('a', 'ends')];
    const flaky = await tryAgain(failures, async (command, file) => {
      runs.push([...command, file].join(' '));
      return file.includes('a.test');
    });
    assert.deepEqual(runs, ['tools/test.ts test/a.test.ts', 'tools/test.ts test/b.test.ts']);
    assert.deepEqual(flaky, [
      { file: 'test/a.test.ts', step: 'kit', first: 'works: late', tests: 2 },
    ]);
    assert.equal(flakyLines(flaky), 'flaky: test/a.test.ts: works: late\n');
  });

  it('runs none again if more than five have failed', async () => {
    const failures = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => failed(name));
    const passes = async () => true;
    assert.deepEqual(await tryAgain(failures, passes), []);
    assert.equal((await tryAgain(failures.slice(1), passes)).length, 5);
  });

  it('leaves a failure whose file is not known', async () => {
    const shared = { ...failed('a'), file: 'test/support/stores.ts' };
    assert.deepEqual(await tryAgain([shared], async () => true), []);
  });
});
