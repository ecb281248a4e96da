import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it, test } from 'node:test';
import type { MediaInfo, Sentence, Transcript, Word } from '../../src/facts.ts';
import { openSource } from '../../src/source/open-source.ts';
import { measuredRate } from '../../src/source/sound-levels.ts';
import { readSpeakers, SpanCutter } from '../../src/words/voice-reader.ts';
import { findVoiceSpan, numberSpeakers, withSpeakers } from '../../src/words/voices.ts';
import { ffmpeg, temporaryDirectory } from 'clip-testkit/media-footage';
import { realSpeech, speechWithWords } from '../support/real-speech.ts';

const { signal } = new AbortController();

/** Returns a vector of length 1: the cosine of two is that of the angle between them. */
function voiceAt(degrees: number): Float32Array {
  const angle = (degrees * Math.PI) / 180;
  return Float32Array.of(Math.cos(angle), Math.sin(angle), 0);
}

/** Sentences of two words each, a second long. */
function makeTranscript(count: number, marks: readonly number[] = []): Transcript {
  const words = Array.from({ length: 2 * count }, (_, at): Word => ({
    text: at % 2 === 0 ? 'Well' : 'said.',
    start: at / 2,
    end: at / 2 + 0.5,
    ...(marks.includes(at / 2) && { opensTurn: true }),
  }));
  const sentences = Array.from({ length: count }, (_, at): Sentence => ({
    text: 'Well said.',
    start: at,
    end: at + 1,
    firstWord: 2 * at,
    lastWord: 2 * at + 1,
  }));
  return { language: 'en', words, sentences };
}

const listTurns = ({ words }: Transcript): number[] =>
  words.flatMap(({ opensTurn }, index) => (opensTurn ? [index / 2] : []));

test('a sentence of a second shows its voice, and of a long one the middle is enough', () => {
  assert.equal(findVoiceSpan({ start: 4, end: 4.9 }), null);
  assert.deepEqual(findVoiceSpan({ start: 4, end: 5 }), { start: 4, end: 5 });
  assert.deepEqual(findVoiceSpan({ start: 4, end: 14 }), { start: 7.5, end: 10.5 });
});

describe('speakers', () => {
  it('have the numbers of the order in which they first speak', () => {
    const voices = [90, 85, 0, 5, 90, null, 2].map((at) => (at === null ? null : voiceAt(at)));
    assert.deepEqual(numberSpeakers(voices), [1, 1, 2, 2, 1, null, 2]);
  });

  it('are not known of a voice between two of them', () => {
    const voices = [0, 0, 103, 103, 51.5, 0].map(voiceAt);
    assert.deepEqual(numberSpeakers(voices), [1, 1, 2, 2, null, 1]);
  });

  it('are not made by one sentence that is a little like another', () => {
    assert.deepEqual(numberSpeakers([0, 2, 57, 0].map(voiceAt)), [1, 1, null, 1]);
    assert.deepEqual(numberSpeakers([0, 2, 80, 0].map(voiceAt)), [1, 1, 2, 1]);
  });

  it('are limited in number: noise is like nothing before', () => {
    const voices = Array.from({ length: 60 }, (_, at) => {
      const voice = new Float32Array(60);
      voice[at] = 1;
      return voice;
    });
    assert.equal(new Set(numberSpeakers(voices)).size, 51);
  });
});

describe('words with their speakers', () => {
  it('open turns with the first sentence that is surely of another', () => {
    const heard = withSpeakers(makeTranscript(5), [1, null, 2, 2, 1]);
    assert.deepEqual(
      heard.words.map(({ speaker }) => speaker),
      [1, 1, undefined, undefined, 2, 2, 2, 2, 1, 1],
    );
    assert.deepEqual(listTurns(heard), [2, 4]);
    assert.equal(heard.turnsHeard, true);
  });

  it('keep the turns that the subtitles mark', () => {
    const heard = withSpeakers(makeTranscript(5, [1, 4]), [1, 1, 2, 2, 1]);
    assert.deepEqual(listTurns(heard), [1, 4]);
    assert.equal(heard.words[4]!.speaker, 2);
    assert.equal(heard.turnsHeard, undefined);
  });

  it('lose marks that the voices contradict: dashes in sentences', () => {
    const heard = withSpeakers(makeTranscript(12, [7]), [1, 2, 1, 2, 1, 2, 1, 1, 1, 2, 1, 2]);
    assert.deepEqual(listTurns(heard), [1, 2, 3, 4, 5, 6, 9, 10, 11]);
  });

  it('have no turns if one speaks', () => {
    const heard = withSpeakers(makeTranscript(3), [1, 1, 1]);
    assert.deepEqual(listTurns(heard), []);
    assert.equal(heard.turnsHeard, undefined);
  });
});

