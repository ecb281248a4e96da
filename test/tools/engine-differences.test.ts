import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { it } from 'node:test';
import { engineDifferences } from '../../tools/engine-differences.ts';

it('every file of the tests of differences is there', () => {
  for (const name of Object.keys(engineDifferences)) {
    assert.ok(existsSync(`test/elements/${name}.test.ts`), name);
  }
});
