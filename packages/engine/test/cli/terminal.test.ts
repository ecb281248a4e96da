import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clock, table } from '../../src/cli/terminal.ts';

test('lengths are written as people do', () => {
  assert.deepEqual([0, 9.4, 59.6, 61, 3723].map(clock), [
    '0:00',
    '0:09',
    '1:00',
    '1:01',
    '1:02:03',
  ]);
});

test('numbers are set to the right, texts to the left', () => {
  assert.equal(
    table(
      ['score', 'title'],
      [
        ['0.9', 'Bees'],
        ['10.25', 'Öl'],
      ],
    ),
    'score  title\n  0.9  Bees\n10.25  Öl\n',
  );
});
