import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Span, Word } from '../../src/facts.ts';
import {
  findLoop,
  findMissed,
  hasVoice,
  type Heard,
  insertWords,
  placeWords,
  readRecognisedWords,
  removeInvented,
  removeLoops,
  voiceSeconds,
} from '../../src/transcribers/recognised-words.ts';

/** What a recogniser hears: a token each 200 ms. `¦` splits tokens. */
function hear(tokens: string, broken: Record<number, string> = {}): Heard {
  const texts = tokens.split('¦');
  return {
    text: texts.join(''),
    language: 'en',
    segmentsOnly: false,
    voice: [],
    tokens: texts.map((text, index) => ({
      text: broken[index] ?? text,
      start: index * 0.2,
      end: index * 0.2 + 0.2,
    })),
  };
}

/** Words of half a second each, one after the other. */
const speak = (text: string, start = 0): Word[] =>
  text.split(' ').map((word, at) => ({
    text: word,
    start: start + at / 2,
    end: start + at / 2 + 0.5,
  }));
const texts = (words: readonly Word[]) => words.map(({ text }) => text).join(' ');
const show = (words: readonly Word[]) =>
  words.map(({ text, start, end }) => `${text} ${start.toFixed(1)}-${end.toFixed(1)}`);
/** A voice in these parts of ten seconds. */
const voiceIn = (...spans: Span[]) =>
  Array.from({ length: 10 / voiceSeconds }, (_, frame) =>
    spans.some(({ start, end }) => frame * voiceSeconds >= start && frame * voiceSeconds < end)
      ? 90
      : 2,
  );

describe('tokens become words', () => {
  test('with their times and marks', () => {
    assert.deepEqual(show(readRecognisedWords(hear(' And¦ so¦,¦ my¦ fell¦ow¦ Americ¦ans¦.'), [])), [
      'And 0.0-0.2',
      'so, 0.2-0.4',
      'my 0.6-0.8',
      'fellow 0.8-1.2',
      'Americans. 1.2-1.6',
    ]);
  });

  for (const [name, tokens, words] of [
    ['apostrophes', " I¦'m¦ sure¦ they¦'ve¦ l'¦eau", "I'm sure they've l'eau"],
    ['numbers and units', ' 3¦.¦5¦ %¦ of¦ $¦1¦,¦000', '3.5% of $1,000'],
    ['quotation marks', ' She¦ said¦ "¦yes¦".', 'She said "yes".'],
    ['an ellipsis', ' Well¦...¦ yes¦…', 'Well... yes…'],
    ['hyphens', ' twenty¦-¦four¦ hours', 'twenty-four hours'],
    [
      'a language without spaces',
      '今日¦は¦とても¦暑い¦です¦ね¦。',
      '今日 は とても 暑い です ね。',
    ],
  ] as const) {
    test(`with ${name}`, () => assert.equal(texts(readRecognisedWords(hear(tokens), [])), words));
  }

  test('letters that are split between tokens become whole again', () => {
    const chinese = hear(' 我¦想¦说', { 1: '\ufffd', 2: '\ufffd\ufffd' });
    assert.equal(texts(readRecognisedWords(chinese, [])).replaceAll(' ', ''), '我想说');
    assert.equal(texts(readRecognisedWords(hear(' a¦é¦ b', { 1: '\ufffd' }), [])), 'aé b');
  });

  test('sounds in brackets are not words, what is said in brackets is', () => {
    const read = (tokens: string) => texts(readRecognisedWords(hear(tokens), []));
    assert.equal(read(' [¦BL¦ANK¦_¦AUDIO¦]¦ Yes'), 'Yes');
    assert.equal(read(' No¦ (¦aud¦ience¦ laughing¦)¦ way'), 'No way');
    assert.equal(read(' *¦s¦ighs¦*¦ fine'), 'fine');
    assert.equal(read(' ♪¦ la¦ la¦ ♪'), '');
    const open = ` (${Array.from({ length: 60 }, () => ' so').join('¦')}`;
    assert.equal(readRecognisedWords(hear(open), []).length, 60);
  });

  test('a token of Parakeet lasts until the next one begins', () => {
    const heard = hear(' Good¦ morn¦ing');
    const parakeet = heard.tokens.map((token) => ({ ...token, end: null }));
    const words = readRecognisedWords(
      { ...heard, tokens: parakeet, voice: new Array<number>(30).fill(90) },
      [],
    );
    assert.deepEqual(show(words), ['Good 0.0-0.2', 'morning 0.2-1.0']);
  });

  test('words share the time of a segment if the model gives no other', () => {
    const tokens = [{ text: ' Yes indeed.', start: 1, end: 3 }];
    const words = readRecognisedWords({ ...hear(''), tokens, segmentsOnly: true }, []);
    assert.equal(texts(words), 'Yes indeed.');
    assert.ok(words[0]!.start === 1 && words[1]!.end === 3);
  });
});