test('spans are cut out of chunks of any size', () => {
  const samples = Int16Array.from({ length: 400 }, (_, at) => 3 * at);
  const bytes = new Uint8Array(samples.buffer);
  const spans = [
    [0, 10],
    [10, 60],
    [70, 200],
    [390, 500],
  ].map(([start, end]) => ({ start: start! / measuredRate, end: end! / measuredRate }));
  for (const size of [1, 7, 64, 800]) {
    const cutter = new SpanCutter(spans);
    const cut: [number, number | undefined, number | undefined][] = [];
    for (let at = 0; at < bytes.length; at += size) {
      for (const { index, samples } of cutter.cut(bytes.subarray(at, at + size)))
        cut.push([index, samples[0], samples.at(-1)]);
    }
    const whole = [
      [0, 0, 27],
      [1, 30, 177],
      [2, 210, 597],
    ];
    assert.deepEqual(cut, whole, `chunks of ${size} bytes`);
  }
});

const directory = await temporaryDirectory();
after(() => directory.remove());

/** Reads raw samples of what ffmpeg is given. */
async function readRaw(input: readonly string[]): Promise<Buffer> {
  const raw = join(directory.path, 'read.raw');
  await ffmpeg([...input, '-ac', '1', '-ar', `${measuredRate}`, '-f', 's16le', raw]);
  return readFile(raw);
}

/** Returns the speakers of pieces of sound that follow each other, a sentence each. */
async function tellSpeakers(pieces: readonly Buffer[]): Promise<(number | undefined)[]> {
  const raw = join(directory.path, 'talk.raw');
  const path = join(directory.path, 'talk.mp4');
  await writeFile(raw, Buffer.concat(pieces));
  await ffmpeg(['-f', 's16le', '-ar', `${measuredRate}`, '-ac', '1', '-i', raw, path]);
  const transcript = makeTranscript(pieces.length);
  let at = 0;
  transcript.sentences.forEach((sentence, index) => {
    sentence.start = at;
    sentence.end = at += pieces[index]!.length / 2 / measuredRate;
  });
  const media = { duration: at, hasAudio: true } as MediaInfo;
  const opened = await openSource(path, { from: 0, picture: null, signal });
  const shares: number[] = [];
  const heard = await readSpeakers(
    transcript,
    { media, opened, from: 0 },
    { signal, onProgress: (share) => shares.push(share) },
  );
  assert.deepEqual(
    shares,
    pieces.map((_, index) => (index + 1) / pieces.length),
  );
  return heard.sentences.map(({ firstWord }) => heard.words[firstWord]!.speaker);
}

test('two voices of a program that speaks are told apart', async (context) => {
  const filters = (await ffmpeg(['-filters'])).toString();
  if (!/\bflite\b/.test(filters)) return context.skip('this ffmpeg has no flite');
  const said = [
    ['slt', 'Every winter the ferry leaves an hour later than the timetable says'],
    ['kal', 'Nobody in the village has ever asked the captain for the reason'],
    ['kal', 'They simply bring a flask of coffee and wait on the long wooden bench'],
    ['slt', 'My sister once walked all the way around the bay and still arrived first'],
    ['kal', 'That was the year in which the lighthouse had two keepers and one lamp'],
  ] as const;
  const pieces: Buffer[] = [];
  for (const [voice, text] of said)
    pieces.push(await readRaw(['-f', 'lavfi', '-i', `flite=text='${text}':voice=${voice}`]));
  assert.deepEqual(await tellSpeakers(pieces), [1, 2, 2, 1, 2]);
});

const [reading, speech] = [speechWithWords('austen.flac'), realSpeech('jfk.wav')];

test(
  'two real people who take turns are told apart',
  { skip: ![reading, speech].every((path) => existsSync(path)) && 'no recordings here' },
  async () => {
    const [first, second] = [await readRaw(['-i', reading]), await readRaw(['-i', speech])];
    const cut = (bytes: Buffer, start: number, end: number): Buffer =>
      bytes.subarray(2 * start * measuredRate, 2 * end * measuredRate);
    const pieces = [
      cut(first, 1, 4),
      cut(second, 8, 10),
      cut(first, 7, 9),
      cut(first, 16, 19),
      cut(second, 5, 7),
    ];
    assert.deepEqual(await tellSpeakers(pieces), [1, 2, 1, 1, 2]);
  },
);

test('sound that cannot be decoded is an error, and frees the network', async () => {
  const path = join(directory.path, 'broken.mp4');
  await writeFile(path, Buffer.alloc(100));
  const source = {
    media: { hasAudio: true } as MediaInfo,
    opened: { input: ['-i', path], clockSeconds: 0 },
    from: 0,
  };
  await assert.rejects(readSpeakers(makeTranscript(3), source, { signal, onProgress: () => {} }), {
    name: 'ProcessError',
  });
});
