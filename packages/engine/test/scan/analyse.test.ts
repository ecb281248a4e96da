import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { SourceFile } from '../../src/facts.ts';
import { analyse, transcriptFrom } from '../../src/scan/analyse.ts';
import { SourceError } from '../../src/source/source-error.ts';
import type { TranscriptionResult } from '../../src/transcribers/transcriber.ts';
import { makeVideo, temporaryDirectory } from '../support/media-footage.ts';

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
