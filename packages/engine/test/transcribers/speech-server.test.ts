import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ProcessError, ProgramError } from '../../src/program/process-error.ts';
import { createSpeechServer, type SpeechServer } from '../../src/transcribers/speech-server.ts';
import {
  type SpeechJob,
  subtitleFile,
  transcribe,
  type Transcriber,
} from '../../src/transcribers/transcriber.ts';
import { fakeServer, type Asked, type Reply } from 'clip-testkit/fake-server';
import { describeFile, ffmpeg, temporaryDirectory } from 'clip-testkit/media-footage';

const apiKey = 'sk-very-secret-key-0123456789';
const hello = {
  language: 'english',
  duration: 1,
  text: 'Hello.',
  words: [{ word: 'Hello', start: 0.2, end: 0.6 }],
};

const speechJob = (more: Partial<SpeechJob>): SpeechJob => ({
  path: '',
  subtitles: null,
  hasAudio: true,
  duration: 6,
  silences: [],
  language: null,
  context: '',
  signal: new AbortController().signal,
  onProgress: () => {},
  ...more,
});

describe('an OpenAI-compatible speech server', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let path: string;
  before(async () => {
    directory = await temporaryDirectory();
    path = join(directory.path, 'talk.mkv');
    await ffmpeg(['-f', 'lavfi', '-i', 'sine=f=300:r=44100:d=6', '-ac', '2', '-c:a', 'aac', path]);
  });
  after(() => directory.remove());

  /** Asks a server with these answers. Returns the result and the requests. */
  const ask = async (
    answer: (asked: Asked, count: number) => Reply | null | Promise<Reply | null>,
    more: Partial<SpeechJob> = {},
    config: Partial<SpeechServer> = {},
  ) => {
    const server = await fakeServer(answer);
    try {
      const { asked } = server;
      const own = createSpeechServer({ url: `${server.url}/v1`, apiKey, ...config });
      return { asked, ...(await transcribe([own], speechJob({ path, ...more }))) };
    } finally {
      await server.close();
    }
  };

  it('gets the sound as small mono FLAC, with language, context, model and key', async () => {
    const { asked, transcription, provider } = await ask(
      () => ({ body: hello }),
      { language: 'en-GB', context: 'Ada Lovelace' },
      { model: 'large-v3' },
    );
    assert.equal(provider, 'speech-server');
    assert.deepEqual(transcription?.cues[0]?.words, [{ text: 'Hello.', start: 0.2, end: 0.6 }]);
    assert.equal(asked.length, 1);
    assert.equal(asked[0]!.path, '/v1/audio/transcriptions');
    assert.equal(asked[0]!.headers.authorization, `Bearer ${apiKey}`);
    const form = await asked[0]!.form();
    assert.deepEqual(
      ['model', 'response_format', 'language', 'prompt'].map((name) => form.get(name)),
      ['large-v3', 'verbose_json', 'en', 'Ada Lovelace'],
    );
    assert.deepEqual(form.getAll('timestamp_granularities[]'), ['word', 'segment']);
    const sound = join(directory.path, 'sent.flac');
    await writeFile(sound, Buffer.from(await (form.get('file') as File).arrayBuffer()));
    const { streams, format } = await describeFile(sound);
    assert.equal(streams[0]?.codec_name, 'flac');
    assert.deepEqual(
      (({ channels, sample_rate }) => [channels, sample_rate])(
        streams[0] as unknown as { channels: number; sample_rate: string },
      ),
      [1, '16000'],
    );
    assert.ok(Math.abs(Number(format.duration) - 6) < 0.1);
  });

  it('tells the language that it heard, without being told one', async () => {
    const { asked, transcription } = await ask(() => ({ body: { ...hello, language: 'german' } }));
    assert.equal(transcription?.language, 'de');
    const form = await asked[0]!.form();
    assert.equal(form.get('language'), null);
    assert.equal(form.get('prompt'), null);
  });

  it('gets long sound in pieces; their times are put back and progress is told', async () => {
    const shares: number[] = [];
    const { asked, transcription } = await ask(
      () => ({ body: hello }),
      { silences: [{ start: 2.8, end: 3.2 }], onProgress: (share) => shares.push(share) },
      { maxSegmentSeconds: 4 },
    );
    assert.equal(asked.length, 2);
    assert.deepEqual(
      transcription?.cues.flatMap(({ words }) => words.map(({ start }) => start)),
      [0.2, 3.2],
    );
    assert.deepEqual(shares, [0.5, 1]);
  });

  it('gets smaller pieces where it says 413', async () => {
    const long = join(directory.path, 'long.mkv');
    await ffmpeg(['-f', 'lavfi', '-i', 'sine=f=300:r=16000:d=60', '-c:a', 'flac', long]);
    const { asked, transcription } = await ask(
      (_, count) => (count === 1 ? { status: 413, body: '' } : { body: hello }),
      { path: long, duration: 60, silences: [{ start: 28, end: 29 }] },
    );
    assert.equal(asked.length, 4);
    assert.ok(asked[1]!.body.length < asked[0]!.body.length * 0.6);
    // The third piece also contains the end of the second. That word is not used twice.
    assert.deepEqual(
      transcription?.cues.map(({ start }) => start),
      [0.2, 28.7],
    );
  });

  it('fails with a reason, and without the key', async () => {
    const fails = async (reply: Reply, reason: RegExp) => {
      const { failures, transcription } = await ask(() => reply);
      assert.deepEqual([transcription, failures.length], [null, 1]);
      assert.match(failures[0]!.reason, reason);
      assert.doesNotMatch(failures[0]!.reason, /very-secret/);
    };
    await fails({ body: { error: `bad key ${apiKey}` } }, /an error: bad key \*\*\*/);
    await fails({ body: { text: 'words without times' } }, /without times.*verbose_json/);
  });

  it('ends with the signal, and leaves no file', async () => {
    const stop = new AbortController();
    // A directory of its own: other tests hear speech at the same time.
    const own = await temporaryDirectory();
    await assert.rejects(
      ask(
        () => {
          stop.abort(new Error('stopped'));
          return null;
        },
        { signal: stop.signal, workDirectory: own.path },
      ),
      { message: 'stopped' },
    );
    assert.deepEqual(await readdir(own.path), []);
    await own.remove();
  });

  it('is not asked where there is no sound', async () => {
    const { asked, transcription, failures } = await ask(() => ({ body: hello }), {
      hasAudio: false,
    });
    assert.deepEqual([asked.length, transcription, failures], [0, null, []]);
  });
});

