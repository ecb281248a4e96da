/**
 * Untrusted text, doubled from 16 to 64 kB (`npm run test:long`: 2 MB). A pattern that backtracks
 * does so for each letter, and a loop over equal parts for each part.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeWholeEdit } from '../support/whole-edit.ts';
import { writeAssDocument, escapeAss } from '../../src/captions/ass.ts';
import { pickCandidates } from '../../src/moments/candidates.ts';
import { captionLines } from '../../src/captions/caption-lines.ts';
import { findEmoji } from '../../src/captions/emoji-cues.ts';
import { parseLanguage } from '../../src/words/language-code.ts';
import { readLetterRanges, findMissingLetters, readFontList } from '../../src/captions/letters.ts';
import { numberSentences, readPicks } from '../../src/moments/chat-ranking.ts';
import { parseSubtitles } from '../../src/words/subtitles.ts';
import { fitTitle, maxTitleWidth, makeTitle } from '../../src/moments/title.ts';
import { needsNextWord, withoutLead } from '../../src/moments/title-words.ts';
import { readSpeechAnswer } from '../../src/transcribers/speech-answer.ts';
import { makeTranscript } from '../../src/words/transcript.ts';
import { readTranslations } from '../../src/words/libretranslate.ts';
import { readWholeClause } from '../../src/moments/english-clause.ts';
import { isWholeAtEnd, rateHook, rateSubstance } from '../../src/moments/word-features.ts';
import { joinWords, splitWords, measureTextWidth } from '../../src/words/word-text.ts';
import { longRun } from 'clip-testkit/long-run';
import { quietAnalysis, spokenAnalysis } from 'clip-testkit/media-analysis';
import { editingWith } from 'clip-testkit/plain-edit';

const sizes = [16, 32, 64, ...(longRun ? [128, 256, 512, 1024, 2048] : [])].map((kb) => kb * 1024);

/** Measured of shorter work, this would be noise. */
const leastMs = 15;

/** Fails if the processor time of the work grows like its square, rather than with its size. */
async function growsLinearly(what: string, work: (size: number) => unknown): Promise<void> {
  let [first, before] = [0, 0];
  const measure = async (size: number) => {
    const began = process.cpuUsage();
    await work(size);
    return process.cpuUsage(began).user / 1000;
  };
  for (const size of sizes) {
    let ms = await measure(size);
    first ||= Math.max(leastMs, ms);
    const most = first * (size / sizes[0]!) ** 1.5;
    // The time of the garbage collection of other work counts too, but not each time.
    for (let again = 0; again < 3 && ms > most; again++) ms = Math.min(ms, await measure(size));
    assert.ok(ms <= most, `${what}: ${size} bytes took ${ms} ms, and half of it ${before} ms`);
    before = ms;
  }
}

const repeated = (part: string, size: number): string => part.repeat(Math.ceil(size / part.length));

/**
 * Runs that end in something the pattern does not match, or that begin again and again without an
 * end.
 */
// prettier-ignore
const parts = [
  'a', 'AA ', 'éa', 'a中', 'ก', '1.', '"', '.)', ',', '\u0301', ' ', '\u00a0', '\u2028', '\ufeff', 'so, ',
  'two and ', '{\\', '<1', '<b>\n', '&a', '[', '((a ', '>>', '_strange', 'first : ', '<think>',
  '{"clips":[', '😀', '/a', '« ', '? ', '.', '…,', "a'",
];

/** Fails if the work takes more than `most` µs of processor time: the machine may be busy. */
async function within(most: number, what: string, work: () => unknown): Promise<void> {
  const before = process.cpuUsage();
  await work();
  const { user } = process.cpuUsage(before);
  assert.ok(user < most, `${what} took ${Math.round(user / 1000)} ms`);
}

/** Markup of each format, whole and broken. */
// prettier-ignore
const markup = [
  '<b>', '<v ', '<v a', '<v.a', '<c.', '<rt>', '</', '<00:00:01.000>', '&#', '&amp;', '&nbsp;', '&#32;', '&#10;',
  '&lt;b&gt;', '\\n', '\\h', '{\\p1', '{\\p1}', '{}', '*a', '(a)&nbsp;', '-', '-->', '00:00:', '1:', 'm 0 0 l 1 1 ',
  '漢(あ', '\u0004a', '\ud800', 'Bob: hi ', 'A (b): c ', '[x] ', 'a:b ', '<tt ', '<p ', '<p begin="', '<p>',
  '<p begin="1s" end="2s">a', '<span ruby="text">', '</span>', '<br', '<!--', '<!-- -->', '<a:p', 'aaaa:',
];

const clock = (ms: number): string => new Date(ms).toISOString().slice(11, 23);
const cuesOf =
  (write: (from: string, to: string, index: number) => string, head = '') =>
  (size: number): string => {
    const cues = [head];
    for (let [length, index] = [0, 0]; length < size; index++) {
      const cue = write(clock(index * 10), clock(index * 10 + 10), index);
      length += cues.push(cue) && cue.length;
    }
    return cues.join('');
  };
