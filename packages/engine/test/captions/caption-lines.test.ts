import assert from 'node:assert/strict';
import { test } from 'node:test';
import { captionText, groupLines, replaceCaptionWords } from '../../src/captions/caption-lines.ts';
import { plainEdit } from 'clip-testkit/plain-edit';

const words = ['Nobody', 'tells', 'you', 'this', 'about', 'sleep.'].map((text, index) => ({
  text,
  start: index / 2,
  end: index / 2 + 0.4,
}));

const edit = plainEdit({
  source: { width: 1280, height: 720, frameRate: 30, hasAudio: true },
  ranges: [{ start: 10, end: 13 }],
  dimensions: { width: 1080, height: 1920 },
  captions: groupLines(words, { dimensions: { width: 1080, height: 1920 }, duration: 3 }),
});

test('the same words give the same edit', () => {
  assert.deepEqual(replaceCaptionWords(edit, words), edit);
});

test('a corrected word is in its line, at its time', () => {
  const changed = replaceCaptionWords(
    edit,
    words.map((word) => (word.text === 'sleep.' ? { ...word, text: 'sheep.' } : word)),
  );
  assert.deepEqual(
    changed.captions.map(captionText).join(' '),
    'Nobody tells you this about sheep.',
  );
  const last = changed.captions.at(-1)!;
  assert.deepEqual(last.words.at(-1), { text: 'sheep.', start: 2.5, end: 2.9 });
});

test('a longer word breaks the lines again', () => {
  const long = words.map((word) => ({ ...word, text: `${word.text}andmore` }));
  assert.ok(replaceCaptionWords(edit, long).captions.length > edit.captions.length);
});

test('a line avoids the faces that are known', () => {
  const faces = [{ start: 0, end: 3, x: 0.2, y: 0.6, width: 0.6, height: 0.2 }];
  assert.ok(
    replaceCaptionWords({ ...edit, faces }, words).captions.every(({ position }) => position),
  );
});
