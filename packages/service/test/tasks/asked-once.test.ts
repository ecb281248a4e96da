import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { RankingOptions, SpeechJob, Transcriber } from 'clip-engine';
import { askModel, transcribeOnce } from '../../src/tasks/providers.ts';
import { createDiskStorage } from '../../src/storage/disk.ts';
import { fakeServer } from 'clip-testkit/fake-server';
import { spokenAnalysis } from 'clip-testkit/media-analysis';

describe('what is paid for is asked for once, however often a task is begun', () => {
  let workDirectory: string;
  before(async () => {
    workDirectory = await mkdtemp(join(tmpdir(), 'clip-once-'));
  });
  after(() => rm(workDirectory, { recursive: true, force: true }));
  const kept = () => ({
    workDirectory,
    storage: createDiskStorage(join(workDirectory, 'files')),
    log: () => {},
  });

  const failing: Transcriber = {
    name: 'failing',
    transcribe: () => Promise.reject(new Error('out of order')),
  };
  const job = (signal: AbortSignal): SpeechJob => ({
    path: 'video.mp4',
    subtitles: null,
    hasAudio: true,
    duration: 10,
    silences: [],
    language: null,
    context: '',
    signal,
    onProgress: () => {},
  });

  it('words, also where another provider failed before', async ({ signal }) => {
    let asked = 0;
    const paid: Transcriber = {
      name: 'paid',
      transcribe: async () => {
        asked += 1;
        const word = { text: 'Hello.', start: 0, end: 1 };
        return { language: 'en', cues: [{ ...word, words: [word], timed: true }] };
      },
    };
    const service = { ...kept(), transcribers: [failing, paid] };
    const first = await transcribeOnce(service, 'words', job(signal));
    const again = await transcribeOnce(service, 'words', job(signal));
    assert.equal(asked, 1);
    assert.equal(first.failures.length, 1);
    assert.deepEqual(again, first);
  });

  it('but again where nobody gave any, as somebody failed', async ({ signal }) => {
    let asked = 0;
    const broken: Transcriber = {
      name: 'broken',
      transcribe: () => Promise.reject(new Error(`attempt ${++asked}`)),
    };
    const service = { ...kept(), transcribers: [broken] };
    await transcribeOnce(service, 'none', job(signal));
    await transcribeOnce(service, 'none', job(signal));
    assert.equal(asked, 2);
  });

  it('the choice of the language model, as long as the question is the same', async ({
    signal,
  }) => {
    const content = '{"clips":[{"first":0,"last":1}]}';
    const server = await fakeServer(() => ({ body: { choices: [{ message: { content } }] } }));
    try {
      const service = { ...kept(), ranking: { url: `${server.url}/v1`, model: 'any' } };
      const analysis = spokenAnalysis(['Why do bees dance?', 'Nobody knows it.', 'That is all.']);
      const ask = (options: RankingOptions, said = analysis) =>
        askModel(service, 'ranked', said, options, signal);
      const options = { count: 1, min: 1, max: 20 };
      const first = await ask(options);
      const again = await ask(options);
      assert.equal(server.asked.length, 1);
      assert.equal(first!.length, 1);
      assert.deepEqual(again, first);
      await ask({ ...options, max: 10 });
      assert.equal(server.asked.length, 2, 'another options');
      await ask(options, spokenAnalysis(['Other words.', 'And more.']));
      assert.equal(server.asked.length, 3, 'other words');
    } finally {
      await server.close();
    }
  });

  it('the language model again where it failed', async ({ signal }) => {
    let failures = 0;
    const server = await fakeServer(() => ({ status: 500, body: {} }));
    try {
      const service = { ...kept(), ranking: { url: `${server.url}/v1`, model: 'any' } };
      const ask = () =>
        askModel(
          service,
          'failed',
          spokenAnalysis(['A b c.']),
          { count: 1, min: 1, max: 9 },
          signal,
          () => {
            failures += 1;
          },
        );
      assert.equal(await ask(), undefined);
      assert.equal(await ask(), undefined);
      assert.equal(failures, 2);
    } finally {
      await server.close();
    }
  });
});
