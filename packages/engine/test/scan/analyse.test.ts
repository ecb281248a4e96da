import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Analysis, SourceFile, Transcript } from '../../src/facts.ts';
import { analyse, transcriptFrom } from '../../src/scan/analyse.ts';
import { SourceError } from '../../src/source/source-error.ts';
import type { TranscriptionResult } from '../../src/transcribers/transcriber.ts';
import { ffmpeg, makeVideo, temporaryDirectory } from 'clip-testkit/media-footage';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let source: SourceFile;
const { signal } = new AbortController();

before(async () => {
  directory = await temporaryDirectory();
  const path = await makeVideo(join(directory.path, 'video.mp4'));
  const media = { duration: 4, width: 320, height: 180, frameRate: 25, hasAudio: true };
  source = {
    path,
    transcriptPath: null,
    media: { ...media, videoCodec: 'h264', audioCodec: 'aac' },
  };
});

after(() => directory.remove());

const said: TranscriptionResult = {
  transcription: {
    language: 'en',
    cues: [{ start: 0.2, end: 0.8, words: [{ text: 'Yes.', start: 0.2, end: 0.8 }], timed: true }],
  },
  provider: 'test',
  failures: [],
};

test('the speech is read while the pictures are scanned', async () => {
  let share = 0;
  const scanned = Promise.withResolvers<void>();
  const { transcript, focus } = await analyse(source, {
    signal,
    transcribe: async () => {
      // Ends only if the pictures are scanned in the meantime.
      await scanned.promise;
      return said;
    },
    onProgress: (now) => {
      assert.ok(now >= share, `${now} after ${share}`);
      share = now;
      if (share >= transcriptFrom) scanned.resolve();
    },
  });
  assert.deepEqual(
    transcript?.words.map(({ text }) => text),
    ['Yes.'],
  );
  assert.ok(focus.length > 0);
  assert.equal(share, 1);
});

test('what is known of a first part is told once, while the rest is transcribed', async () => {
  const long = await longSource();
  const word = (at: number) => ({ text: `${at}.`, start: at, end: at + 0.5 });
  const wordsUntil = (end: number) => ({
    language: 'en',
    cues: [2, 22, 42]
      .filter((at) => at < end)
      .map((at) => ({ ...word(at), words: [word(at)], timed: true })),
  });
  const known = Promise.withResolvers<Analysis>();
  let told = 0;
  const { transcript } = await analyse(long, {
    signal,
    first: {
      seconds: 20,
      onKnown(analysis) {
        told += 1;
        known.resolve(analysis);
      },
    },
    async transcribe({ onWords }) {
      onWords!(wordsUntil(10), 10);
      // The pictures may not be scanned yet.
      const again = setInterval(() => onWords!(wordsUntil(30), 30), 10);
      await known.promise.finally(() => clearInterval(again));
      onWords!(wordsUntil(50), 50);
      return { transcription: wordsUntil(60), provider: 'test', failures: [] };
    },
  });
  const first = await known.promise;
  assert.deepEqual([told, first.scanned], [1, { start: 0, end: 30 }]);
  const textsOf = ({ words }: Transcript) => words.map(({ text }) => text);
  assert.deepEqual(textsOf(first.transcript!), ['2.', '22.']);
  assert.deepEqual(first.silences.at(-1), { start: first.silences.at(-1)!.start, end: 60 });
  assert.deepEqual(textsOf(transcript!), ['2.', '22.', '42.']);
});

test('voices are listened to only where that is asked for, also before the first clips', async () => {
  const path = join(directory.path, 'hums.mp4');
  const hums = "aevalsrc='0.3*(sin(2*PI*150*t)+sin(2*PI*450*t))*lt(mod(t,3),2)':d=8";
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=10:d=8'];
  await ffmpeg([...picture, '-f', 'lavfi', '-i', hums, '-c:v', 'libx264', '-c:a', 'aac', path]);
  const humming = { ...source, path, media: { ...source.media, duration: 8 } };
  const word = (text: string, start: number) => ({ text, start, end: start + 2 });
  const cues = [word('Yes.', 0), word('No.', 3)].map(({ start, end, ...rest }) => {
    return { start, end, words: [{ ...rest, start, end }], timed: true };
  });
  const words = { language: 'en', cues };
  const result: TranscriptionResult = { ...said, transcription: words };
  const speakersOf = ({ words }: Transcript) => words.map(({ speaker }) => speaker);
  const known = Promise.withResolvers<Analysis>();
  const { transcript } = await analyse(humming, {
    signal,
    voices: { onFailed: (error) => assert.fail(String(error)) },
    first: { seconds: 5, onKnown: known.resolve },
    async transcribe({ onWords }) {
      const again = setInterval(() => onWords!(words, 5.5), 10);
      await known.promise.finally(() => clearInterval(again));
      return result;
    },
  });
  assert.deepEqual(speakersOf(transcript!), [1, 1]);
  assert.deepEqual(speakersOf((await known.promise).transcript!), [1, 1]);
  const plain = await analyse(humming, { signal, transcribe: () => Promise.resolve(result) });
  assert.deepEqual(speakersOf(plain.transcript!), [undefined, undefined]);
});

