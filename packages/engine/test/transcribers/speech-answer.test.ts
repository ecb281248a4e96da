import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { parseLanguage } from '../../src/words/language-code.ts';
import { readSpeechAnswer } from '../../src/transcribers/speech-answer.ts';
import type { Cue } from '../../src/words/subtitles.ts';

const words = (cues: readonly Cue[] | undefined) =>
  (cues ?? []).flatMap((cue) => cue.words.map(({ text, start, end }) => [text, start, end]));
const texts = (cues: readonly Cue[] | undefined) => words(cues).map(([text]) => text);

describe('the answer of a speech server', () => {
  it('has words beside the segments, whose marks they take', () => {
    const transcription = readSpeechAnswer({
      task: 'transcribe',
      language: 'english',
      duration: '3.2',
      text: 'Well, hello there. Is it you?',
      words: [
        { word: 'Well', start: 0, end: 0.4 },
        { word: 'hello', start: 0.5, end: 0.9 },
        { word: 'there', start: 0.9, end: 1.2 },
        { word: 'Is', start: 2, end: 2.2 },
        { word: 'it', start: 2.2, end: 2.3 },
        { word: 'you', start: 2.3, end: 2.6 },
      ],
      segments: [{ id: 0, start: 0, end: 3.2, text: ' Well, hello there. Is it you?' }],
    });
    assert.equal(transcription?.language, 'en');
    assert.deepEqual(texts(transcription?.cues), ['Well,', 'hello', 'there.', 'Is', 'it', 'you?']);
    assert.deepEqual(words(transcription?.cues)[1], ['hello', 0.5, 0.9]);
    assert.ok(transcription?.cues.every((cue) => cue.timed));
  });

  it('has words null, and tokens inside the segments', () => {
    const transcription = readSpeechAnswer({
      language: 'en',
      words: null,
      text: ' Unbelievable, isn’t it?',
      segments: [
        {
          start: 0,
          end: 2,
          text: ' Unbelievable, isn’t it?',
          words: [
            { word: ' Un', start: 0, end: 0.2 },
            { word: 'believ', start: 0.2, end: 0.6 },
            { word: 'able', start: 0.6, end: 0.9 },
            { word: ',', start: 0.9, end: 1 },
            { word: ' isn', start: 1.1, end: 1.3 },
            { word: '’t', start: 1.3, end: 1.4 },
            { word: ' it', start: 1.5, end: 1.6 },
            { word: '?', start: 1.6, end: 1.9 },
          ],
        },
      ],
    });
    assert.deepEqual(words(transcription?.cues), [
      ['Unbelievable,', 0, 0.9],
      ['isn’t', 1.1, 1.4],
      ['it?', 1.5, 1.6],
    ]);
  });

  it('has segments alone: their words share their time, and are no longer timed', () => {
    const transcription = readSpeechAnswer({
      language: 'de',
      segments: [
        { start: '0.0', end: '2.0s', text: 'Guten Morgen' },
        { start: 2.5, end: 3, text: 'Ja.' },
      ],
    });
    assert.deepEqual(texts(transcription?.cues), ['Guten', 'Morgen', 'Ja.']);
    assert.deepEqual(
      [transcription?.cues[0]?.timed, transcription?.cues[0]?.start, transcription?.cues[0]?.end],
      [false, 0, 2],
    );
    const [first, second] = transcription!.cues[0]!.words;
    assert.ok(first!.end === second!.start && second!.end - second!.start > first!.end - 0);
  });

  it('has times as strings, or none for some words, which then stand between their neighbours', () => {
    const transcription = readSpeechAnswer({
      text: 'In 2024 we won',
      words: [
        { word: 'In', start: '0.0', end: '0.5' },
        { word: '2024', start: null, end: null },
        { word: 'we', start: '1.5', end: '1.7' },
        { word: 'won', start: 1.7, end: 2 },
      ],
    });
    assert.deepEqual(words(transcription?.cues)[1], ['2024', 0.5, 1.5]);
  });

  it('has scripts without spaces', () => {
    const transcription = readSpeechAnswer({
      language: 'japanese',
      segments: [
        {
          start: 0,
          end: 2,
          text: '猫が好き。',
          words: [
            { word: '猫', start: 0, end: 0.4 },
            { word: 'が', start: 0.4, end: 0.7 },
            { word: '好き', start: 0.7, end: 1.5 },
            { word: '。', start: 1.5, end: 2 },
          ],
        },
      ],
    });
    assert.equal(transcription?.language, 'ja');
    assert.equal(texts(transcription?.cues).join(''), '猫が好き。');
  });

  it('may say that nothing was said', () => {
    assert.deepEqual(readSpeechAnswer({ text: '', segments: [] })?.cues, []);
  });

  it('is of no use with text and no times, or when it is something else', () => {
    for (const answer of [{ text: 'hello' }, { ok: true }, [], null, 'text', 3]) {
      assert.equal(readSpeechAnswer(answer), null, JSON.stringify(answer));
    }
  });
});

test('languages come as codes and as names', () => {
  const cases: [unknown, string | null][] = [
    ['english', 'en'],
    ['German', 'de'],
    ['en_us', 'en-US'],
    ['pt-br', 'pt-BR'],
    ['cantonese', 'yue'],
    ['Haitian Creole', 'ht'],
    ['castilian', 'es'],
    ['myanmar', 'my'],
    ['klingonese', null],
    ['und', null],
    ['', null],
    [null, null],
    [7, null],
  ];
  for (const [given, code] of cases) assert.equal(parseLanguage(given), code, String(given));
});
