import assert from 'node:assert/strict';
import { after, describe, it, test } from 'node:test';
import { assDocument } from '../../src/captions/ass.ts';
import { maxSqueeze } from '../../src/captions/caption-lines.ts';
import { captionLayout, charactersPerLine } from '../../src/captions/caption-style.ts';
import { installedFonts, missingLetters } from '../../src/captions/letters.ts';
import { editWhole } from '../../src/editing/make-edit.ts';
import { type Edit } from '../../src/edit.ts';
import { defaultStyle, type Style } from '../../src/style/style.ts';
import { balancedLines } from '../../src/captions/title-lines.ts';
import { breakable, joinWords, splitWords, textWidth } from '../../src/words/word-text.ts';
import { loadPresets } from '../../src/style/presets.ts';
import { captionCanvas, onsetsOf, pixelsWhere, red } from '../support/caption-canvas.ts';
import { spokenAnalysis } from '../support/media-analysis.ts';

const canvas = await captionCanvas();
after(() => canvas.remove());
const { drawn, size, rate } = canvas;
const installed = await installedFonts(new AbortController().signal);
const presets = await loadPresets();

const marked: Style = {
  ...defaultStyle,
  captions: { ...defaultStyle.captions, spoken: { mark: 'colour', colour: '#ff0000' } },
};
function editOf(sentence: string, style: Style, language: string, title = ''): Edit {
  const spoken = spokenAnalysis([sentence]);
  const analysis = { ...spoken, transcript: { ...spoken.transcript!, language } };
  return editWhole(analysis, {
    editing: {
      captions: title === '',
      reframe: true,
      emojis: false,
      intro_title: title !== '',
      remove_silences: false,
    },
    dimensions: size,
    title: title || 'Upload',
    style,
  });
}
const frameAt = (frames: readonly Buffer[], seconds: number): Buffer =>
  frames[Math.min(frames.length - 1, Math.round(seconds * rate))]!;
/** Whether a pixel belongs to a letter, marked or not. */
const seen = (r: number, g: number, b: number) => r + g + b > 200;
/** Leftmost and rightmost column with text; null if there is none. */
function columns(frame: Buffer, passes = seen): [number, number] | null {
  const xs = pixelsWhere(frame, passes).map(({ x }) => x);
  return xs.length > 0 ? [Math.min(...xs), Math.max(...xs)] : null;
}

/** A sentence in each script: its language, and the direction of the mark along a line. */
const scripts: Readonly<Record<string, readonly [string, 'right' | 'left', string]>> = {
  Chinese: ['zh', 'right', '「蜜蜂」为什么整天都在花园里跳舞，没有人知道。'],
  Japanese: ['ja', 'right', '蜂はなぜ一日中庭で踊っているのでしょうか。'],
  Korean: ['ko', 'right', '꿀벌은 왜 하루 종일 정원에서 춤을 추나요?'],
  Arabic: ['ar', 'left', 'لماذا ترقص النحل في الحديقة طوال اليوم؟'],
  Hebrew: ['he', 'left', 'למה הדבורים רוקדות בגינה כל היום?'],
  Hindi: ['hi', 'right', 'मधुमक्खियाँ पूरे दिन बगीचे में क्यों नाचती हैं?'],
  Thai: ['th', 'right', 'ทำไมผึ้งถึงเต้นรำในสวนทั้งวันโดยไม่หยุด'],
  Russian: ['ru', 'right', 'Почему пчёлы танцуют в саду целый день?'],
  'Hebrew with Latin words': ['he', 'left', 'קניתי iPhone חדש אתמול בערב.'],
  'English with Arabic words': ['en', 'right', 'We said مرحبا to everybody here.'],
};

