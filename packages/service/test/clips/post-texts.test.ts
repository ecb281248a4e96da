import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeClipTexts } from '../../src/clips/post-texts.ts';

const post = { titles: ['A', 'B'], description: 'As made.', tags: ['bees'] };
const made = { name: 'A', inputs: { post } };
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

  it('keep the name if the title is left out of the picture', () => {
    assert.deepEqual(makeClipTexts(made, { title: '' }), asMade);
  });
});
