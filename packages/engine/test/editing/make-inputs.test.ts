import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pickCandidates } from '../../src/moments/candidates.ts';
import { captionLines } from '../../src/captions/caption-lines.ts';
import { countCharactersPerLine } from '../../src/captions/caption-layout.ts';
import { defaultStyle } from '../../src/style/style.ts';
import {
  chooseNominalRate,
  chooseOutputRate,
  formatRate,
  measureSteadyRate,
} from '../../src/source/frame-rate.ts';
import { makeClipEdit } from '../../src/editing/make-inputs.ts';
import { makeWholeEdit } from '../support/whole-edit.ts';
import { mapToOutput } from '../../src/editing/kept-ranges.ts';
import { longRun } from 'clip-testkit/long-run';
import { dice, quietAnalysis, spokenAnalysis } from 'clip-testkit/media-analysis';
import { editingWith } from 'clip-testkit/plain-edit';
import { assertRenderable } from '../support/random-edits.ts';

const editing = editingWith('captions', 'emojis', 'intro_title', 'reframe');
const dimensions = { width: 1080, height: 1920 };
const analysis = spokenAnalysis([
  'Why do bees dance?',
  'It is not for joy, and it is not for show.',
  'Imagine that you save money.',
]);
const candidate = {
  start: 0.4,
  end: 12,
  title: 'Why do bees dance?',
  score: 0.5,
  explanation: '',
  features: {},
};

test('a short is planned in whole frames, with captions in output time', () => {
  const edit = makeClipEdit(analysis, candidate, { editing, dimensions });
  assertRenderable(edit);
  assert.ok(Math.abs(edit.duration - 11.6) <= 0.5 / 25);
  assert.equal(edit.captions[0]?.words[0]?.text, 'Why');
  assert.ok(Math.abs(edit.captions[0]!.start - 0.1) < 1e-6);
  assert.deepEqual(edit.title, { text: 'Why do bees dance?', end: 3 });
});

test('options left out of the edit leave nothing of themselves in the edit', () => {
  const bare = { ...editing, captions: false, emojis: false, intro_title: false };
  const edit = makeClipEdit(analysis, candidate, { editing: bare, dimensions });
  assert.deepEqual([edit.captions, edit.emojis, edit.title], [[], [], null]);
});

test('removed silences: every word stays whole, captions move with it', () => {
  const wanted = { editing: { ...editing, remove_silences: true }, dimensions };
  const edit = makeClipEdit(analysis, candidate, wanted);
  assertRenderable(edit);
  assert.ok(edit.ranges.length >= 2);
  assert.ok(edit.duration < 11.3);
  const words = edit.captions.flatMap((line) => line.words);
  assert.equal(words.length, analysis.transcript?.words.length);
  for (const word of words) {
    assert.ok(Math.abs(word.end - word.start - 0.5) < 1 / 25 + 1e-6, JSON.stringify(word));
  }
});

test('a whole video is planned from end to end', () => {
  const edit = makeWholeEdit(quietAnalysis(12.34), { editing, dimensions, title: 'My trip' });
  assertRenderable(edit);
  assert.ok(Math.abs(edit.duration - 12.34) <= 0.5 / 25);
  assert.equal(edit.title?.text, 'My trip');
});

test('odd sides are planned one pixel smaller', () => {
  const odd = { width: 721, height: 1281 };
  const edit = makeClipEdit(analysis, candidate, { editing, dimensions: odd });
  assert.deepEqual(edit.dimensions, { width: 720, height: 1280 });
});

test('reframe cuts to the output’s shape where the eye is drawn, and stays within the picture', () => {
  for (const x of [0, 0.3, 0.9]) {
    const focus = [1, 3, 5].map((time) => ({ time, x, y: 0.5 }));
    const { framing } = makeClipEdit({ ...analysis, focus }, candidate, { editing, dimensions });
    assert.ok(framing.mode === 'crop');
    assert.ok(framing.x >= 0 && framing.x + framing.width <= 1920);
    assert.ok(Math.abs(framing.width / framing.height - 9 / 16) < 0.002);
    const middle = framing.x + framing.width / 2;
    assert.ok(Math.abs(middle - Math.min(1920 - 304, Math.max(304, x * 1920))) < 2);
  }
});

test('without reframe the whole picture is kept', () => {
  const wanted = { editing: { ...editing, reframe: false }, dimensions };
  assert.deepEqual(makeClipEdit(analysis, candidate, wanted).framing, { mode: 'fit' });
});

test('the output’s rate is constant, 24 to 60, exact for cinema and television', () => {
  assert.equal(formatRate(chooseOutputRate(29.97003)), '30000/1001');
  assert.equal(formatRate(chooseOutputRate(23.976)), '24000/1001');
  assert.equal(chooseOutputRate(25), 25);
  assert.equal(chooseOutputRate(120), 60);
  assert.equal(chooseOutputRate(12.5), 25);
  for (const odd of [0, NaN, -1, 0.2, 1000, 61, 17.3]) {
    assert.ok(chooseOutputRate(odd) >= 23.9 && chooseOutputRate(odd) <= 60, String(odd));
  }
});

