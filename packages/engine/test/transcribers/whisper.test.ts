import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, truncate, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ProcessError } from '../../src/program/process-error.ts';
import {
  recognise,
  recogniserPackage,
  type Recognition,
} from '../../src/transcribers/whisper-process.ts';
import type { SpeechJob } from '../../src/transcribers/transcriber.ts';
import { speechModel } from '../../src/transcribers/whisper.ts';
import { ffmpeg, temporaryDirectory } from '../support/media-footage.ts';
import { realSpeech } from '../support/real-speech.ts';

const directory = await temporaryDirectory();
after(() => directory.remove());
const at = (name: string) => join(directory.path, name);
await mkdir(at('work'));
/** As long as a model, with the first bytes of one. */
const file = at('ggml-any.bin');
await writeFile(file, Buffer.concat([Buffer.from('lmgg'), Buffer.from([0x99, 0xca, 0, 0])]));
await truncate(file, 30e6);

const speech = (changes: Partial<Recognition>): Recognition => ({
  addon: recogniserPackage,
  model: 'model.bin',
  sound: 'sound.wav',
  seconds: 1,
  language: 'en',
  context: '',
  signal: new AbortController().signal,
  onProgress: () => {},
  ...changes,
});

/** A package with the interface of the recogniser's. `body` is what it does. */
async function fakeAddon(name: string, body: string): Promise<string> {
  const code = `exports.WhisperContext = class {
    constructor(options) { this.model = options.filePath; }
    transcribeFile(sound, options) { ${body} }
  };`;
  await writeFile(at(name), code);
  return at(name);
}

test('words and progress come from the recogniser’s process', async () => {
  const addon = await fakeAddon(
    'echo.cjs',
    `options.onProgress(30); options.onProgress(272);
    const told = [this.model, sound, options.language, options.prompt, options.maxLen].join();
    console.error('loading');
    return { promise: Promise.resolve({
      result: told, language: 'de', isAborted: false, segments: [{ text: ' Ja', t0: 10, t1: 250 }],
    }) };`,
  );
  const shares: number[] = [];
  const said = await recognise(
    speech({ addon, language: 'de', context: 'Ada', onProgress: (share) => shares.push(share) }),
  );
  assert.equal(said.result, 'model.bin,sound.wav,de,Ada,1');
  assert.deepEqual(said.segments, [{ text: ' Ja', t0: 10, t1: 250 }]);
  assert.deepEqual(shares, [0.3, 1]);
});

test('speech becomes words with times in the source, and its language', async () => {
  const addon = await fakeAddon(
    'talk.cjs',
    `const at = [[' And', 300, 700], [' so', 700, 1900], [' ask', 3100, 3700], [' not', 3700, 4100]];
    return { promise: Promise.resolve({
      result: ' And so ask not', language: 'en', isAborted: false,
      segments: at.map(([text, t0, t1]) => ({ text, t0, t1 })),
    }) };`,
  );
  const source = at('tone.mka');
  await ffmpeg(['-f', 'lavfi', '-i', 'sine=d=5', '-c:a', 'flac', '-f', 'matroska', source]);
  const shares: number[] = [];
  const heard = await speechModel({
    model: file,
    directory: at('models'),
    recogniser: addon,
  }).transcribe(
    job({
      path: source,
      duration: 5,
      silences: [{ start: 2, end: 3.3 }],
      onProgress: (share) => shares.push(share),
    }),
  );
  assert.equal(heard?.language, 'en');
  assert.deepEqual(
    heard.cues.flatMap(({ words }) => words),
    [
      { text: 'And', start: 0.3, end: 0.7 },
      { text: 'so', start: 0.7, end: 2 },
      { text: 'ask', start: 3.3, end: 3.7 },
      { text: 'not', start: 3.7, end: 4.1 },
    ],
  );
  assert.deepEqual(await readdir(at('work')), []);
  assert.equal(shares.at(-1), 1);
});

