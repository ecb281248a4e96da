import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  dragWindow,
  removeShots,
  placeWindow,
  findShotAt,
  withShot,
  withWindow,
} from '../../src/editor/framing-changes.ts';

const source = { width: 1920, height: 1080 };
const edit = { source, part: { width: 1080, height: 1920 } };

describe('the window of a shot', () => {
  it('follows a drag of the picture, and stays inside it', () => {
    const middle = placeWindow(edit, {});
    assert.deepEqual(middle, { x: 0.5, y: 0.5, zoom: 1 });
    // 607.5 of 1920 pixels are shown: half of that is pulled to the left.
    const dragged = dragWindow(edit, middle, { x: -0.5, y: 0.3 });
    assert.equal(dragged.x, 0.6582);
    assert.equal(dragged.y, 0.5);
    assert.equal(dragWindow(edit, middle, { x: -9, y: 0 }).x, 0.8418);
    assert.equal(placeWindow(edit, { x: 0, y: 0, zoom: 2 }).y, 0.25);
  });

  it('of a stack is the upper one or the one below, and the other stays where it is', () => {
    const half = { source, part: { width: 1080, height: 960 } };
    const [upper, below] = [placeWindow(half, { x: 0.3 }), placeWindow(half, { x: 0.68 })];
    // 1080 by 960 pixels of the source are 63 % of its width.
    assert.equal(upper.x, 0.3164);
    const shot = { mode: 'stack' as const, ...upper, below };
    const dragged = dragWindow(half, below, { x: 0.1, y: 0 });
    assert.deepEqual(withWindow(shot, dragged, true), { mode: 'stack', ...upper, below: dragged });
    assert.deepEqual(withWindow(shot, dragged, false), { mode: 'stack', ...dragged, below });
    const speaker = { mode: 'screen' as const, ...upper };
    assert.deepEqual(withWindow(speaker, dragged, true), { mode: 'screen', ...dragged });
  });

  it('replaces what was wanted of the same shot only, and can be removed', () => {
    const span = { start: 2, end: 4 };
    const one = withShot({ title: 'T' }, span, { mode: 'fit' });
    const two = withShot(one, { start: 4, end: 6 }, { mode: 'crop', x: 0.2 });
    assert.deepEqual(two.shots, [
      { start: 2, end: 4, mode: 'fit' },
      { start: 4, end: 6, mode: 'crop', x: 0.2 },
    ]);
    assert.equal(withShot(two, span, { mode: 'stack' }).shots?.[0]?.mode, 'stack');
    assert.deepEqual(removeShots(one, span), { title: 'T' });
    assert.equal(findShotAt(two.shots!, 3)?.start, 2);
    assert.equal(findShotAt(two.shots!, 99)?.start, 4);
  });
});
