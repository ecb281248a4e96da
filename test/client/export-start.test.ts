import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeAttemptKey, type ExportIntent } from '../../src/client/export-start.ts';
import { attemptKeySchema } from '../../src/contract/host.ts';

const intent = (more: Partial<ExportIntent> = {}): ExportIntent => ({
  project: 'clip-1',
  folder: null,
  options: {},
  exportId: null,
  ...more,
});

describe('the attempt key of an intent', () => {
  it('is the same each time, in the form of the contract', () => {
    const key = makeAttemptKey(intent(), '');
    assert.equal(makeAttemptKey(intent({ folder: '' }), ''), key);
    assert.equal(attemptKeySchema.parse(key), key);
    assert.equal(
      attemptKeySchema.safeParse(makeAttemptKey(intent({ project: 'é🎬' }), '')).success,
      true,
    );
  });

  it('differs by clip, folder, options and the export before it', () => {
    const watermark = { src_url: 'https://a.example/b.png' };
    const keys = [
      makeAttemptKey(intent(), ''),
      makeAttemptKey(intent(), 'export-1'),
      makeAttemptKey(intent({ project: 'clip-2' }), ''),
      makeAttemptKey(intent({ folder: 'f' }), ''),
      makeAttemptKey(intent({ options: { watermark } }), ''),
      makeAttemptKey(intent({ options: { preset_id: 'bold' } }), ''),
    ];
    assert.equal(new Set(keys).size, keys.length);
  });
});