test('if the pictures cannot be read, the recognition is ended first', async () => {
  let ended = false;
  const broken = analyse(
    { ...source, media: { ...source.media, hasAudio: false }, path: join(directory.path, 'none') },
    {
      signal,
      transcribe: async (job) => {
        const { promise, reject } = Promise.withResolvers<TranscriptionResult>();
        job.signal.addEventListener('abort', () => {
          ended = true;
          reject(job.signal.reason as Error);
        });
        return promise;
      },
    },
  );
  await assert.rejects(broken, SourceError);
  assert.ok(ended);
});

test('if the machine fails the recognition, the scan of the pictures is ended too', async () => {
  const failed = new Error('no room');
  const broken = analyse(source, { signal, transcribe: () => Promise.reject(failed) });
  await assert.rejects(broken, failed);
});

/** Sound at 2 to 3, 22 to 23 and 42 to 43 seconds; the picture changes each ten seconds. */
async function longSource(): Promise<SourceFile> {
  const path = join(directory.path, 'long.mp4');
  const scenes = ['black', 'white', 'blue', 'yellow', 'red', 'white'];
  // prettier-ignore
  await ffmpeg([
    ...scenes.flatMap((colour) => ['-f', 'lavfi', '-i', `color=${colour}:s=160x90:r=10:d=10`]),
    '-f', 'lavfi', '-i', "aevalsrc='0.5*sin(2*PI*300*t)*between(mod(t,20),2,3)':d=60",
    '-filter_complex', `${scenes.map((_, at) => `[${at}:v]`).join('')}concat=n=6[v]`,
    '-map', '[v]', '-map', '6:a', '-c:v', 'libx264', '-g', '20', '-c:a', 'aac', path,
  ]);
  const media = { duration: 60, width: 160, height: 90, frameRate: 10, hasAudio: true };
  return { path, transcriptPath: null, media: { ...media, videoCodec: 'h264', audioCodec: 'aac' } };
}

test('of a range nothing else is scanned, and all times are those of the source', async () => {
  const long = await longSource();
  const word = (text: string, start: number) => ({
    ...{ start, end: start + 1, timed: true },
    words: [{ text, start, end: start + 1 }],
  });
  const transcribe = (): Promise<TranscriptionResult> =>
    Promise.resolve({
      ...said,
      transcription: { language: 'en', cues: [word('a', 2), word('b', 22), word('c', 42)] },
    });
  const range = { start: 15, end: 35 };
  const whole = await analyse(long, { signal, transcribe });
  const part = await analyse(long, { signal, transcribe, range });
  assert.deepEqual(part.scanned, range);
  assert.equal(whole.scanned, undefined);
  assert.equal(part.duration, 60);
  const near = (one: number | undefined, other: number) =>
    assert.ok(Math.abs(one! - other) < 0.1, `${one} is not ${other}`);
  assert.equal(part.silences.length, 2);
  near(part.silences[0]!.start, 0);
  near(part.silences[0]!.end, 22);
  near(part.silences[1]!.start, 23);
  near(part.silences[1]!.end, 60);
  assert.deepEqual(part.cuts.map(Math.round), [20, 30]);
  assert.deepEqual(whole.cuts.map(Math.round), [10, 20, 30, 40, 50]);
  assert.ok(part.focus.every(({ time }) => time >= 15 && time <= 35));
  const { step, values } = part.loudness;
  const loud = values.flatMap((value, at) => (value > -40 ? [at * step] : []));
  assert.ok(loud.length > 0 && loud.every((at) => at >= 21.5 && at <= 23.5), String(loud));
  assert.deepEqual(
    part.transcript?.words.map(({ text }) => text),
    ['b'],
  );
});
