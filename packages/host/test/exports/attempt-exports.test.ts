import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Export } from 'clip-kit/contract';
import { matchExport, findMatchingExports } from '../../src/exports/export-call.ts';

const none: ReadonlySet<string> = new Set();
const made = (id: string, atMs: number, watermarked: boolean | null = false) =>
  ({ id, created_at: new Date(atMs).toISOString(), watermarked }) as Export;
const trace = (fromMs: number, watermarked = false) => ({
  fromMs,
  untilMs: fromMs + 100,
  watermarked,
});
const ids = (exports: readonly Export[]) => exports.map(({ id }) => id);

describe('the exports that an attempt can have started', () => {
  it('were made in its time, and come oldest first', () => {
    const exports = [made('late', 201), made('last', 200), made('first', 100), made('early', 99)];
    assert.deepEqual(ids(findMatchingExports(exports, trace(100), none)), ['first', 'last']);
  });

  it('have its options, as far as they are known', () => {
    const exports = [made('plain', 100), made('marked', 100, true), made('silent', 100, null)];
    const fitting = (watermarked: boolean) =>
      ids(findMatchingExports(exports, trace(100, watermarked), none));
    assert.deepEqual(fitting(false), ['plain', 'silent']);
    assert.deepEqual(fitting(true), ['marked', 'silent']);
  });

  it('are not those of other attempts', () => {
    const exports = [made('a', 100), made('b', 101)];
    assert.deepEqual(ids(findMatchingExports(exports, trace(100), new Set(['a']))), ['b']);
  });
});

describe('the export of an attempt', () => {
  const [first, second] = [made('first', 110), made('second', 120)];

  it('is the oldest that fits, if no other attempt may have started it', () => {
    assert.equal(matchExport([first, second], trace(100), []), first);
    assert.equal(matchExport([first], trace(100), [trace(300)]), first);
    assert.equal(matchExport([first], trace(100), [trace(100, true)]), first);
    assert.equal(matchExport([], trace(100), []), null);
  });

  it('is not known if there are fewer exports than attempts', () => {
    assert.equal(matchExport([first], trace(100), [trace(101)]), null);
  });

  it('is in the order of the attempts if each has started one', () => {
    assert.equal(matchExport([first, second], trace(100), [trace(101)]), first);
    assert.equal(matchExport([first, second], trace(101), [trace(100)]), second);
  });

  it('is not known if the order says nothing', () => {
    const fitting = [made('a', 110, null), made('b', 120, null)];
    assert.equal(matchExport(fitting, trace(100), [trace(100)]), null);
    assert.equal(matchExport(fitting, trace(100), [trace(101, true)]), null);
  });
});
