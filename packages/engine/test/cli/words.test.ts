import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runCommandLine } from '../../src/cli/main.ts';
import type { Span } from '../../src/facts.ts';
import { type Asked, fakeServer } from 'clip-testkit/fake-server';
import { ffmpeg, temporaryDirectory } from 'clip-testkit/media-footage';
import { realSpeech } from '../support/real-speech.ts';

const directory = await temporaryDirectory();
const at = (name: string) => join(directory.path, name);

let asked: Asked[] = [];
const server = await fakeServer((call) => {
  asked.push(call);
  if (call.path.startsWith('/broken')) return { status: 500, body: '' };
  const words = [
    ...[['Why', 0.5, 0.8] as const, ['do', 0.8, 1] as const, ['bees', 1, 1.5] as const],
    ...[['dance', 1.5, 2.1234] as const, ['They', 3, 3.4] as const, ['talk', 3.4, 4] as const],
  ].map(([word, start, end]) => ({ word, start, end }));
  return {
    body: { language: 'english', duration: 6, text: 'Why do bees dance? They talk.', words },
  };
});
after(() => Promise.all([server.close(), directory.remove()]));
before(async () => {
  const sound = ['-f', 'lavfi', '-i', 'sine=f=300:r=16000:d=6'];
  for (const type of ['wav', 'flac', 'mp3', 'm4a']) await ffmpeg([...sound, at(`talk.${type}`)]);
  await writeFile(at('talk.vtt'), 'WEBVTT\n\n00:00.000 --> 00:04.000\nWritten by somebody.\n');
  const picture = ['-f', 'lavfi', '-i', 'testsrc=size=96x54:rate=10:d=6'];
  await ffmpeg([...sound, ...picture, at('video.mp4')]);
});

/** Runs a command line, and returns its output. */
async function run(args: string[], environment: Record<string, string> = {}) {
  let [out, error] = ['', ''];
  const code = await runCommandLine(args, {
    out: (text) => (out += text),
    error: (text) => (error += text),
    terminal: false,
    environment,
    signal: new AbortController().signal,
  });
  return { code, out, error };
}
const heard = { SPEECH_URL: server.url };

test('words are written with their times, of sound and of videos, without subtitles', async () => {
  const names = ['talk.wav', 'talk.flac', 'talk.mp3', 'talk.m4a', 'video.mp4'];
  const written = names.map(async (name) => ({
    name,
    ...(await run(['words', at(name), '--json'], heard)),
  }));
  for (const { name, code, out, error } of await Promise.all(written)) {
    assert.equal(code, 0, error);
    const { language, words } = JSON.parse(out);
    assert.equal(language, 'en');
    assert.equal(words.length, 6, name);
    assert.deepEqual(words[3], { text: 'dance?', start: 1.5, end: 2.123 });
    assert.match(error, /^Listening …\nRecognising speech …\n$/);
  }
});

test('or as sentences, or as subtitles', async () => {
  const [plain, text, vtt, srt] = await Promise.all(
    [[], ['--text'], ['--vtt'], ['--srt']].map((as) =>
      run(['words', at('video.mp4'), ...as], heard),
    ),
  );
  assert.equal(plain!.out, 'Why do bees dance?\nThey talk.\n');
  assert.equal(text!.out, plain!.out);
  assert.match(
    vtt!.out,
    /^WEBVTT\n\n00:00:00\.500 --> 00:00:0\d\.\d{3}\nWhy do bees dance\?\n\n00:00:03\.000 --> .*\nThey talk\.\n$/,
  );
  assert.match(srt!.out, /^1\n00:00:00,500 --> /);
});

test('language and context reach the recogniser', async () => {
  asked = [];
  const more = ['--language', 'pt-BR', '--context', 'Bees, Ada'];
  const { code } = await run(['words', at('video.mp4'), ...more], heard);
  assert.equal(code, 0);
  const form = await asked[0]!.form();
  assert.deepEqual([form.get('language'), form.get('prompt')], ['pt', 'Bees, Ada']);
});

const jfk = realSpeech('jfk.wav');
const model = fileURLToPath(new URL('../real/models/whisper-base', pathToFileURL(jfk)));

