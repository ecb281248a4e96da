import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addStep, beginHistory, redoStep, undoStep } from '../../src/editor/editor-model.ts';

describe('undo and redo', () => {
  it('goes back and forward, and a new step ends the way forward', () => {
    const two = addStep(addStep(beginHistory('a'), 'b'), 'c');
    assert.equal(undoStep(two).present, 'b');
    assert.equal(undoStep(undoStep(undoStep(two))).present, 'a');
    assert.equal(redoStep(undoStep(two)).present, 'c');
    assert.equal(redoStep(two), two);
    const other = addStep(undoStep(two), 'd');
    assert.deepEqual([redoStep(other).present, undoStep(other).present], ['d', 'b']);
  });
});
