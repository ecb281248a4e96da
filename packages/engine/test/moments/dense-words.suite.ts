import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Analysis } from '../../src/facts.ts';
import { pickCandidates, pickCandidatesAsync } from '../../src/moments/candidates.ts';
import { limitUnits, maxPairs, countPairs, type Unit, makeUnits } from '../../src/moments/units.ts';
import { splitSentences } from '../../src/words/transcript.ts';
import { quietAnalysis } from 'clip-testkit/media-analysis';

/** Units one after another, `rate` per second, without gaps. */
const unitsAt = (rate: number, seconds: number): Unit[] =>
  Array.from({ length: rate * seconds }, (_, index) => ({
    text: `W${index}.`,
    words: 1,
    start: index / rate,
    end: (index + 1) / rate,
  }));

/** A talk of one-word sentences at a given rate per second. */
function hasty(rate: number, seconds: number): Analysis {
  const words = unitsAt(rate, seconds).map(({ text, start, end }) => ({ text, start, end }));
  const sentences = words.map((word, index) => ({ ...word, firstWord: index, lastWord: index }));
  const values = Array<number>(seconds * 2).fill(-20);
  return {
    ...quietAnalysis(seconds, { loudness: { step: 0.5, values } }),
    transcript: { language: 'en', words, sentences },
  };
}

const options = { count: 10, min: 1, max: 180, target: 60 };

describe('units that are too many to compare', () => {
  const floods = [
    [50, 600, 180],
    [50, 3600, 1],
    [20, 18_000, 180],
    [100, 18_000, 1],
  ] as const;
  for (const [rate, seconds, max] of floods) {
    it(`are joined: ${rate} a second for ${seconds} s, clips of up to ${max} s`, () => {
      const units = unitsAt(rate, seconds);
      const coarse = limitUnits(units, max);
      assert.ok(countPairs(coarse, max) <= maxPairs);
      assert.equal(
        coarse.reduce((sum, { words }) => sum + words, 0),
        units.length,
      );
      assert.equal(coarse[0]!.start, 0);
      assert.equal(coarse.at(-1)!.end, seconds);
      coarse.slice(1).forEach(({ start }, index) => assert.ok(start >= coarse[index]!.end));
      assert.ok(coarse.every(({ start, end }) => end - start <= Math.max(max, 1 / rate) + 1e-9));
    });
  }

  it('stay as they are in five hours of short sentences', () => {
    const units = unitsAt(0.5, 18_000);
    assert.equal(limitUnits(units, 180), units);
  });

  it('stay as they are if they are short and few', () => {
    const units = unitsAt(50, 20);
    assert.equal(limitUnits(units, 180), units);
  });
});

describe('clips of words that come too fast', () => {
  const analysis = hasty(50, 900);
  let picks: ReturnType<typeof pickCandidates>;
  before(() => {
    assert.ok(
      countPairs(makeUnits(analysis, options), options.max) > maxPairs,
      'too many to compare',
    );
    picks = pickCandidates(analysis, options);
  });

  it('are as many and as long as requested', () => {
    assert.equal(picks.length, 10);
    for (const { start, end } of picks) assert.ok(end - start >= 1 && end - start <= 180);
  });

  it('let other work run in between, and are the same', async () => {
    let turns = 0;
    let done = false;
    const others = (async () => {
      while (!done) {
        turns += 1;
        await new Promise(setImmediate);
      }
    })();
    const picked = await pickCandidatesAsync(analysis, options, new AbortController().signal);
    done = true;
    await others;
    assert.ok(turns > 3, `${turns} turns`);
    assert.deepEqual(picked, picks);
  });

  it('are abandoned when the work is', async () => {
    const work = new AbortController();
    const given = pickCandidatesAsync(analysis, options, work.signal);
    work.abort(new Error('no longer wanted'));
    await assert.rejects(given, /no longer wanted/);
  });

  it('are as many as there can be, though the best of each end are long', () => {
    // More than 64 clips end at each word. To find as many clips as possible, it needs the
    // shortest.
    const short = pickCandidates(hasty(2, 100), { count: 20, min: 4, max: 100, target: 90 });
    assert.equal(short.length, 20);
  });
});

describe('one sentence of hours', () => {
  it('is divided between its words, into parts of several words', () => {
    // The pauses get shorter, so the longest is always the first.
    let at = 0;
    const words = Array.from({ length: 20_000 }, (_, index) => {
      const start = at;
      at += 0.2 + 1.2 * (1 - index / 20_000);
      return { text: 'a,', start, end: start + 0.2 };
    });
    words[words.length - 1]!.text = 'a.';
    const sentences = splitSentences(words, 'en');
    const units = makeUnits(
      { ...quietAnalysis(at), transcript: { language: 'en', words, sentences } },
      { count: 5, min: 5, max: 60, target: 30 },
    );
    assert.equal(
      units.reduce((sum, unit) => sum + unit.words, 0),
      20_000,
    );
    assert.ok(units.every(({ start, end }) => end - start <= 60));
  });
});
