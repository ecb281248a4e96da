import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pickCandidates, type MomentOptions } from '../../src/moments/candidates.ts';
import type { Analysis } from '../../src/facts.ts';
import { parseSubtitles } from '../../src/words/subtitles.ts';
import { makeTranscript } from '../../src/words/transcript.ts';
import { inLongRun, longRun } from 'clip-testkit/long-run';
import { dice, quietAnalysis, spokenAnalysis } from 'clip-testkit/media-analysis';

const said = [
  'Why do bees dance at all?',
  'It is not for joy, and it is not for show.',
  'A bee that finds flowers draws a map.',
  'And that is that.',
  'One second means about one kilometer.',
  'Nobody teaches her, but everyone can read it.',
  'We then had lunch in the usual place.',
  'Have you ever asked what your brain does all night?',
  'It plays back the day twenty times faster.',
  'Most people never know.',
];

function assertWellFormed(
  analysis: Analysis,
  wanted: MomentOptions,
): ReturnType<typeof pickCandidates> {
  const found = pickCandidates(analysis, wanted);
  assert.ok(found.length <= wanted.count);
  found.forEach((candidate, index) => {
    const { start, end, score } = candidate;
    assert.ok(start >= 0 && end <= analysis.duration + 1e-6, 'within the source');
    assert.ok(end - start >= wanted.min - 1e-6, `${end - start} is at least ${wanted.min}`);
    assert.ok(end - start <= wanted.max + 1e-6, `${end - start} is at most ${wanted.max}`);
    assert.ok(score >= 0 && score <= 1, 'a score of 0 to 1');
    assert.ok(candidate.title.length > 0 && candidate.title.length <= 60, candidate.title);
    assert.match(candidate.explanation, /[.?!…”]$/u);
    for (const value of Object.values(candidate.features)) assert.ok(value >= 0 && value <= 1);
    if (index > 0) assert.ok(score <= found[index - 1]!.score, 'best first');
    for (const word of analysis.transcript?.words ?? []) {
      const cut = (time: number) => time > word.start + 1e-6 && time < word.end - 1e-6;
      assert.ok(!cut(start) && !cut(end), `no cut inside “${word.text}”`);
    }
  });
  const inOrder = found.toSorted((a, b) => a.start - b.start);
  inOrder.slice(1).forEach((candidate, index) => {
    assert.ok(candidate.start >= inOrder[index]!.end - 1e-6, 'no overlap');
  });
  return found;
}

test('whatever is asked of whatever source, candidates are well formed', () => {
  const random = dice(7);
  for (let round = 0; round < (longRun ? 300 : 20); round++) {
    const texts = Array.from({ length: Math.floor(random() * 25) }, () => {
      const length = 1 + Math.floor(random() * 20);
      const words = Array.from({ length }, () => said[Math.floor(random() * 10)]!.split(' ')[0]);
      return `${words.join(' ')}${random() < 0.8 ? '.' : ''}`;
    });
    const analysis =
      random() < 0.7
        ? spokenAnalysis(texts)
        : quietAnalysis(random() * 200, {
            cuts: Array.from({ length: 6 }, (_, index) => index * 9 + random() * 5),
          });
    const min = 1 + Math.floor(random() * 30);
    assertWellFormed(
      analysis.transcript?.words.length ? analysis : { ...analysis, transcript: null },
      {
        count: 1 + Math.floor(random() * 12),
        min,
        max: min + Math.floor(random() * 60),
        target: 1 + Math.floor(random() * 60),
      },
    );
  }
});

test('further clips overlap none that there are, and their scores are on the same scale', () => {
  const analysis = spokenAnalysis(Array.from({ length: 6 }, () => said).flat());
  const options = { count: 4, min: 4, max: 12, target: 8 };
  const all = pickCandidates(analysis, { ...options, count: 8 });
  const first = pickCandidates(analysis, options);
  const further = assertWellFormed(analysis, { ...options, without: first });
  assert.equal(further.length, options.count);
  for (const { start, end } of further) {
    assert.ok(first.every((taken) => end <= taken.start || start >= taken.end));
  }
  for (const clip of further) {
    const same = all.find(({ start, end }) => start === clip.start && end === clip.end);
    if (same) assert.equal(clip.score, same.score);
  }
  const whole = [{ start: 0, end: analysis.duration }];
  assert.deepEqual(pickCandidates(analysis, { ...options, without: whole }), []);
});

test('the count is reached while the material allows', () => {
  const analysis = spokenAnalysis(said);
  for (let count = 1; count <= said.length; count++) {
    const found = assertWellFormed(analysis, { count, min: 1, max: 180, target: 60 });
    assert.equal(found.length, count);
  }
  assert.equal(pickCandidates(analysis, { count: 40, min: 1, max: 9, target: 5 }).length, 10);
});

test('near the target where there is a choice', () => {
  const analysis = spokenAnalysis([...said, ...said, ...said]);
  for (const target of [6, 12, 25]) {
    const [best] = assertWellFormed(analysis, { count: 1, min: 1, max: 180, target });
    const length = best!.end - best!.start;
    assert.ok(length > target / 2.2 && length < target * 2.2, `${length} for ${target}`);
  }
});