const dialogue = 'Dialogue: 0,0:00:01.00,0:00:09.00,D,,0,0,0,,';
const begin = '00:00:00.000 --> 00:00:09.000\n';

/** Files whose cues are alike, overlap, grow, or are of one letter. */
const cueFiles: Readonly<Record<string, (size: number) => string>> = {
  'equal cues that touch': cuesOf((from, to) => `${from} --> ${to}\nsame text\n\n`),
  'equal cues with one word marked': cuesOf((from, to) => `${from} --> ${to}\n<u>a</u> b\n\n`),
  'cues with each word marked': cuesOf((from, to, index) => {
    const words = ['a', 'b', 'c', 'd'].with(index % 4, '<u>x</u>');
    return `${from} --> ${to}\n${words.join(' ')}\n\n`;
  }),
  'cues of one time': cuesOf((_from, _to, index) => `${begin}line ${index}\n\n`),
  'equal cues of one time': cuesOf(() => `${begin}line\n\n`),
  'cues that all overlap': cuesOf((from) => `${from} --> 23:59:59.000\nline\n\n`),
  'timed cues that overlap': cuesOf((from) => `${from} --> 23:59:59.000\n<00:00:01>a\n\n`),
  'cues that roll': cuesOf((from, to, index) => `${from} --> ${to}\nl${index}\nl${index + 1}\n\n`),
  'cues in two languages': cuesOf((from, to) => `${from} --> ${to}\nHello all\nHallo alle\n\n`),
  'cues in two scripts': cuesOf((from, to) => `${from} --> ${to}\nHello\nпривет\n\n`),
  'cues of many names': cuesOf((from, to, index) => `${from} --> ${to}\nBob${index % 999}: hi\n\n`),
  'cues in reverse': cuesOf((_, __, index) => `${clock(8e7 - index)} --> ${clock(8e7)}\na\n`),
  'times without text': cuesOf((from, to) => `${from} --> ${to}\n`),
  'lines of one letter': (size) => begin + repeated('a\n', size),
  'empty lines': (size) => begin + repeated('\n', size),
  'lines of numbers': cuesOf((_from, _to, index) => `${index}\n\n`, begin),
  'lines like times': (size) => repeated(`${'0 : '.repeat(70)}\n`, size),
  notes: (size) => `WEBVTT\n\n${repeated('NOTE a\nx\n\n', size)}`,
  'dialogue lines': (size) => repeated(`${dialogue}hi\n`, size).replace(/^/, '[Events]\n'),
  'formats of many fields': (size) =>
    `[Events]\nFormat: ${repeated('a,', size / 2)}\n${repeated('Dialogue:,\n', size / 2)}`,
  'formats without lines': (size) => `[Events]\n${repeated('Format: a,b\n', size)}`,
  'paragraphs of TTML': cuesOf((_from, _to, at) => `<p begin="${at}s" dur="1s">a</p>`, '<tt>'),
  'attributes of TTML': (size) => `<tt><p ${repeated('begin="1s" ', size)}>a</p>`,
  'quotes of TTML': (size) => `<tt><p ${repeated('begin=" ', size)}>a</p>`,
};

describe('subtitles are read in linear time', () => {
  const each = (name: string, write: (part: string, size: number) => string) =>
    it(name, async () => {
      for (const part of [...parts, ...markup])
        await growsLinearly(JSON.stringify(part), (size) => parseSubtitles(write(part, size)));
    });
  each('in a cue', (part, size) => `WEBVTT\n\n${begin}${repeated(part, size)}!x`);
  each('in lines', (part, size) => repeated(`${part.repeat(9).replaceAll('\n', '')}\n`, size));
  each(
    'as a dialogue',
    (part, size) => `[Events]\n${dialogue}${repeated(part.replaceAll('\n', '\\N'), size)}`,
  );
  each(
    'in a paragraph of TTML',
    (part, size) => `<tt><p begin="1s" end="2s">${repeated(part, size)}</p></tt>`,
  );
  each('as TTML', (part, size) => `<tt ${repeated(part, size)}`);
  for (const [name, write] of Object.entries(cueFiles))
    it(name, () => growsLinearly(name, (size) => parseSubtitles(write(size))));
});

