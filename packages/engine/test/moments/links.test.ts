import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { linksOf } from '../../src/moments/topics.ts';
import type { Unit } from '../../src/moments/units.ts';

const filler = Array.from({ length: 60 }, () => 'I think that is what the one said, or they said.');

const unitsOf = (texts: readonly string[]): Unit[] =>
  texts.map((text, index) => ({ text, words: 6, start: 3 * index, end: 3 * index + 2 }));

describe('the first and the last sentence of a clip', () => {
  const links = linksOf(
    unitsOf([
      ...filler,
      'I think that is a lighthouse.',
      'They said that is the harbour.',
      'The lighthouse is what they said.',
      'I think that is raining?',
      'They said what I think.',
    ]),
    'en',
  );
  const first = filler.length;

  it('belong to the rest if they share a word of the subject', () => {
    assert.equal(links.opens(first, first + 2), true);
    assert.equal(links.closes(first, first + 2), true);
  });

  it('do not if they share only common words', () => {
    assert.equal(links.opens(first + 1, first + 4), false);
    assert.equal(links.closes(first - 3, first + 1), false);
    assert.equal(links.opens(first, first + 1), false);
  });

  it('belong together as a question and its answer', () => {
    assert.equal(links.opens(first + 3, first + 4), true);
    assert.equal(links.closes(first + 3, first + 4), true);
  });
});
