import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isNestedDeeper } from '../../src/http/body.ts';

it('JSON is as deep as its brackets outside of strings', () => {
  for (const [text, depth] of [
    ['1', 0],
    ['{}', 1],
    ['[[],[[]]]', 3],
    ['{"a":[{"b":{}}]}', 4],
    ['["[[[["]', 1],
    ['{"[{\\"[{\\\\":"[{"}', 1],
    ['{"a":"\\\\","b":[[]]}', 3],
    ['"[[[', 0],
    [']]]][', 0],
  ] as const) {
    assert.equal(isNestedDeeper(text, depth), false, text);
    if (depth > 0) assert.equal(isNestedDeeper(text, depth - 1), true, text);
  }
});
