import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { retryAfterOf } from '../../src/client/host-answers.ts';

const now = Date.parse('2026-01-31T10:00:00Z');

describe('Retry-After in milliseconds', () => {
  for (const [header, wait] of [
    ['0', 0],
    ['30', 30_000],
    ['Sat, 31 Jan 2026 10:00:10 GMT', 10_000],
    ['Sat, 31 Jan 2026 10:00:00 GMT', 0],
    ['Sat, 31 Jan 2026 09:59:59 GMT', null],
    ['-5', null],
    ['1.5', null],
    ['soon', null],
    ['', null],
    [null, null],
  ] as const) {
    it(`${JSON.stringify(header)} is ${wait}`, () => assert.equal(retryAfterOf(header, now), wait));
  }
});