for (const [name, [language, way, sentence]] of Object.entries(scripts)) {
  describe(name, () => {
    const edit = editOf(sentence, marked, language);
    const missing = installed ? missingLetters(edit, installed.letters) : [];
    const skip = missing.length > 0 ? `no font has ${missing.join('')}` : false;

    it('is set in lines of two to five words that fit, and none is lost', () => {
      const longest = charactersPerLine(size, marked);
      const words = edit.captions.flatMap((line) => line.words.map(({ text }) => text));
      assert.deepEqual(words, splitWords(sentence));
      for (const line of edit.captions) {
        const text = joinWords(line.words.map((word) => word.text));
        assert.ok(line.words.length <= 5, text);
        const most = line.words.length === 2 ? longest * maxSqueeze : longest;
        assert.ok(textWidth(text) <= most || line.words.length === 1, text);
      }
      const alone = edit.captions.filter((line) => line.words.length < 2);
      assert.ok(alone.length <= 1, alone.map((line) => line.words[0]!.text).join(' '));
    });

    it('stays in the safe area, and each word is marked when it is said', { skip }, async () => {
      const frames = await drawn(edit);
      const { sideMargin, captionSize } = captionLayout(size, marked);
      for (const line of edit.captions) {
        const [left, right] = columns(frameAt(frames, (line.start + line.end) / 2))!;
        const slack = captionSize * 0.4;
        assert.ok(left >= sideMargin - slack && right < size.width - sideMargin + slack);
        // The line is not far too short either, so the estimate of widths is right.
        const width = textWidth(joinWords(line.words.map((word) => word.text)));
        assert.ok(right - left > width * captionSize * 0.2, `${right - left} of ${width}`);
      }
      const said = edit.captions.flatMap((line) => line.words);
      const onsets = onsetsOf(frames);
      assert.equal(onsets.length, said.length);
      onsets.forEach((onset, index) =>
        assert.ok(Math.abs(onset - said[index]!.start) <= 0.08, `${onset}`),
      );
      const line = edit.captions.find(({ words }) => words.length >= 2)!;
      const middle = (at: number) => {
        const [left, right] = columns(frameAt(frames, at + 0.25), red)!;
        return (left + right) / 2;
      };
      const [first, last] = [middle(line.words[0]!.start), middle(line.words.at(-1)!.start)];
      assert.ok(way === 'right' ? first < last : first > last, `${first} to ${last}`);
    });
  });
}

test('styles in capitals leave scripts without case as they are', async () => {
  const capitals = [...presets.values()].find(({ style }) => style.captions.capitals)!.style;
  for (const [name, [language, , sentence]] of Object.entries(scripts)) {
    const edit = editOf(sentence, capitals, language);
    const document = assDocument(edit);
    const first = splitWords(sentence)[0]!;
    const cased = first !== first.toLocaleUpperCase(language);
    assert.equal(document.includes(first), !cased, name);
  }
});

test('capitals are the language’s own: dots in Turkish, no sharp s in German', () => {
  const capitals = [...presets.values()].find(({ style }) => style.captions.capitals)!.style;
  const shown = (sentence: string, language: string) =>
    assDocument(editOf(sentence, capitals, language));
  assert.match(shown('iyi bir gün', 'tr'), /İYİ/);
  assert.match(shown('iyi bir gün', 'de'), /IYI/);
  assert.match(shown('große Straße', 'de'), /GROSSE/);
});

test('pictures in a text are not drawn: the letters stand as if they were not there', async () => {
  const [with_, without] = [
    await drawn(editOf('Cool👍🏽 fire🔥 here', marked, 'en')),
    await drawn(editOf('Cool fire here', marked, 'en')),
  ];
  assert.deepEqual(frameAt(with_, 0.8), frameAt(without, 0.8));
});

test('a very long word is made smaller, in any script, and stays whole', async () => {
  for (const [language, word] of [
    ['de', 'Donaudampfschifffahrtsgesellschaftskapitän'],
    ['ru', 'превысокомногорассмотрительствующий'],
    ['hi', 'किंकर्तव्यविमूढ़तापूर्वककिंकर्तव्यविमूढ़ता'],
  ] as const) {
    const edit = editOf(word, marked, language);
    if (installed && missingLetters(edit, installed.letters).length > 0) continue;
    const [left, right] = columns(frameAt(await drawn(edit), 0.7))!;
    const { sideMargin, captionSize } = captionLayout(size, marked);
    assert.ok(left >= sideMargin - captionSize * 0.4, `${word}: from ${left}`);
    assert.ok(right < size.width - sideMargin + captionSize * 0.4, `${word}: to ${right}`);
    assert.ok(right - left > size.width * 0.4, `${word}: ${right - left} wide`);
  }
});

test('titles are broken between words, where a script has no spaces too', async () => {
  for (const [language, text] of [
    ['zh', '为什么蜜蜂整天都在花园里跳舞而没有人知道这件事情'],
    ['th', 'ทำไมผึ้งถึงเต้นรำในสวนทั้งวันโดยไม่หยุดพักเลย'],
    ['ar', 'لماذا ترقص النحل في الحديقة طوال اليوم ولا تتعب'],
  ] as const) {
    const lines = balancedLines(text, 14);
    assert.ok(lines.length > 1);
    assert.deepEqual(lines.flatMap(breakable), breakable(text));
    const edit = editOf('One two three four five six.', defaultStyle, language, text);
    if (installed && missingLetters(edit, installed.letters).length > 0) continue;
    const [left, right] = columns(frameAt(await drawn(edit), 1))!;
    assert.ok(left > 2 && right < size.width - 3, `${language}: ${left} to ${right}`);
  }
});

test('opening marks go with the word that they open', () => {
  assert.deepEqual(splitWords('「你好」他说'), ['「你好」', '他', '说']);
  assert.deepEqual(splitWords('他说“你好”。').at(-1), '“你好”。');
});
