import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { MediaInfo, Transcript } from '../../src/facts.ts';
import { openSource } from '../../src/source/open-source.ts';
import { measuredRate } from '../../src/source/sound-levels.ts';
import { readSpeakers, SpanCutter } from '../../src/transcribers/voice-reader.ts';
import { ffmpeg, temporaryDirectory } from 'clip-testkit/media-footage';
import { realSpeech, speechWithWords } from '../support/real-speech.ts';

const { signal } = new AbortController();

/** Sentences of one word each, which follow each other. */
function makeTranscript(lengths: readonly number[]): Transcript {
  let at = 0;
  const words = lengths.map((seconds) => ({ text: 'Said.', start: at, end: (at += seconds) }));
  const sentences = words.map((word, index) => ({ ...word, firstWord: index, lastWord: index }));
  return { language: 'en', words, sentences };
}

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
  const transcript = makeTranscript(pieces.map(({ length }) => length / 2 / measuredRate));
  const media = { hasAudio: true } as MediaInfo;
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
  return heard.words.map(({ speaker }) => speaker);
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

test('a muted source has no speakers', async () => {
  const muted = Array.from({ length: 3 }, () => Buffer.alloc(4 * measuredRate));
  assert.deepEqual(await tellSpeakers(muted), [undefined, undefined, undefined]);
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
  await assert.rejects(
    readSpeakers(makeTranscript([1, 2, 1]), source, { signal, onProgress: () => {} }),
    {
      name: 'ProcessError',
    },
  );
});
