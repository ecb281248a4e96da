import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseClock, formatClock } from '../../src/flow/clock-time.ts';

it('a time in a video is written and read as people write it', () => {
  for (const [seconds, text] of [
    [0, '0:00'],
    [65, '1:05'],
    [3599.6, '1:00:00'],
    [3723, '1:02:03'],
  ] as const) {
    assert.equal(formatClock(seconds), text);
    assert.equal(parseClock(text), Math.round(seconds));
  }
  assert.equal(parseClock(' 90 '), 90);
  for (const text of ['', 'x', '1:', ':5', '1:2:3:4', '-1', '1.5']) {
    assert.equal(parseClock(text), null, text);
  }
});