test('a clip that must be longer than its words takes the quiet around them', () => {
  const analysis = { ...spokenAnalysis(['Only this is said.']), duration: 30 };
  const [only] = assertWellFormed(analysis, { count: 3, min: 20, max: 40, target: 20 });
  assert.ok(only!.end - only!.start >= 20);
});

test('a source shorter than the least length has no candidate', () => {
  assert.deepEqual(
    pickCandidates(quietAnalysis(5), { count: 3, min: 10, max: 20, target: 15 }),
    [],
  );
});

test('a sentence longer than the most is parted between words', () => {
  const long = `${Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ')}.`;
  const found = assertWellFormed(spokenAnalysis([long]), { count: 5, min: 1, max: 8, target: 6 });
  assert.equal(found.length, 5);
});

test('without words, clips begin and end in silences', () => {
  const silences = [5, 11, 18, 26].map((start) => ({ start, end: start + 1 }));
  const analysis = quietAnalysis(32, { silences });
  const edges = [0, 5.5, 11.5, 18.5, 26.5, 32];
  const found = assertWellFormed(analysis, { count: 3, min: 4, max: 14, target: 8 });
  assert.equal(found.length, 3);
  for (const { start, end } of found) {
    assert.ok(edges.includes(start) && edges.includes(end), `${start} to ${end}`);
  }
});

test('without words, the clips are a third of the source at most, unless more are asked for', () => {
  const analysis = quietAnalysis(600);
  const options = { count: 10, min: 8, max: 180, target: 60 };
  const few = pickCandidates(analysis, { ...options, minCount: 1 });
  const seconds = few.reduce((sum, { start, end }) => sum + end - start, 0);
  assert.ok(few.length > 1 && seconds <= 200, `${few.length} clips of ${seconds} seconds`);
  assert.equal(pickCandidates(analysis, options).length, 10);
});

test('without sound, cuts or words, a source is parted evenly', () => {
  const found = assertWellFormed(quietAnalysis(60), { count: 4, min: 5, max: 30, target: 10 });
  assert.equal(found.length, 4);
});

test('a question that opens a clip makes it better, names it, and is its first reason', () => {
  const plain = 'We went there on a bus that day.';
  const analysis = spokenAnalysis([plain, plain, plain, 'Why do you never sleep?', plain, plain]);
  const [best] = pickCandidates(analysis, { count: 1, min: 4, max: 8, target: 6 });
  assert.match(best!.title, /^Why do you never sleep\?/);
  assert.match(best!.explanation, /^Opens with a question;/);
});

test('no explanation says how long the clip is', () => {
  const found = pickCandidates(spokenAnalysis([...said, ...said]), {
    count: 5,
    min: 2,
    max: 20,
    target: 9,
  });
  for (const { explanation } of found) assert.doesNotMatch(explanation, /second|long\b/);
});

test('a source of five hours is compared in reasonable time', inLongRun, () => {
  const many = Array.from({ length: 400 }, () => said).flat();
  const analysis = spokenAnalysis(many);
  assert.ok(analysis.duration > 4 * 3600);
  const found = pickCandidates(analysis, { count: 20, min: 10, max: 60, target: 30 });
  assert.equal(found.length, 20);
});

test('a clip ends after a reaction that the subtitles mark, also in a long gap', async () => {
  const cues = await parseSubtitles(
    [
      'WEBVTT',
      '00:00.000 --> 00:04.000\nPlease silence your phones, the exits are at the back.',
      '00:05.000 --> 00:09.000\nLast week I told my doctor that I cannot sleep.',
      '00:09.200 --> 00:13.000\nShe said: then listen to one of your own talks.',
      '00:13.100 --> 00:16.000\n[applause]',
      '00:17.000 --> 00:20.000\nThere is a coat room, and drinks in the break.',
    ].join('\n\n'),
  );
  const transcript = makeTranscript(cues, { silences: [], duration: 20, language: 'en' })!;
  const analysis: Analysis = { ...quietAnalysis(20), transcript };
  const [pick] = pickCandidates(analysis, { count: 1, min: 8, max: 12, target: 10 });
  assert.ok(pick!.start <= 5 && pick!.start > 4, String(pick!.start));
  assert.ok(Math.abs(pick!.end - 15.1) < 0.1, String(pick!.end));
});

test('of a range that was scanned, clips are in it, with words and without', () => {
  const scanned = { start: 12, end: 40 };
  const wanted = { count: 4, min: 3, max: 15, target: 8 };
  const pauses = [5, 14, 20, 27, 33, 50].map((start) => ({ start, end: start + 1 }));
  for (const analysis of [
    quietAnalysis(60, { scanned }),
    quietAnalysis(60, { scanned, silences: pauses }),
  ]) {
    const found = pickCandidates(analysis, wanted);
    assert.ok(found.length > 1);
    for (const { start, end } of found) assert.ok(start >= 12 && end <= 40, `${start} to ${end}`);
  }
  const spoken = spokenAnalysis(said);
  const { start } = spoken.transcript!.sentences[2]!;
  const range = { start: start - 0.05, end: spoken.duration };
  const sentences = spoken.transcript!.sentences.slice(2);
  const part = { ...spoken, scanned: range, transcript: { ...spoken.transcript!, sentences } };
  for (const clip of pickCandidates(part, wanted)) assert.ok(clip.start >= range.start);
});
