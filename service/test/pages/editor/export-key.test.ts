import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exportKey } from '../../../src/pages/browser/editor/export-key.ts';

describe('the key of a paid start', () => {
  it('is the same for a revision, also after a reload', () => {
    const kept = new Map<string, string>();
    const storage = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
    };
    const first = exportKey(storage, 'p', 3);
    assert.equal(exportKey(storage, 'p', 3), first);
    assert.notEqual(exportKey(storage, 'p', 4), first);
    assert.notEqual(exportKey(storage, 'q', 3), first);
  });
});
