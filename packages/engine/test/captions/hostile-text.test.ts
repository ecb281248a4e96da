/**
 * Untrusted text, 20 kB at a time (`npm run test:long`: 200 kB). A pattern that backtracks does so
 * for each letter. Quadratic code takes many seconds then, linear code takes milliseconds.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeWholeEdit } from '../../src/editing/make-inputs.ts';
import { assDocument, escapeAss } from '../../src/captions/ass.ts';
import { pickCandidates } from '../../src/moments/candidates.ts';
import { captionLines } from '../../src/captions/caption-lines.ts';
import { emojiOf } from '../../src/captions/emoji-cues.ts';
import { languageCode } from '../../src/words/language-code.ts';
import { letterRanges, missingLetters, readFontList } from '../../src/captions/letters.ts';
import { numberedSentences, readPicks } from '../../src/moments/chat-ranking.ts';
import { parseSubtitles } from '../../src/words/subtitles.ts';
import { fitTitle, maxTitleWidth, titleOf } from '../../src/moments/title.ts';
import { leansOnNext, withoutLead } from '../../src/moments/title-words.ts';
import { readSpeechAnswer } from '../../src/transcribers/speech-answer.ts';
import { transcriptOf } from '../../src/words/transcript.ts';
import { readTranslations } from '../../src/words/libretranslate.ts';
import { wholeClauseOf } from '../../src/moments/english-clause.ts';
import { endsWhole, hookStrength, substanceOf } from '../../src/moments/word-features.ts';
import { joinWords, splitWords, textWidth } from '../../src/words/word-text.ts';
import { longRun } from '../../../../test/support/long-run.ts';
import { spokenAnalysis } from '../support/media-analysis.ts';
import { editingWith } from '../support/plain-edit.ts';

const size = longRun ? 200_000 : 20_000;

/**
 * Runs that end in something the pattern does not match, or that begin again and again without an
 * end.
 */
const texts: Readonly<Record<string, string>> = Object.fromEntries(
  // prettier-ignore
  [
    'a', 'AA ', 'éa', 'a中', 'ก', '1.', '"', '.)', ',', '\u0301', ' ', '\u2028', 'so, ', 'two and ',
    '{\\', '<1', '<b>\n', '&a', '[', '((a ', '>>', '_strange', 'first : ', '<think>', '{"clips":[',
    '😀',
  ].map((part) => [part, `${part.repeat(Math.ceil(size / part.length))}!x`]),
);

/** Fails if the work takes more than `most` µs of processor time: the machine may be busy. */
async function within(most: number, what: string, work: () => unknown): Promise<void> {
  const before = process.cpuUsage();
  await work();
  const { user } = process.cpuUsage(before);
  assert.ok(user < most, `${what} took ${Math.round(user / 1000)} ms`);
}

describe(`${size / 1000} kB of hostile text are read in linear time`, () => {
  const each = (name: string, read: (text: string) => unknown) =>
    it(name, async () => {
      for (const [part, text] of Object.entries(texts)) {
        await within(size * 20, JSON.stringify(part), () => read(text));
      }
    });

  each('as subtitles', (text) =>
    parseSubtitles(`WEBVTT\n\n00:00:00.000 --> 00:01:00.000\n${text}\n`),
  );
  each('as a line of times', (text) => parseSubtitles(`WEBVTT\n\n${text} --> ${text}\nHello\n`));
  each('as words', (text) => {
    const words = splitWords(text);
    assert.ok(words.every((word) => [...word].length <= 200));
    textWidth(joinWords(words));
    for (const word of words.slice(0, 5)) leansOnNext(word, 'en');
  });
  each('as a title', (text) => {
    assert.ok(textWidth(fitTitle(text, 'en')) <= maxTitleWidth);
    const title = titleOf([{ text, start: 5, end: 9 }], { language: 'en', start: 0 });
    assert.ok(textWidth(title ?? '') <= maxTitleWidth);
    for (const language of ['en', 'de', 'fr', 'it']) withoutLead(text, language);
  });
  each('as a sentence that is judged', (text) => {
    assert.ok(hookStrength(text, 'en') <= 1 && substanceOf(text, 'en') <= 1);
    wholeClauseOf(text.slice(0, 400));
    endsWhole(text);
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
    numberedSentences([{ text, start: 0, end: 1, firstWord: 0, lastWord: 0 }], 0),
  );
  each('as a language', languageCode);
  each('as fonts', (text) => [letterRanges(text), readFontList(text)]);
  each('as a word with an emoji', (text) => emojiOf(text, 'en'));
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
      const transcript = transcriptOf([cue], { silences: [], duration: 200, language: 'en' });
      const analysis = { ...spokenAnalysis([]), duration: 200, transcript };
      return within(count * 5000, part, () => {
        const picks = pickCandidates(analysis, { count: 3, min: 5, max: 180, target: 60 });
        for (const { title } of picks) assert.ok(textWidth(title) <= maxTitleWidth);
        const dimensions = { width: 360, height: 640 };
        const edit = makeWholeEdit(analysis, { editing, dimensions, title: '' });
        assert.ok(assDocument(edit).startsWith('[Script Info]'));
        missingLetters(edit, [[32, 126]]);
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

  it('a caption without a pause', () =>
    within(many * 40, 'a caption', () => assert.ok(captionLines(words, 20).length >= many / 5)));
});