test(
  'the model of this machine writes all words of a recording, in both commands',
  { skip: !existsSync(model) && 'needs a speech model beside the checkout' },
  async () => {
    const environment = { SPEECH_MODEL: model };
    const expected = JSON.parse(await readFile(join(model, 'expected-jfk.json'), 'utf8'));
    await ffmpeg(['-i', jfk, at('jfk.flac')]);
    const [text, json] = await Promise.all(
      ['--text', '--json'].map((as) => run(['words', at('jfk.flac'), as], environment)),
    );
    const letters = (some: string) =>
      some
        .toLowerCase()
        .replaceAll(/[^a-z]+/g, ' ')
        .trim();
    assert.equal(letters(text!.out), letters(expected.text));
    const { language, words } = JSON.parse(json!.out);
    assert.deepEqual([language, words.length], ['en', 22]);
    assert.ok(words.every(({ start, end }: Span) => start < end));
    const clip = ['--min', '3', '--count', '1', '--width', '96', '--height', '96', '--files'];
    const made = await run(['cut', at('jfk.flac'), ...clip, '--out', at('real')], environment);
    assert.equal(made.code, 0, made.error);
    assert.doesNotMatch(made.error, /^Note:/m);
    assert.match(made.error, /^Recognising speech …$/m);
    const files = await readdir(at('real'));
    const written = files.find((name) => name.endsWith('.transcript.txt'))!;
    assert.match(await readFile(join(at('real'), written), 'utf8'), /what your country can do/);
  },
);

test('only one form is written, and recognition must not be off', async () => {
  const both = await run(['words', at('talk.wav'), '--vtt', '--json'], heard);
  assert.deepEqual([both.code, both.out], [2, '']);
  assert.match(both.error, /^Use only one of --json, --vtt\.\n/);
  const off = await run(['words', at('talk.wav')], { SPEECH_MODEL: 'off' });
  assert.equal(off.code, 2);
  assert.match(off.error, /^SPEECH_MODEL is off\. /);
});

test('a file without sound has no words, and a server that fails is an error', async () => {
  await ffmpeg(['-i', at('video.mp4'), '-an', '-c', 'copy', at('silent.mp4')]);
  const silent = await run(['words', at('silent.mp4')], heard);
  assert.equal(silent.code, 1);
  assert.match(silent.error, /silent\.mp4 has no sound\./);
  const failed = await run(['words', at('video.mp4')], { SPEECH_URL: `${server.url}/broken` });
  assert.deepEqual([failed.code, failed.out], [1, '']);
  assert.match(failed.error, /^The speech server answered with HTTP status 500/m);
});

/** A closed port in place of the models' address. */
const nowhere = { SPEECH_MODEL_URL: 'http://127.0.0.1:1', XDG_CACHE_HOME: at('cache') };
const cut = ['cut', at('video.mp4'), '--min', '3', '--target', '4', '--count', '1', '--no-faces'];

test('a model that is named and cannot be used ends both commands before they render', async () => {
  await writeFile(at('ggml-base.bin'), 'lmgg and more');
  for (const [model, code, said] of [
    ['huge', 2, /^SPEECH_MODEL must be tiny, base, .* folder, or off/],
    [at('ggml-base.bin'), 1, /^SPEECH_MODEL is the path of a ggml file of whisper\.cpp\./],
    [at('none'), 1, /^The folder in SPEECH_MODEL cannot be read \(ENOENT\)/],
    [at('cache'), 1, /^The folder in SPEECH_MODEL cannot be read|does not have the files/],
    ['base', 1, /^The speech model base could not be downloaded from http:.* SPEECH_URL /m],
  ] as const) {
    for (const args of [
      ['words', at('video.mp4')],
      [...cut, '--out', at('clips')],
    ]) {
      const ended = await run(args, { ...nowhere, SPEECH_MODEL: model });
      assert.equal(ended.code, code, `${args[0]} ${model}: ${ended.error}`);
      assert.match(ended.error, said);
    }
  }
  assert.deepEqual(await readdir(at('clips')).catch(() => []), []);
});

test('the usual model that cannot be downloaded is one note, and clips have no words', async () => {
  const size = ['--width', '96', '--height', '54'];
  const { code, out, error } = await run([...cut, ...size, '--out', at('clips')], nowhere);
  assert.equal(code, 0, error);
  assert.match(out, /Clip at 0:00/);
  const notes = error.split('\n').filter((line) => line.startsWith('Note:'));
  assert.equal(notes.length, 1, error);
  assert.match(notes[0]!, /could not be downloaded.*mirror.*without words/);
  assert.equal((await run(['words', at('video.mp4')], nowhere)).code, 1);
});
