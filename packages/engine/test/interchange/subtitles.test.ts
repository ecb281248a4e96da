import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeClipDocument } from '../../src/interchange/clip-documents.ts';
import type { Edit } from '../../src/edit.ts';
import type { Word } from '../../src/facts.ts';
import { parseSubtitles } from '../../src/words/subtitles.ts';
import { joinWords } from '../../src/words/word-text.ts';
import { plainEdit } from 'clip-testkit/plain-edit';

const said = (text: string, from = 0, each = 0.4): Word[] =>
  text
    .split(' ')
    .map((word, at) => ({ text: word, start: from + at * each, end: from + (at + 1) * each }));

const clip = (changes: Partial<Edit>): Edit =>
  plainEdit({
    source: { width: 320, height: 180, frameRate: 25, hasAudio: true },
    ranges: [{ start: 100, end: 160 }],
    dimensions: { width: 108, height: 192 },
    language: 'en',
    ...changes,
  });

const textOf = (edit: Edit, name: 'captions.srt' | 'captions.vtt' = 'captions.vtt') =>
  writeClipDocument(edit, name, { title: '', source: '' })?.text ?? null;

const cuesOf = async (edit: Edit) =>
  (await parseSubtitles(textOf(edit)!)).map(({ start, end, words }) => ({
    start,
    end,
    text: joinWords(words.map(({ text }) => text)),
  }));

test('a clip without words has no captions', () => {
  assert.equal(textOf(clip({})), null);
  assert.equal(textOf(clip({}), 'captions.srt'), null);
});

test('captions begin after an intro', () => {
  const edit = clip({ words: said('Sleep eight hours.') });
  for (const [name, times] of [
    ['captions.vtt', '00:00:02.500 --> 00:00:04.200'],
    ['captions.srt', '00:00:02,500 --> 00:00:04,200'],
  ] as const) {
    const { text } = writeClipDocument(edit, name, { title: '', source: '', introSeconds: 2.5 })!;
    assert.ok(text.includes(times), text);
  }
});

test('the words of a clip are cues of a line, whether they are drawn or not', async () => {
  const words = [
    ...said('Sleep eight hours every single night, and never train two days without a plan.'),
    ...said('That is all.', 59, 0.5),
  ];
  const cues = await cuesOf(clip({ words }));
  assert.deepEqual(
    cues.map(({ text }) => text),
    [
      'Sleep eight hours every single night,',
      'and never train two',
      'days without a plan.',
      'That is all.',
    ],
  );
  assert.equal(cues[0]!.start, 0);
  assert.equal(cues.at(-1)!.end, 60, 'no cue is longer than the clip');
  const lines = [words.slice(0, 3), words.slice(3, 14), words.slice(14)];
  const captions = lines.map((line) => ({
    start: line[0]!.start,
    end: line.at(-1)!.end,
    words: line,
  }));
  assert.deepEqual(await cuesOf(clip({ captions })), cues);
});

test('signs of the format are escaped', () => {
  const text = textOf(clip({ words: said('R&D --> <v Bob> wins') }))!;
  assert.match(text, /\nR&amp;D --&gt; &lt;v Bob&gt; wins\n/);
});

test('words of a script without spaces are joined', async () => {
  const cues = await cuesOf(clip({ words: said('今日 は 雨 です'), language: 'ja' }));
  assert.deepEqual(
    cues.map(({ text }) => text),
    ['今日は雨です'],
  );
});

test('SubRip has the same cues, numbered, with commas', async () => {
  const edit = clip({ words: said('Sleep eight hours every single night, and do not train.') });
  const text = textOf(edit, 'captions.srt')!;
  assert.match(text, /^1\n00:00:00,000 --> 00:00:02,400\nSleep eight/);
  assert.match(text, /\n\n2\n00:00:02,400 --> /);
  const read = await parseSubtitles(text);
  assert.deepEqual(
    read.map(({ words }) => joinWords(words.map((word) => word.text))),
    (await cuesOf(edit)).map((cue) => cue.text),
  );
});
