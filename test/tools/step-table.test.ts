import assert from 'node:assert/strict';
import { it } from 'node:test';
import { stepTable } from '../../tools/step-table.ts';

it('shows each step, their sum, and the minutes of all together', () => {
  const results = [
    { name: 'test', passed: 812, failed: 0, flaky: 1, ms: 236_400 },
    { name: 'frameworks', passed: 9, failed: 2, ms: 59_600 },
  ];
  assert.deepEqual(stepTable(results, 240_000).split('\n'), [
    'step          passed  failed   flaky minutes',
    'test             812       0       1    3:56',
    'frameworks         9       2       0    1:00',
    'sum              821       2       1    4:56',
    'together                                4:00',
  ]);
});
