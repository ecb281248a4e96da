import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Analysis, Span } from '../../src/facts.ts';
import { pickCandidates } from '../../src/moments/candidates.ts';
import { splitSentences } from '../../src/words/transcript.ts';
import { longRun } from 'clip-testkit/long-run';
import { found, makeTalk, type Talk } from '../support/talks.ts';

const seeds = Array.from({ length: longRun ? 30 : 10 }, (_, index) => index + 1);
const asked = { min: 10, max: 60, target: 30 };

const picksOf = ({ analysis, highlights }: Talk) =>
  pickCandidates(analysis, { ...asked, count: highlights.length });

/** The talk of each seed and its picks, which several tests look at. */
const pickedTalks = seeds.map((seed) => {
  const talk = makeTalk(seed);
  return { talk, picks: picksOf(talk) };
});

const inside = (time: number, { start, end }: Span): boolean =>
  time > start + 1e-6 && time < end - 1e-6;

const percent = (part: number, whole: number): number => Math.round((1000 * part) / whole) / 10;

function recall(context: TestContext, change?: (talk: Talk) => Analysis) {
  const perSeed: string[] = [];
  let [of, whole] = [0, 0];
  for (const { talk, picks } of pickedTalks) {
    const changed = change ? picksOf({ ...talk, analysis: change(talk) }) : picks;
    const one = found(talk.highlights, changed);
    of += one.of;
    whole += one.whole;
    perSeed.push(`${one.whole}/${one.of}`);
  }
  context.diagnostic(`${percent(whole, of)} % of ${of}; by seed ${perSeed.join(' ')}`);
  return whole / of;
}

test('nine in ten planted highlights lie whole within as many picks', (context) => {
  assert.ok(recall(context) >= 0.9);
});

test('without word lists, marks, numbers, pauses and loudness still find half of them', (context) => {
  const foreign = ({ analysis }: Talk): Analysis => ({
    ...analysis,
    transcript: { ...analysis.transcript!, language: 'nl' },
  });
  assert.ok(recall(context, foreign) >= 0.5);
});

test('picks begin and end with a sentence, never inside a word, as many as were asked for', () => {
  let [edges, flashes] = [0, 0];
  for (const { talk, picks } of pickedTalks) {
    const { sentences, words: spoken } = talk.analysis.transcript!;
    assert.equal(picks.length, talk.highlights.length);
    for (const { start, end } of picks) {
      assert.ok(!spoken.some((word) => inside(start, word) || inside(end, word)));
      const first = spoken.find((word) => word.start >= start - 1e-6);
      const last = spoken.findLast((word) => word.end <= end + 1e-6);
      assert.ok(sentences.some((sentence) => sentence.start === first!.start));
      assert.ok(sentences.some((sentence) => sentence.end === last!.end));
      edges += 2;
      for (const cut of talk.analysis.cuts) {
        if (inside(cut, { start, end: start + 0.3 })) flashes += 1;
        if (inside(cut, { start: end - 0.3, end })) flashes += 1;
      }
    }
  }
  // Without room, a cut in the middle of the first word stays.
  assert.ok(flashes <= edges * 0.03, `${flashes} of ${edges} edges beside a cut`);
});

test('without words and silences, pieces are parted where it is quietest', () => {
  const talk = makeTalk(3);
  const values = Array.from({ length: 240 }, (_, index) => (index % 40 === 37 ? -40 : -20));
  const picks = pickCandidates(
    {
      ...talk.analysis,
      duration: 120,
      silences: [],
      cuts: [],
      transcript: null,
      loudness: { step: 0.5, values },
    },
    { count: 6, min: 10, max: 30, target: 20 },
  );
  assert.equal(picks.length, 6);
  for (const { start } of picks) {
    assert.ok(start === 0 || values[Math.floor(start / 0.5)] === -40, `${start}`);
  }
});

/**
 * Words one after another, with a pause after each word that ends in a punctuation mark, or in a
 * stroke, which stands for a pause without punctuation.
 */
