import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  showTime,
  handlePlace,
  handlePx,
  makeViewAround,
  zoomView,
} from '../../src/editor/clip-times.ts';

describe('the view of the time line', () => {
  const segment = { start: 0, end: 100 };
  it('shows the clip with its surroundings, inside the segment', () => {
    assert.deepEqual(makeViewAround({ start: 40, end: 50 }, segment), { start: 36, end: 54 });
    assert.deepEqual(makeViewAround({ start: 1, end: 11 }, segment), { start: 0, end: 18 });
    assert.deepEqual(zoomView({ start: 40, end: 60 }, 0.5, segment), { start: 45, end: 55 });
    assert.deepEqual(zoomView({ start: 40, end: 60 }, 99, segment), segment);
  });

  it('moves along with a handle', () => {
    const view = { start: 40, end: 50 };
    assert.equal(showTime(view, 45, segment), view);
    assert.ok(showTime(view, 51, segment).end > 51);
    assert.ok(showTime(view, 39, segment).start < 39);
  });

  it('has handles for a thumb, all of them on the track', () => {
    for (const which of ['start', 'end'] as const) {
      for (let x = 0; x <= 374; x += 1) {
        const { left, edge } = handlePlace(which, x, 374);
        assert.ok(left >= 0 && left + handlePx <= 374, `${which} at ${x}`);
        assert.equal(left + edge, x);
      }
    }
    // One that is out of view stays there.
    assert.ok(handlePlace('start', -40, 374).left + handlePx < 0);
    // Those of a short clip lie beside each other.
    const [start, end] = [handlePlace('start', 100, 374), handlePlace('end', 124, 374)];
    assert.equal(start.left + handlePx, end.left);
  });
});
