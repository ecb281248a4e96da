import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { neededFonts } from '../../src/editor/needed-fonts.ts';

describe('the fonts', () => {
  const inputs = { title: 'Abc', words: [{ text: 'def', start: 0, end: 1 }] };
  it('are asked for again for letters that nobody has said, and for another style', () => {
    assert.deepEqual(neededFonts(inputs, {}), { presetId: null, letters: '' });
    assert.deepEqual(
      neededFonts(inputs, { words: { 0: 'fed' }, title: 'Żb', style_preset_id: 'a' }),
      {
        presetId: 'a',
        letters: 'Ż',
      },
    );
  });
});
