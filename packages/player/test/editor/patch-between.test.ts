import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mergePatch, patchBetween } from '../../src/merge-patch.ts';

describe('the patch between two changes', () => {
  for (const [name, from, to, patch] of [
    ['nothing', { start: 1 }, { start: 1 }, {}],
    ['a new field', {}, { start: 1 }, { start: 1 }],
    ['a field that goes', { start: 1, end: 2 }, { end: 2 }, { start: null }],
    [
      'one of several words',
      { words: { 1: 'a', 2: 'b' } },
      { words: { 1: 'a' } },
      { words: { 2: null } },
    ],
    ['a list', { removed: [{ start: 1, end: 2 }] }, { removed: [] }, { removed: [] }],
  ] as const) {
    it(`is made for ${name}, and makes it`, () => {
      assert.deepEqual(patchBetween(from, to), patch);
      assert.deepEqual(mergePatch(from, patchBetween(from, to)), to);
    });
  }
});
