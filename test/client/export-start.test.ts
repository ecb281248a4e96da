import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attemptKey, type ExportIntent } from '../../src/client/export-start.ts';
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
    const key = attemptKey(intent(), '');
    assert.equal(attemptKey(intent({ folder: '' }), ''), key);
    assert.equal(attemptKeySchema.parse(key), key);
    assert.equal(
      attemptKeySchema.safeParse(attemptKey(intent({ project: 'é🎬' }), '')).success,
      true,
    );
  });

  it('differs by clip, folder, options and the export before it', () => {
    const watermark = { src_url: 'https://a.example/b.png' };
    const keys = [
      attemptKey(intent(), ''),
      attemptKey(intent(), 'export-1'),
      attemptKey(intent({ project: 'clip-2' }), ''),
      attemptKey(intent({ folder: 'f' }), ''),
      attemptKey(intent({ options: { watermark } }), ''),
      attemptKey(intent({ options: { preset_id: 'bold' } }), ''),
    ];
    assert.equal(new Set(keys).size, keys.length);
  });
});
