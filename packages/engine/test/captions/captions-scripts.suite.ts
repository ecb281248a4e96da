import assert from 'node:assert/strict';
import { after, describe, it, test } from 'node:test';
import { writeAssDocument } from '../../src/captions/ass.ts';
import { maxSqueeze } from '../../src/captions/caption-lines.ts';
import {
  balanceLines,
  captionLayout,
  countCharactersPerLine,
} from '../../src/captions/caption-layout.ts';
import { listInstalledFonts, findMissingLetters } from '../../src/captions/letters.ts';
import { restyleEdit } from '../../src/editing/make-edit.ts';
import { makeWholeEdit } from '../support/whole-edit.ts';
import { type Edit } from '../../src/edit.ts';
import { defaultStyle, type Style } from '../../src/style/style.ts';
import {
  splitBreakable,
  joinWords,
  splitWords,
  measureTextWidth,
} from '../../src/words/word-text.ts';
import { isContinued, findPhraseStarts } from '../../src/words/line-breaks.ts';
import { loadPresets } from '../../src/style/presets.ts';
import { captionCanvas, onsetsOf, pixelsWhere, red } from '../support/caption-canvas.ts';
import { spokenAnalysis } from 'clip-testkit/media-analysis';

const canvas = await captionCanvas();
after(() => canvas.remove());
const { drawn, size, rate } = canvas;
const installed = await listInstalledFonts(new AbortController().signal);
const presets = await loadPresets();

