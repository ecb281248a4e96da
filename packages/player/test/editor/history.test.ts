import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { done, historyFrom, redone, undone } from '../../src/editor/editor-model.ts';

describe('undo and redo', () => {
  it('goes back and forward, and a new step ends the way forward', () => {
    const two = done(done(historyFrom('a'), 'b'), 'c');
    assert.equal(undone(two).present, 'b');
    assert.equal(undone(undone(undone(two))).present, 'a');
    assert.equal(redone(undone(two)).present, 'c');
    assert.equal(redone(two), two);
    const other = done(undone(two), 'd');
    assert.deepEqual([redone(other).present, undone(other).present], ['d', 'b']);
  });
});
