import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countTests } from '../../tools/test-count.ts';

const summary = (pass: number, fail: number) =>
  `✔ one (1ms)\nℹ tests ${pass + fail}\nℹ suites 1\nℹ pass ${pass}\nℹ fail ${fail}\nℹ cancelled 0\n`;

describe('countTests', () => {
  it('counts a step without a runner as one check', () => {
    assert.deepEqual(countTests(undefined, 0, 'anything'), { passed: 1, failed: 0 });
    assert.deepEqual(countTests(undefined, 2, summary(5, 0)), { passed: 0, failed: 1 });
  });

  it('reads the sums of Node’s runner', () => {
    assert.deepEqual(countTests('node', 0, summary(12, 0)), { passed: 12, failed: 0 });
    assert.deepEqual(countTests('node', 1, summary(12, 3)), { passed: 12, failed: 3 });
  });

  it('reads them in colour', () => {
    const coloured = '\u001b[34mℹ pass 7\u001b[39m\n\u001b[34mℹ fail 0\u001b[39m\n';
    assert.deepEqual(countTests('node', 0, coloured), { passed: 7, failed: 0 });
  });

  it('believes the last sum: a test may print another', () => {
    const output = summary(1, 1) + summary(20, 0);
    assert.deepEqual(countTests('node', 0, output), { passed: 20, failed: 0 });
    assert.deepEqual(countTests('node', 0, `about ℹ pass 99 tests\n${summary(2, 0)}`), {
      passed: 2,
      failed: 0,
    });
  });

  it('reads the sums of the elements’ runner', () => {
    const output = 'elements: 41 passed, 2 failed\n';
    assert.deepEqual(countTests('elements', 1, output), { passed: 41, failed: 2 });
    assert.deepEqual(countTests('elements', 0, 'elements: 41 passed, 0 failed\n'), {
      passed: 41,
      failed: 0,
    });
  });

  it('counts a runner that failed without a failed test as one failure', () => {
    assert.deepEqual(countTests('node', 1, summary(12, 0)), { passed: 12, failed: 1 });
    assert.deepEqual(countTests('elements', 1, 'no browser'), { passed: 0, failed: 1 });
  });

  it('counts a runner that ran nothing as one failure', () => {
    assert.deepEqual(countTests('node', 0, summary(0, 0)), { passed: 0, failed: 1 });
    assert.deepEqual(countTests('node', 0, ''), { passed: 0, failed: 1 });
    assert.deepEqual(countTests('elements', 0, summary(3, 0)), { passed: 0, failed: 1 });
  });
});