test('the sound track that players choose is recognised', async () => {
  const addon = await fakeAddon(
    'level.cjs',
    `const bytes = require('node:fs').readFileSync(sound);
    let peak = 0;
    for (let at = 100; at + 1 < bytes.length; at += 2) peak = Math.max(peak, bytes.readInt16LE(at));
    const text = peak > 1000 ? ' loud' : ' quiet';
    return { promise: Promise.resolve({
      result: text, language: 'en', isAborted: false, segments: [{ text, t0: 0, t1: 500 }],
    }) };`,
  );
  const source = at('two-tracks.mka');
  // prettier-ignore
  await ffmpeg([
    '-f', 'lavfi', '-i', 'anullsrc=d=2', '-f', 'lavfi', '-i', 'sine=d=2',
    '-map', '0:a', '-map', '1:a', '-c:a', 'flac', '-f', 'matroska', source,
  ]);
  const chosen = speechModel({ model: file, directory: at('models'), recogniser: addon });
  const heard = await chosen.transcribe(job({ path: source, duration: 2, audioStream: 1 }));
  assert.equal(heard?.cues[0]?.words[0]?.text, 'loud');
});

test('a package that is not there is one clear sentence', async () => {
  await assert.rejects(recognise(speech({ addon: '@fugood/node-whisper-plan9-mips' })), {
    name: 'SpeechModelError',
    message:
      'Speech recognition needs the package @fugood/node-whisper-plan9-mips, which is not installed or does not exist for this machine. Install it, or set SPEECH_URL.',
  });
});

test('a crash of the recogniser is an error, not the end of this process', async () => {
  const addon = await fakeAddon('crash.cjs', `process.kill(process.pid, 'SIGSEGV');`);
  await assert.rejects(
    recognise(speech({ addon })),
    (error) => error instanceof ProcessError && error.end === 'crashed',
  );
});

const recording = realSpeech('jfk.wav');
const weightless = realSpeech('for-tests-ggml-base.en.bin');
const installed = (() => {
  try {
    createRequire(import.meta.url).resolve(recogniserPackage);
    return true;
  } catch {
    return false;
  }
})();
const skip = !(installed && existsSync(weightless) && existsSync(recording));

const job = (changes: Partial<SpeechJob>): SpeechJob => ({
  path: recording,
  workDirectory: at('work'),
  subtitles: null,
  hasAudio: true,
  duration: 11,
  silences: [],
  language: null,
  context: '',
  signal: new AbortController().signal,
  onProgress: () => {},
  ...changes,
});

const model = (path: string) => speechModel({ model: path, directory: at('models') });

test(
  'a model is loaded by the real recogniser, and the signal ends it at once',
  { skip },
  async () => {
    const stop = new AbortController();
    const work = recognise(
      speech({
        model: weightless,
        sound: recording,
        seconds: 11,
        signal: stop.signal,
        // The first progress comes when the model is loaded, and the sound is being recognised.
        onProgress: () => stop.abort(new Error('enough')),
      }),
    );
    await assert.rejects(work, /enough/);
  },
);

test('a damaged model is said to be damaged', { skip }, async () => {
  const damaged = at('ggml-damaged.bin');
  await copyFile(weightless, damaged);
  await truncate(damaged, 30e6);
  const source = at('speech.mka');
  await ffmpeg(['-i', recording, '-c:a', 'flac', '-f', 'matroska', source]);
  await assert.rejects(
    model(damaged).transcribe(job({ path: source })),
    /could not be loaded\. The file is damaged/,
  );
});

test('a model without weights is not used: what it hears means nothing', { skip }, async () => {
  await assert.rejects(model(weightless).transcribe(job({})), /The speech model is not complete/);
});

test('a model that only knows English is not asked for other languages', { skip }, async () => {
  const english = at('ggml-base.en.bin');
  await copyFile(weightless, english);
  await truncate(english, 30e6);
  assert.equal(await model(english).transcribe(job({ language: 'de' })), null);
});

test('without a model, and without sound, it does not apply', async () => {
  const none = speechModel({ directory: at('no-models') });
  assert.equal(await none.transcribe(job({})), null);
  assert.equal(await model('never-read.bin').transcribe(job({ hasAudio: false })), null);
});
