import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installedLetters, letterRanges, missingLetters } from '../../src/media/letters.ts';
import { planWhole } from '../../src/media/plan.ts';
import { spokenAnalysis } from '../support/media-analysis.ts';

const plan = planWhole(spokenAnalysis(['One 漢字 two.']), {
  editing: {
    captions: true,
    reframe: true,
    emojis: false,
    intro_title: true,
    remove_silences: false,
  },
  dimensions: { width: 180, height: 320 },
  title: 'Ünder way',
});

test('stretches of letters are read as fontconfig lists them', () => {
  assert.deepEqual(letterRanges(':charset=20-7e a0 10a0-10c5\n:charset=a0\n'), [
    [0x20, 0x7e],
    [0xa0, 0xa0],
    [0x10a0, 0x10c5],
  ]);
});

test('letters that no font has are named once, marks and spaces are not', () => {
  assert.deepEqual(missingLetters(plan, letterRanges('20-7e')), ['漢', '字', 'Ü']);
  assert.deepEqual(missingLetters(plan, letterRanges('20-ff 4e00-9fff')), []);
});

test('the fonts of this machine have plain letters', async () => {
  const ranges = await installedLetters(AbortSignal.timeout(20_000));
  assert.ok(ranges === null || ranges.some(([from, to]) => from <= 0x41 && to >= 0x5a));
});

test('a machine without fontconfig says nothing', async () => {
  assert.equal(await installedLetters(AbortSignal.timeout(20_000), 'no-such-program'), null);
});
