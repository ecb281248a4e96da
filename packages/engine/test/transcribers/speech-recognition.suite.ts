import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { Span } from '../../src/facts.ts';
import { run } from '../../src/program/ffmpeg-process.ts';
import { temporaryDirectory } from 'clip-testkit/media-footage';
import { speechWithWords, whisperBase } from '../support/real-speech.ts';
import { transcribeFile } from '../support/recognised-speech.ts';

const directory = await temporaryDirectory();
after(() => directory.remove());
const work = join(directory.path, 'work');
await mkdir(work);
const { signal } = new AbortController();
const skip = existsSync(whisperBase) ? false : 'the model is not beside this checkout';

describe('the real recogniser and model', { skip }, () => {
  test('sentences between long pauses are there, and begin when they are said', async () => {
    type Truth = Record<string, { text: string; said: (Span & { text: string })[] }>;
    const truth = JSON.parse(await readFile(speechWithWords('truth.json'), 'utf8')) as Truth;
    const { said } = truth['prompts-pauses']!;
    const result = await transcribeFile(speechWithWords('prompts-pauses.flac'), work, {
      language: 'en',
    });
    const words = result.cues.flatMap((cue) => cue.words);
    const late = said.filter(
      ({ start }) => !words.some((word) => Math.abs(word.start - start) < 0.12),
    );
    assert.ok(late.length <= 1, JSON.stringify(late));
    const spoken = truth['prompts-pauses']!.text.split(/[\s-]+/).length;
    assert.ok(
      words.length > 0.98 * spoken && words.length < 1.03 * spoken,
      `${words.length} words`,
    );
  });

  test('nothing is heard in music-like sound, noise and silence', async () => {
    const path = join(directory.path, 'noise.wav');
    const sources =
      'anoisesrc=d=20:c=pink:a=0.2[a];sine=f=220:d=20[b];anullsrc=d=20:r=48000:cl=mono[c]';
    const graph = `${sources};[a][b][c]concat=n=3:v=0:a=1`;
    await run('ffmpeg', ['-v', 'error', '-filter_complex', graph, path], {
      signal,
      deadlineSeconds: 60,
    });
    assert.deepEqual((await transcribeFile(path, work)).cues, []);
  });

  test('an abort in the middle ends it, and leaves no file', async () => {
    const abort = new AbortController();
    const reason = new Error('no longer wanted');
    const running = transcribeFile(speechWithWords('prompts-pauses.flac'), work, {
      signal: abort.signal,
      onWords: () => abort.abort(reason),
    });
    await assert.rejects(running, reason);
    assert.deepEqual(await readdir(work), []);
  });
});