test('a video with missing frames has the rate that it was made for', () => {
  // One frame in seven is missing, by a clock that says so and by one that does not.
  assert.equal(chooseNominalRate(25.71, 30), 30);
  assert.equal(chooseNominalRate(25.71, 1000), 30);
  // A capture of a screen, and one with frames of two rates.
  assert.equal(chooseNominalRate(13.4, 1000), 30);
  assert.equal(chooseNominalRate(40.2, 90_000), 50);
  assert.equal(chooseNominalRate(0.5, 30), 30);
  // Even ones: in frames, and counted in fields.
  assert.equal(chooseNominalRate(12.5, 12.5), 12.5);
  assert.equal(chooseNominalRate(25, 50), 25);
  assert.equal(chooseNominalRate(29.97, 30_000 / 1001), 29.97);
});

test('the packets decide between an average and a base rate that are close', () => {
  const times = (rate: number, missing: number) =>
    Array.from({ length: 600 }, (_, index) => Math.round((index / rate) * 1000) / 1000).filter(
      (_, index) => index !== missing,
    );
  assert.equal(chooseNominalRate(24.95, 25, measureSteadyRate(times(25, 200))), 25);
  assert.equal(chooseNominalRate(24.95, 24.95, measureSteadyRate(times(25, 200))), 25);
  const ntsc = 30_000 / 1001;
  assert.equal(chooseNominalRate(29.92, 30, measureSteadyRate(times(ntsc, 200))), ntsc);
  assert.equal(chooseNominalRate(ntsc, 30, measureSteadyRate(times(30, 200))), 30);
  assert.equal(chooseNominalRate(14.95, 15, measureSteadyRate(times(15, 200))), 15);
  const uneven = times(25, 0).map((time, index) => time + (index % 3) * 0.02);
  assert.equal(measureSteadyRate(uneven), null);
});

test('caption lines: short, even, not over a sentence’s end', () => {
  const words = analysis.transcript!.words;
  const lines = captionLines(words, countCharactersPerLine(dimensions, defaultStyle));
  for (const line of lines) {
    const text = line.words.map((word) => word.text).join(' ');
    assert.ok(
      line.words.length <= 5 && text.length <= countCharactersPerLine(dimensions, defaultStyle),
      text,
    );
    assert.doesNotMatch(text, /[.?!] /);
  }
  assert.equal(lines.flatMap((line) => line.words).length, words.length);
});

test('output time: a segment loses what is cut out of it', () => {
  const ranges = [
    { start: 1, end: 2 },
    { start: 4, end: 6 },
  ];
  assert.deepEqual(mapToOutput(ranges, { start: 1.5, end: 4.5 }), { start: 0.5, end: 1.5 });
  assert.equal(mapToOutput(ranges, { start: 2.5, end: 3.5 }), null);
});

test('shortest and longest hold to the frame, at any rate, with silences and without them', () => {
  const random = dice(29);
  let removed = 0;
  for (let round = 0; round < (longRun ? 400 : 44); round++) {
    const texts = Array.from({ length: 4 + Math.floor(random() * 12) }, () =>
      Array.from({ length: 1 + Math.floor(random() * 9) }, () => 'word').join(' '),
    );
    const spoken = spokenAnalysis(texts);
    spoken.media.frameRate = [23.976, 24, 25, 29.97, 30, 50, 59.94, 60, 12, 17.3, 120][round % 11]!;
    // Whole seconds, as in requests. At fractional frame rates a second is not a whole number of
    // frames.
    const min = 1 + Math.floor(random() * 8);
    const max = min + 1 + Math.floor(random() * 8);
    const picks = pickCandidates(spoken, { count: 3, min, max, target: min });
    for (const pick of picks) {
      for (const remove_silences of [false, true]) {
        const wanted = { editing: { ...editing, remove_silences }, dimensions, minSeconds: min };
        const edit = makeClipEdit(spoken, pick, wanted);
        assertRenderable(edit);
        if (edit.ranges.length > 1) removed += 1;
        assert.ok(edit.duration <= max + 1e-9, `${edit.duration} is at most ${max}`);
        assert.ok(edit.duration >= min - 1e-9, `${edit.duration} is at least ${min}`);
        assert.ok(edit.ranges[0]!.start >= -1e-9 && edit.ranges.at(-1)!.end <= pick.end + 0.5 / 23);
      }
    }
  }
  assert.ok(removed > 10, 'silences were removed in many of them');
});

test('where no number of frames is as long as asked, clips are off by half a frame at most', () => {
  const quiet = quietAnalysis(40);
  quiet.media.frameRate = 29.97;
  const picks = pickCandidates(quiet, { count: 2, min: 10, max: 10, target: 10 });
  assert.equal(picks.length, 2);
  for (const pick of picks) {
    const { duration } = makeClipEdit(quiet, pick, { editing, dimensions, minSeconds: 10 });
    assert.ok(Math.abs(duration - 10) <= 0.5 / 29.97 + 1e-9, String(duration));
  }
});

test('what silences leave too short keeps its shortest pauses', () => {
  const spoken = spokenAnalysis(['One two.', 'Three four.', 'Five six.']);
  spoken.silences[0]!.end -= 0.2;
  const pick = { ...candidate, start: 0.5, end: spoken.duration };
  const lengthOf = (minSeconds: number) =>
    makeClipEdit(spoken, pick, {
      editing: { ...editing, remove_silences: true },
      dimensions,
      minSeconds,
    });
  const [short, long] = [lengthOf(1), lengthOf(4)];
  assert.ok(short.duration < 4 && short.ranges.length > 1);
  assert.ok(Math.abs(long.duration - 4) <= 1 / 25);
  assert.ok(long.duration >= 4 - 1e-9);
});