describe('hostile text is read in linear time', () => {
  const each = (name: string, read: (text: string) => unknown) =>
    it(name, async () => {
      for (const part of parts)
        await growsLinearly(JSON.stringify(part), (size) => read(`${repeated(part, size)}!x`));
    });

  each('as a line of times', (text) => parseSubtitles(`WEBVTT\n\n${text} --> ${text}\nHello\n`));
  each('as words', (text) => {
    const words = splitWords(text);
    assert.ok(words.every((word) => [...word].length <= 200));
    measureTextWidth(joinWords(words));
    for (const word of words.slice(0, 5)) needsNextWord(word, 'en');
  });
  each('as a title', (text) => {
    assert.ok(measureTextWidth(fitTitle(text, 'en')) <= maxTitleWidth);
    const title = makeTitle([{ text, start: 5, end: 9 }], { language: 'en', start: 0 });
    assert.ok(measureTextWidth(title ?? '') <= maxTitleWidth);
    for (const language of ['en', 'de', 'fr', 'it']) withoutLead(text, language);
  });
  each('as a sentence that is judged', (text) => {
    assert.ok(rateHook(text, 'en') <= 1 && rateSubstance(text, 'en') <= 1);
    readWholeClause(text.slice(0, 400));
    isWholeAtEnd(text);
  });
  each('as the answer of a speech server', (text) => {
    readSpeechAnswer({ language: text, text, words: [{ word: text, start: 0, end: 5 }] });
    readSpeechAnswer({ duration: text, segments: [{ text, start: '0', end: '5s' }] });
    readSpeechAnswer({ text, words: [{ word: 'a', start: text, end: text }] });
  });
  each('as the answer of a language model', readPicks);
  each('as the answer of a translation server', (text) =>
    readTranslations({ translatedText: [text] }, 1),
  );
  each('as what the model is shown', (text) =>
    numberSentences([{ text, start: 0, end: 1, firstWord: 0, lastWord: 0 }], 0),
  );
  each('as a language', parseLanguage);
  each('as fonts', (text) => [readLetterRanges(text), readFontList(text)]);
  each('as a word with an emoji', (text) => findEmoji(text, 'en'));
  each('as what is drawn', escapeAss);
});

describe('a long talk of hostile words is read in linear time', () => {
  const editing = editingWith('captions', 'emojis', 'intro_title', 'reframe', 'remove_silences');
  // Fewer ones are compared in more detail, which takes longer.
  const count = 4000;
  const parts = ['a, ', 'a中', '😀a ', 'AA ', '中', 'A', 'ก', '. ', 'two '];

  for (const part of longRun ? parts : parts.slice(0, 1)) {
    it(JSON.stringify(part), () => {
      const words = splitWords(part.repeat(25 * count)).slice(0, count);
      const cue = {
        ...{ start: 0, end: 200, timed: false },
        words: words.map((text) => ({ text, start: 0, end: 200 })),
      };
      const transcript = makeTranscript([cue], { silences: [], duration: 200, language: 'en' });
      const analysis = { ...spokenAnalysis([]), duration: 200, transcript };
      return within(count * 5000, part, () => {
        const picks = pickCandidates(analysis, { count: 3, min: 5, max: 180, target: 60 });
        for (const { title } of picks) assert.ok(measureTextWidth(title) <= maxTitleWidth);
        const dimensions = { width: 360, height: 640 };
        const edit = makeWholeEdit(analysis, { editing, dimensions, title: '' });
        assert.ok(writeAssDocument(edit).startsWith('[Script Info]'));
        findMissingLetters(edit, [[32, 126]]);
      });
    });
  }
});

describe('many small parts are read in linear time', () => {
  const many = longRun ? 100_000 : 20_000;
  const first = { word: 'w', start: 0, end: 1 };
  const untimed = Array.from({ length: many }, (_, index) => ({ word: `w${index}` }));
  const text = 'other '.repeat(many);
  const spaced = { ...first, word: ' w' };
  const words = Array.from({ length: many }, (_, index) => ({
    ...{ text: 'word', start: index / 10, end: (index + 1) / 10 },
  }));
  const lines = Array.from({ length: many / 2 }, (_, index) => `l${index}`).join('\n');
  for (const [name, read] of [
    ['words unlike their text', () => ({ text, duration: 600, words: [first, ...untimed] })],
    [
      'words of marks',
      () => ({ text, duration: 600, words: [first, ...untimed.map(() => ({ word: '-' }))] }),
    ],
    ['words without spaces', () => ({ duration: 600, words: [spaced, spaced, ...untimed] })],
  ] as const) {
    it(name, () => within(many * 40, name, () => assert.ok(readSpeechAnswer(read()))));
  }

  it('the lines of a cue that the next one shows again', () =>
    within(many * 40, 'a cue', async () => {
      const cue = (from: number, shown: string) =>
        `00:0${from}.000 --> 00:0${from + 2}.000\n${shown}\n\n`;
      const cues = await parseSubtitles(`WEBVTT\n\n${cue(0, lines)}${cue(2, `${lines}\nnew`)}`);
      assert.ok(cues.length >= 1);
    }));

  it('an edit of words with a silence after each', () =>
    growsLinearly('an edit', (size) => {
      const every = (from: number, to: number) =>
        Array.from({ length: size / 4 }, (_, at) => ({ start: 2 * at + from, end: 2 * at + to }));
      const transcript = {
        ...{ language: 'en', sentences: [] },
        words: every(0, 0.6).map((span) => ({ ...span, text: 'um' })),
      };
      const analysis = { ...quietAnalysis(size / 2), silences: every(0.7, 1.9), transcript };
      const editing = editingWith('remove_silences', 'remove_fillers');
      const dimensions = { width: 360, height: 640 };
      makeWholeEdit(analysis, { editing, dimensions, title: '' });
    }));

  it('a caption without a pause', () =>
    within(many * 40, 'a caption', () => assert.ok(captionLines(words, 20).length >= many / 5)));
});
