import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeClipFileName } from '../../src/cli/output-folder.ts';

const names: [number, string, string][] = [
  [1, 'Why do bees dance?', '01-why-do-bees-dance.mp4'],
  [12, 'It’s 20 % off: “now”', '12-its-20-off-now.mp4'],
  [3, 'Zwölf Fäden', '03-zwölf-fäden.mp4'],
  [4, '蜜蜂为什么跳舞', '04-蜜蜂为什么跳舞.mp4'],
  [5, '../../etc/passwd', '05-etc-passwd.mp4'],
  [6, '…', '06.mp4'],
  [7, '-rf $(touch x)\n', '07-rf-touch-x.mp4'],
  [100, 'A', '100-a.mp4'],
];
for (const [place, title, name] of names) {
  test(`${JSON.stringify(title)} is ${name}`, () =>
    assert.equal(makeClipFileName(place, title), name));
}

test('a long title is cut', () => {
  assert.ok(makeClipFileName(1, 'word '.repeat(50)).length <= 'NN-.mp4'.length + 60);
});