function said(list: readonly string[], language: string | null): Analysis {
  let time = 1;
  const silences: Span[] = [];
  const words = list.map((text) => {
    const word = { text: text.replace('|', ''), start: time, end: time + 0.35 };
    time = word.end;
    if (/[.?!。？！؟|]$/u.test(text)) {
      silences.push({ start: time, end: time + 0.5 });
      time += 0.5;
    }
    return word;
  });
  const { analysis } = makeTalk(1);
  return {
    ...analysis,
    duration: time,
    silences,
    cuts: [],
    loudness: { step: 0.5, values: Array<number>(Math.ceil(time * 2)).fill(-20) },
    transcript: { language, words, sentences: splitSentences(words, language) },
  };
}

test('sentences of Chinese, Japanese and Arabic end at their own marks; a number begins one', () => {
  const texts = (list: string[], language: string) =>
    said(list, language).transcript!.sentences.map(({ text }) => text);
  assert.deepEqual(texts(['你', '知道', '吗？', '我', '不', '知道。'], 'zh'), [
    '你知道吗？',
    '我不知道。',
  ]);
  assert.deepEqual(texts(['なぜ', 'です', 'か？', '分かり', 'ません。'], 'ja').length, 2);
  assert.deepEqual(texts(['لماذا', 'ننام؟', 'لا', 'أحد', 'يعرف.'], 'ar').length, 2);
  assert.deepEqual(texts(['It', 'was', 'late.', '12', 'people', 'came.'], 'en').length, 2);
  assert.deepEqual(texts(['See', 'Fig.', '3', 'for', 'this.'], 'en').length, 1);
});

test('a question is one in any script', () => {
  const dull = ['Aa', 'bb', 'cc', 'dd', 'ee.'];
  for (const [language, question] of [
    ['zh', ['为', '什么', '睡觉？']],
    ['ar', ['لماذا', 'ننام', 'الليل؟']],
    ['de', ['Warum', 'schlafen', 'wir?']],
  ] as const) {
    const analysis = said([...dull, ...dull, ...question, ...dull, ...dull], language);
    const [best] = pickCandidates(analysis, { count: 1, min: 4, max: 9, target: 6 });
    assert.ok((best?.features['question'] ?? 0) > 0, language);
    assert.ok((best?.features['hook'] ?? 0) >= 0.45, language);
  }
});

test('Thai and captions without full stops are parted at their pauses', () => {
  const line = ['วันนี้', 'อากาศ', 'ดี', 'มาก|'];
  const analysis = said([...line, ...line, ...line, ...line], 'th');
  const picks = pickCandidates(analysis, { count: 4, min: 1, max: 3, target: 2 });
  assert.equal(picks.length, 4);
  for (const { start, end } of picks) {
    assert.ok(!analysis.transcript!.words.some((word) => inside(start, word) || inside(end, word)));
  }
});

test('English words mean nothing in a text that is not English', () => {
  // “so”, “also” and “but” are words in other languages too.
  const text = ['Die', 'also', 'so', 'war', 'but', 'nobody', 'never', 'Zeit.'];
  const [german] = pickCandidates(said(text, 'de'), { count: 1, min: 1, max: 9, target: 4 });
  const other = ['Abc', 'abcd', 'ef', 'ghi', 'jkl', 'mnopqr', 'stuvw', 'Abcd.'];
  const [neutral] = pickCandidates(said(other, 'de'), { count: 1, min: 1, max: 9, target: 4 });
  assert.deepEqual(german!.features, neutral!.features);
  assert.equal('contrast' in german!.features, false);
});

test('English is known by its words where no language is given', () => {
  const text = 'But you never told me that it was the end of the road for all of us.'.split(' ');
  const features = (language: string | null) =>
    pickCandidates(said(text, language), { count: 1, min: 1, max: 20, target: 6 })[0]!.features;
  assert.deepEqual(features(null), features('en'));
  assert.notDeepEqual(features(null), features('fi'));
});

test('a cut in the air before the first word becomes the first picture', () => {
  const analysis = said(['Why', 'do', 'we', 'sleep?', 'Nobody', 'knows', 'it.'], 'en');
  const [first] = pickCandidates(
    { ...analysis, cuts: [0.9] },
    { count: 1, min: 1, max: 9, target: 4 },
  );
  assert.equal(first!.start, 0.9);
  // The cut is inside the first word, so the clip begins earlier and shows the shot before.
  const [earlier] = pickCandidates(
    { ...analysis, cuts: [1.1] },
    { count: 1, min: 1, max: 9, target: 4 },
  );
  assert.ok(earlier!.start < 1.1 - 0.3);
});
