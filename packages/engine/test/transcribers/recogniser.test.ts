import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ProcessError } from '../../src/program/process-error.ts';
import { type RecogniserModel, withRecogniser } from '../../src/transcribers/recogniser.ts';
import { temporaryDirectory } from 'clip-testkit/media-footage';

const directory = await temporaryDirectory();
after(() => directory.remove());
const at = (name: string) => join(directory.path, name);

const model: RecogniserModel = {
  kind: 'whisper',
  name: 'base',
  encoder: at('base-encoder.int8.onnx'),
  decoder: at('base-decoder.int8.onnx'),
  tokens: at('base-tokens.txt'),
  hasAttention: false,
};
const { signal } = new AbortController();
const sound = new Int16Array(1600).fill(7);

/** A program that reads pieces as the recogniser does. `body` is what it does with each. */
async function writeProgram(name: string, body: string): Promise<string> {
  await writeFile(
    at(name),
    `let rest = Buffer.alloc(0);
    process.stdin.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      for (let end; (end = rest.indexOf('\\n')) >= 0; ) {
        const piece = JSON.parse(rest.toString('utf8', 0, end));
        if (rest.length < end + 1 + 2 * piece.samples) return;
        piece.first = rest.readInt16LE(end + 1);
        rest = rest.subarray(end + 1 + 2 * piece.samples);
        ${body}
      }
    });`,
  );
  return at(name);
}
const echo = await writeProgram(
  'echo.mjs',
  `process.stdout.write(JSON.stringify({ text: [piece.language, piece.samples, piece.first].join() }));
  process.stdout.write('\\n');`,
);

test('pieces are answered in their order by one process, which ends after the last', async () => {
  const heard = await withRecogniser(model, { seconds: 1, signal, script: echo }, (recognise) =>
    Promise.all([
      recognise(sound, 'de'),
      recognise(new Int16Array(400_000).fill(-3), ''),
      recognise(sound, 'fr'),
    ]),
  );
  assert.deepEqual(
    heard.map(({ text }) => text),
    ['de,1600,7', ',400000,-3', 'fr,1600,7'],
  );
});

test('a crash in the middle fails the pieces that wait, and all later ones', async () => {
  const script = await writeProgram(
    'crash.mjs',
    `if (piece.language === 'en') process.kill(process.pid, 'SIGSEGV');
    else process.stdout.write('{"text":"first"}\\n');`,
  );
  await withRecogniser(model, { seconds: 1, signal, script }, async (recognise) => {
    assert.equal((await recognise(sound, 'de')).text, 'first');
    const isCrash = (error: unknown) => error instanceof ProcessError && error.end === 'crashed';
    await assert.rejects(recognise(sound, 'en'), isCrash);
    await assert.rejects(recognise(sound, 'de'), isCrash);
  });
});

test('a process that ends early is an error', async () => {
  const script = await writeProgram('early.mjs', 'process.exit(0);');
  await assert.rejects(
    withRecogniser(model, { seconds: 1, signal, script }, (recognise) => recognise(sound, '')),
    { message: 'The speech recogniser ended without a result.' },
  );
});

test('an abort in the middle ends the process at once', async () => {
  const abort = new AbortController();
  const script = await writeProgram(
    'hang.mjs',
    `process.stdout.write('{"text":"one"}\\n');
    if (piece.language === 'en') while (true);`,
  );
  const reason = new Error('no longer wanted');
  const running = withRecogniser(
    model,
    { seconds: 1, signal: abort.signal, script },
    async (recognise) => {
      await recognise(sound, 'en');
      const second = recognise(sound, 'de');
      abort.abort(reason);
      await second;
    },
  );
  await assert.rejects(running, reason);
});

test('an error of the work ends the process, and stays the error', async () => {
  const script = await writeProgram('patient.mjs', '');
  const running = withRecogniser(model, { seconds: 1, signal, script }, (recognise) => {
    recognise(sound, '').catch(() => {});
    return Promise.reject(new TypeError('of the work'));
  });
  await assert.rejects(running, new TypeError('of the work'));
});

test('a damaged model is named as one', async () => {
  await mkdir(directory.path, { recursive: true });
  for (const path of [model.encoder, model.decoder]) await writeFile(path, Buffer.alloc(5000, 'x'));
  await writeFile(model.tokens, 'IQ== 0\n');
  await assert.rejects(
    withRecogniser(model, { seconds: 1, signal }, (recognise) => recognise(sound, '')),
    {
      name: 'SpeechModelError',
      message: /could not be loaded\. A file of it is damaged, or not complete\./,
    },
  );
});