describe('the chain of providers', () => {
  const job = speechJob({});
  const broken: Transcriber = {
    name: 'broken',
    transcribe: () => Promise.reject(new Error('out of order')),
  };
  const none: Transcriber = { name: 'none', transcribe: async () => null };
  const works: Transcriber = {
    name: 'works',
    transcribe: async () => ({
      language: 'en',
      cues: [{ start: 0, end: 1, words: [{ text: 'a', start: 0, end: 1 }], timed: true }],
    }),
  };

  it('goes on to the next where one has nothing or fails, and keeps the reason', async () => {
    const { provider, failures } = await transcribe([subtitleFile, broken, none, works], job);
    assert.equal(provider, 'works');
    assert.deepEqual(failures, [{ provider: 'broken', error: 'Error', reason: 'out of order' }]);
  });

  it('ends where the machine lacks what all of them need: the clips would lack it as well', async () => {
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
    const faults = [
      full,
      new Error('no piece of sound', { cause: full }),
      new ProcessError('ffmpeg', 1, 'No space left on device', 'disk-full'),
      new ProgramError('ffmpeg cannot be started: install it.'),
    ];
    for (const fault of faults) {
      const failing: Transcriber = { name: 'failing', transcribe: () => Promise.reject(fault) };
      await assert.rejects(transcribe([failing, works], job), fault);
    }
  });

  it('goes on where a program was killed: that may go well for the next', async () => {
    const killed = new ProcessError('ffmpeg', null, '', 'killed');
    const failing: Transcriber = { name: 'failing', transcribe: () => Promise.reject(killed) };
    assert.equal((await transcribe([failing, works], job)).provider, 'works');
  });

  it('goes on where there are more words than anybody says', async () => {
    const word = { text: 'a', start: 0, end: 1 };
    const words = Array<typeof word>(20 * job.duration + 501).fill(word);
    const hasty: Transcriber = {
      name: 'hasty',
      transcribe: async () => ({
        language: null,
        cues: [{ start: 0, end: 1, words, timed: false }],
      }),
    };
    const { provider, failures } = await transcribe([hasty, works], job);
    assert.equal(provider, 'works');
    assert.match(failures[0]!.reason, /more than anyone can say/);
  });

  it('ends without words, not with an error, where all fail', async () => {
    const { transcription, provider, failures } = await transcribe([broken, none], job);
    assert.deepEqual([transcription, provider, failures.length], [null, null, 1]);
  });
});
