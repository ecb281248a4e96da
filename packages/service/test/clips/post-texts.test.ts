import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { editingWith } from 'clip-testkit/plain-edit';
import { makeClipTexts } from '../../src/clips/post-texts.ts';

const post = { titles: ['A', 'B'], description: 'As made.', tags: ['bees'] };
const options = { editing: editingWith(), dimensions: { width: 108, height: 192 } };
const made = { name: 'A', inputs: { post, options } };
const asMade = { name: 'A', made_name: null, description: 'As made.', tags: ['bees'] };

describe('the texts of a clip', () => {
  it('are those that were made', () => assert.deepEqual(makeClipTexts(made, {}), asMade));

  it('are what a person wrote instead, also nothing', () => {
    const changes = { title: ' Mine ', description: ' Two\nlines. ', tags: [] };
    assert.deepEqual(makeClipTexts(made, changes), {
      ...{ name: 'Mine', made_name: 'A' },
      ...{ description: 'Two\nlines.', tags: [] },
    });
    assert.equal(makeClipTexts(made, { description: '' }).description, '');
  });

  it('have no listed word in the name that was made', () => {
    const mutedWords = { words: ['bees'], sound: 'mute' as const };
    const inputs = { post, options: { ...options, mutedWords } };
    const { name } = makeClipTexts({ name: 'Why Bees dance', inputs }, {});
    assert.equal(name, 'Why B*** dance');
  });

  it('keep the name if the title is left out of the picture', () => {
    assert.deepEqual(makeClipTexts(made, { title: '' }), asMade);
  });
});
