import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRecognisers, formatTimeLeft } from '../../src/cli/recognition.ts';
import type { SpeechJob } from '../../src/transcribers/transcriber.ts';
import { fakeServer } from 'clip-testkit/fake-server';
import { ffmpeg, temporaryDirectory } from 'clip-testkit/media-footage';

test('the time that is left is told in minutes, as soon as it is known', () => {
  for (const [share, seconds, expected] of [
    [0, 0, ''],
    [0.01, 60, ''],
    [0.5, 1, ''],
    [0.5, 30, 'less than 1 min left'],
    [0.25, 80, 'about 4 min left'],
    [0.1, 600, 'about 90 min left'],
    [0.02, 600, 'about 8 h left'],
    [1, 600, ''],
  ] as const) {
    assert.equal(formatTimeLeft(share, seconds), expected, `${share} in ${seconds} s`);
  }
});

test('recognition is a phase of its own, whose time counts from its first progress', async () => {
  const directory = await temporaryDirectory();
  const server = await fakeServer(() => ({ body: { text: '', words: [] } }));
  try {
    const path = `${directory.path}/talk.wav`;
    await ffmpeg(['-f', 'lavfi', '-i', 'sine=f=300:r=8000:d=1300.5', path]);
    const shown: [string, string | undefined][] = [];
    const times = [1e6, 1e6, 1.1e6, 1.1e6, 1.2e6, 1.2e6];
    const [way] = makeRecognisers(
      { speech: { url: server.url }, model: null },
      (step, _, note) => shown.push([step, note]),
      () => times.shift()!,
    );
    const shares: number[] = [];
    const job: SpeechJob = {
      ...{ path, subtitles: null, hasAudio: true, duration: 1300.5, silences: [], language: null },
      ...{ context: '', signal: new AbortController().signal },
      onProgress: (share) => shares.push(share),
    };
    await way!.transcribe(job);
    assert.equal(shares.length, 3);
    assert.deepEqual(shown, [
      ['Recognising speech', ''],
      ['Recognising speech', 'less than 1 min left'],
      ['Recognising speech', ''],
    ]);
  } finally {
    await server.close();
    await directory.remove();
  }
});
