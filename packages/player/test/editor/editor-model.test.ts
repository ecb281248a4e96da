import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeEdit } from 'clip-engine';
import { makeClipInputs } from '../../../engine/src/editing/make-inputs.ts';
import { spokenAnalysis } from 'clip-testkit/media-analysis';
import type { EditAnswer } from '../../src/editor/editor-api.ts';
import { EditorModel } from '../../src/editor/editor-model.ts';

const editing = {
  captions: true,
  reframe: true,
  emojis: false,
  intro_title: true,
  remove_silences: false,
};
const analysis = spokenAnalysis([
  'Why do bees dance?',
  'It is not for joy, and it is not for show.',
  'Imagine that you save money.',
]);
const inputs = makeClipInputs(
  analysis,
  { start: 3, end: 8.8, title: 'Bees' },
  { editing, dimensions: { width: 1080, height: 1920 } },
);

/** The service's answer about a clip that nobody has changed. */
const answer = {
  edit: { revision: 1, changes: {}, edit: makeEdit(inputs) },
  inputs,
  analysis: null,
  permissions: ['view', 'edit'],
  presets: [],
  margin: 'source',
} as unknown as EditAnswer;

describe('what is edited', () => {
  it('begins with the edit of the service', () => {
    const model = new EditorModel(answer);
    assert.equal(model.made.edit, answer.edit.edit);
    assert.deepEqual([model.canUndo, model.canRedo, model.title], [false, false, 'Bees']);
    assert.ok(model.made.places.includes('before') && model.made.places.includes('in'));
  });

  it('makes the edit of each change, and goes back', () => {
    const model = new EditorModel(answer);
    let shown = 0;
    model.subscribe(() => shown++);
    assert.equal(model.change({ start: inputs.editable.start }), true);
    assert.ok(model.made.edit.duration > answer.edit.edit.duration + 2);
    assert.ok(!model.made.places.includes('before'));
    model.undo();
    assert.equal(model.made.edit, answer.edit.edit);
    model.redo();
    assert.deepEqual(model.changes, { start: inputs.editable.start });
    assert.equal(shown, 3);
  });

  it('does not make what cannot be, and says why', () => {
    const model = new EditorModel(answer);
    assert.equal(model.change({ end: 9999 }), false);
    assert.deepEqual(model.changes, {});
    assert.equal(model.refusals[0]?.path, 'end');
    assert.equal(model.canUndo, false);
    assert.equal(model.change({ title: 'Better' }), true);
    assert.deepEqual(model.refusals, []);
  });

  it('shows a pull at once, which is one step at its end', () => {
    const model = new EditorModel(answer);
    for (const end of [7, 7.5, 8]) model.previewChanges({ end });
    assert.deepEqual([model.isPreviewing, model.canUndo], [true, false]);
    assert.ok(model.made.edit.duration < answer.edit.edit.duration);
    model.change(model.changes);
    assert.deepEqual([model.isPreviewing, model.canUndo], [false, true]);
    model.undo();
    assert.deepEqual(model.changes, {});
  });

  it('takes what came from elsewhere as a step that can be undone', () => {
    const model = new EditorModel(answer);
    model.change({ title: 'Mine' });
    model.applyRemoteChanges({ title: 'Theirs' });
    assert.equal(model.title, 'Theirs');
    model.undo();
    assert.equal(model.title, 'Mine');
  });
});