describe('a word is not in a pause', () => {
  const pauses = [{ start: 1, end: 3 }];
  for (const [name, word, placed] of [
    ['spans it: begins after it', [0.9, 3.4], [3, 3.4]],
    ['reaches into it: ends before it', [0.5, 2], [0.5, 1]],
    ['spans it, with nothing behind: ends before it', [0.5, 3.05], [0.5, 1]],
    ['begins in it: begins after it', [2, 3.4], [3, 3.4]],
    ['is in its first half', [1.1, 1.3], [1, 1.06]],
    ['is in its second half', [2.6, 2.9], [3, 3.06]],
    ['is beside it', [3.2, 3.6], [3.2, 3.6]],
  ] as const) {
    test(`that ${name}`, () => {
      const [moved] = placeWords([{ text: 'so', start: word[0], end: word[1] }], pauses);
      assert.ok(
        Math.abs(moved!.start - placed[0]) < 1e-9 && Math.abs(moved!.end - placed[1]) < 1e-9,
      );
    });
  }

  test('and takes some of the time of the next word if it would have none', () => {
    const words = placeWords(
      [
        { text: 'I', start: 2, end: 2.8 },
        { text: 'know', start: 2.8, end: 3.6 },
      ],
      pauses,
    );
    assert.deepEqual(show(words), ['I 3.0-3.1', 'know 3.1-3.6']);
  });
});

describe('what nobody says', () => {
  test('is left out where no voice is heard: sounds, and thanks for watching', () => {
    const words = [
      ...speak('That was it.'),
      ...speak('Thanks for watching.', 5),
      ...speak('music', 8),
    ];
    const voice = voiceIn({ start: 0, end: 1.5 });
    assert.equal(texts(removeInvented(words, voice)), 'That was it.');
  });

  test('stays where a voice is heard, and so does everything else', () => {
    const words = [...speak('Thank you.'), ...speak('The wind blew hard.', 5)];
    assert.deepEqual(removeInvented(words, voiceIn({ start: 0, end: 1 })), words);
  });

  test('is not listened to: a noise that sounds like a voice for a moment', () => {
    assert.ok(!hasVoice(voiceIn({ start: 3, end: 3.1 })));
    assert.ok(hasVoice(voiceIn({ start: 3, end: 3.5 })));
  });
});

describe('a loop', () => {
  const loop = 'and then we go and then we go and then we go home';

  test('is a phrase three times in ten seconds, or a word six times', () => {
    assert.deepEqual(findLoop(speak(loop)), { from: 0, to: 12, length: 4 });
    assert.equal(findLoop(speak('no no no I will not')), null);
    assert.ok(findLoop(speak('so so so so so so')));
    const slow = speak(loop).map((word) => ({ ...word, start: 4 * word.start, end: 4 * word.end }));
    assert.equal(findLoop(slow), null);
  });

  test('is kept once', () => {
    assert.equal(texts(removeLoops(speak(`Well, ${loop}`))), 'Well, and then we go home');
    assert.equal(texts(removeLoops(speak('a few words'))), 'a few words');
  });
});

describe('a part with a voice and without words', () => {
  const known = { pauses: [{ start: 4, end: 5 }], seconds: 10 };

  test('was missed, also if the times of a word reach over it', () => {
    const words = [...speak('one two'), { text: 'nine', start: 1, end: 8 }, ...speak('ten', 8)];
    const missed = findMissed(words, { ...known, voice: voiceIn({ start: 0, end: 9 }) });
    assert.deepEqual(missed, [
      { start: 1, end: 4 },
      { start: 5, end: 6.9 },
    ]);
    assert.deepEqual(findMissed(words, { ...known, voice: voiceIn({ start: 0, end: 1 }) }), []);
  });

  test('gets the words that are found there', () => {
    const words = [...speak('one two'), { text: 'nine', start: 1, end: 8 }];
    const found = speak('two three four', 0.8);
    assert.deepEqual(show(insertWords(words, found, { start: 1, end: 4 })), [
      'one 0.0-0.5',
      'two 0.5-1.0',
      'three 1.3-1.8',
      'four 1.8-2.3',
      'nine 2.3-8.0',
    ]);
  });
});
