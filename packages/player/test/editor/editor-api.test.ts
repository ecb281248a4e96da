import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { attemptKeySchema } from 'clip-kit/contract';
import { makeExportKey, listNeededFonts } from '../../src/editor/editor-api.ts';

describe('the key of a paid start', () => {
  const project = randomUUID();
  const failed = (revision: number) => ({ id: randomUUID(), revision });

  it('is the same for a revision of a clip, and one that the service accepts', () => {
    const key = makeExportKey(project, 3, null);
    assert.equal(makeExportKey(project, 3, null), key);
    assert.notEqual(makeExportKey(project, 4, null), key);
    assert.notEqual(makeExportKey(randomUUID(), 3, null), key);
    assert.equal(attemptKeySchema.parse(key), key);
  });

  it('is another one each time an export of the revision has failed', () => {
    const [one, two] = [failed(3), failed(3)];
    const keys = [null, one, two].map((before) => makeExportKey(project, 3, before));
    assert.equal(new Set(keys).size, 3);
    assert.equal(makeExportKey(project, 3, one), keys[1]);
    assert.equal(makeExportKey(project, 3, failed(2)), keys[0]);
    for (const key of keys) attemptKeySchema.parse(key);
  });
});

describe('the fonts', () => {
  const inputs = { title: 'Abc', words: [{ text: 'def', start: 0, end: 1 }] };
  it('are asked for again for letters that nobody has said, and for another style', () => {
    assert.deepEqual(listNeededFonts(inputs, {}), { presetId: null, letters: '' });
    assert.deepEqual(
      listNeededFonts(inputs, { words: { 0: 'fed' }, title: 'Żb', style_preset_id: 'a' }),
      {
        presetId: 'a',
        letters: 'Ż',
      },
    );
  });
});
