import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatClock, ProgressLine, formatTable } from '../../src/cli/terminal.ts';

test('progress is a line that changes in a terminal, otherwise a line for each step', () => {
  const write = (terminal: boolean) => {
    let written = '';
    const progress = new ProgressLine({ terminal, error: (text) => (written += text) });
    progress.show('Recognising speech', 0.401, 'about 4 min left');
    progress.show('Recognising speech', 0.402, 'about 4 min left');
    progress.show('Recognising speech', 0.5);
    return written;
  };
  const line = (full: number, rest: string) =>
    `\r\u001b[KRecognising speech ${'█'.repeat(full)}${'░'.repeat(20 - full)} ${rest}`;
  assert.equal(write(true), line(8, '40 %, about 4 min left') + line(10, '50 %'));
  assert.equal(write(false), 'Recognising speech …\n');
});

test('lengths are written as people do', () => {
  assert.deepEqual([0, 9.4, 59.6, 61, 3723].map(formatClock), [
    '0:00',
    '0:09',
    '1:00',
    '1:01',
    '1:02:03',
  ]);
});

test('numbers are set to the right, texts to the left', () => {
  assert.equal(
    formatTable(
      ['score', 'title'],
      [
        ['0.9', 'Bees'],
        ['10.25', 'Öl'],
      ],
    ),
    'score  title\n  0.9  Bees\n10.25  Öl\n',
  );
});