const marked: Style = {
  ...defaultStyle,
  captions: { ...defaultStyle.captions, spoken: { mark: 'colour', colour: '#ff0000' } },
};
function editOf(sentence: string, style: Style, language: string, title = ''): Edit {
  const spoken = spokenAnalysis([sentence]);
  const analysis = { ...spoken, transcript: { ...spoken.transcript!, language } };
  return makeWholeEdit(analysis, {
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
/** Leftmost and rightmost column with text, or null. */
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
    const missing = installed ? findMissingLetters(edit, installed.letters) : [];
    const skip = missing.length > 0 ? `no font has ${missing.join('')}` : false;

    it('is set in lines of two to five words that fit, and none is lost', () => {
      const longest = countCharactersPerLine(size, marked);
      const words = edit.captions.flatMap((line) => line.words.map(({ text }) => text));
      assert.deepEqual(words, splitWords(sentence));
      let at = 0;
      for (const line of edit.captions) {
        const text = joinWords(line.words.map((word) => word.text));
        const phrase = findPhraseStarts(words, language).slice(at + 1, at + line.words.length);
        assert.ok(line.words.length <= 5 || !phrase.includes(true), text);
        at += line.words.length;
        const most = line.words.length === 2 ? longest * maxSqueeze : longest;
        assert.ok(measureTextWidth(text) <= most || line.words.length === 1, text);
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
        const width = measureTextWidth(joinWords(line.words.map((word) => word.text)));
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
    const document = writeAssDocument(edit);
    const first = splitWords(sentence)[0]!;
    const cased = first !== first.toLocaleUpperCase(language);
    assert.equal(document.includes(first), !cased, name);
  }
});

test('capitals are the language’s own: dots in Turkish, no sharp s in German', () => {
  const capitals = [...presets.values()].find(({ style }) => style.captions.capitals)!.style;
  const shown = (sentence: string, language: string) =>
    writeAssDocument(editOf(sentence, capitals, language));
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

const shownLines = ({ captions }: Edit): string[] =>
  captions.map(({ words }) => joinWords(words.map(({ text }) => text)));

const large = { width: 1080, height: 1920 };
function talk(sentence: string, language: string): Edit {
  const spoken = spokenAnalysis([sentence]);
  const analysis = { ...spoken, transcript: { ...spoken.transcript!, language } };
  const editing = { captions: true, reframe: true, emojis: false, intro_title: false };
  const options = { editing: { ...editing, remove_silences: false }, dimensions: large };
  return makeWholeEdit(analysis, { ...options, title: 'Upload' });
}

test('lines of Japanese, Chinese and Thai break between phrases', () => {
  for (const [language, sentence, lines] of [
    [
      'ja',
      '今日はみなさんに、私が子どものころに学んだことをお話ししたいと思います。',
      [
        '今日はみなさんに、',
        '私が子どもの',
        'ころに学んだ',
        'ことを',
        'お話ししたいと',
        '思います。',
      ],
    ],
    ['zh', '我想告诉大家一个关于时间的故事。', ['我想告诉大家一个', '关于时间的故事。']],
    ['th', 'วันนี้ผมจะเล่าเรื่องที่ผมได้เรียนรู้ตอนเป็นเด็ก', null],
  ] as const) {
    const shown = shownLines(talk(sentence, language));
    if (lines) assert.deepEqual(shown, lines);
    // Each line begins with a phrase.
    const words = splitWords(sentence);
    const starts = findPhraseStarts(words, language);
    let at = 0;
    for (const { words: own } of talk(sentence, language).captions) {
      assert.ok(starts[at], `${own[0]!.text} of ${shown.join('|')}`);
      at += own.length;
    }
  }
});

test('no line begins with a particle or a letter that may not begin one', () => {
  for (const sentence of [
    '蜂はなぜ一日中庭で踊っているのでしょうか。',
    '彼女が作ったケーキがとてもおいしかったので、みんながもっとほしいと言いました。',
    'コンピューターっていうのは、ちょっとしたきっかけで壊れちゃうんですよね。',
  ]) {
    for (const line of shownLines(talk(sentence, 'ja')).slice(1)) {
      assert.doesNotMatch(
        line,
        /^[がをはにへぁぃぅぇぉっゃゅょァィゥェォッャュョー、。]/u,
        sentence,
      );
    }
  }
});

test('titles in Japanese break between phrases', () => {
  assert.deepEqual(balanceLines('私たちが知っているのは、それが仲間に場所を教えるため', 22), [
    '私たちが知っているのは、',
    'それが仲間に',
    '場所を教えるため',
  ]);
});

test('a word that is longer than a line is hyphenated, and its letters keep their size', async () => {
  for (const [language, word] of [
    ['de', 'Donaudampfschifffahrtsgesellschaftskapitän'],
    ['ru', 'превысокомногорассмотрительствующий'],
    ['en', 'supercalifragilisticexpialidocious'],
  ] as const) {
    const edit = editOf(`Say ${word} again`, marked, language);
    const parts = edit.captions
      .flatMap(({ words }) => words)
      .filter(({ text }) => isContinued(text));
    assert.ok(parts.length > 0);
    const whole = edit.captions.flatMap(({ words }) => words.map(({ text }) => text)).join('');
    assert.ok(whole.replaceAll('\u00ad', '').includes(word), whole);
    const document = writeAssDocument(edit);
    assert.match(document, /\p{L}-(?:\{|$)/mu);
    assert.ok(!document.includes('\u00ad'));
    for (const [, percent] of document.matchAll(/\\fscx(\d+)/g)) assert.ok(Number(percent) >= 80);
    // Another style breaks the whole word again.
    const again = restyleEdit(edit, [...presets.values()].at(-1)!.style);
    const restored = again.captions.flatMap(({ words }) => words.map(({ text }) => text)).join('');
    assert.equal(restored.replaceAll('\u00ad', ''), whole.replaceAll('\u00ad', ''));
    if (installed && findMissingLetters(edit, installed.letters).length > 0) continue;
    const [left, right] = columns(frameAt(await drawn(edit), parts[0]!.start + 0.1))!;
    assert.ok(left > 2 && right < size.width - 3, `${word}: ${left} to ${right}`);
  }
  const title = balanceLines('Was macht ein Donaudampfschifffahrtsgesellschaftskapitän heute?', 21);
  for (const line of title) assert.ok(measureTextWidth(line) <= 21 * 1.05, line);
});

test('a long word of a script without hyphens is made smaller, and stays whole', async () => {
  const word = 'किंकर्तव्यविमूढ़तापूर्वककिंकर्तव्यविमूढ़ता';
  const edit = editOf(word, marked, 'hi');
  if (installed && findMissingLetters(edit, installed.letters).length > 0) return;
  const [left, right] = columns(frameAt(await drawn(edit), 0.7))!;
  const { sideMargin, captionSize } = captionLayout(size, marked);
  assert.ok(left >= sideMargin - captionSize * 0.4, `from ${left}`);
  assert.ok(right < size.width - sideMargin + captionSize * 0.4, `to ${right}`);
  assert.ok(right - left > size.width * 0.4, `${right - left} wide`);
});

test('titles are broken between words, where a script has no spaces too', async () => {
  for (const [language, text] of [
    ['zh', '为什么蜜蜂整天都在花园里跳舞而没有人知道这件事情'],
    ['th', 'ทำไมผึ้งถึงเต้นรำในสวนทั้งวันโดยไม่หยุดพักเลย'],
    ['ar', 'لماذا ترقص النحل في الحديقة طوال اليوم ولا تتعب'],
  ] as const) {
    const lines = balanceLines(text, 14);
    assert.ok(lines.length > 1);
    assert.equal(joinWords(lines), joinWords(splitBreakable(text)));
    const edit = editOf('One two three four five six.', defaultStyle, language, text);
    if (installed && findMissingLetters(edit, installed.letters).length > 0) continue;
    const [left, right] = columns(frameAt(await drawn(edit), 1))!;
    assert.ok(left > 2 && right < size.width - 3, `${language}: ${left} to ${right}`);
  }
});

test('opening marks go with the word that they open', () => {
  assert.deepEqual(splitWords('「你好」他说'), ['「你好」', '他', '说']);
  assert.deepEqual(splitWords('他说“你好”。').at(-1), '“你好”。');
});
