import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { RemoteError } from '../../src/remote/remote-call.ts';
import {
  fetchModel,
  isSpeechModel,
  modelDirectory,
  modelFileName,
  namedModels,
  openModel,
} from '../../src/transcribers/speech-model.ts';
import { temporaryDirectory } from '../support/media-footage.ts';
import { mediaServer, type Answer } from '../support/media-server.ts';

const { signal } = new AbortController();

function header(tokens: number): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.write('lmgg', 'latin1');
  bytes.writeInt32LE(tokens, 4);
  return bytes;
}

test('every named model has its size and checksum, and names differ from paths', () => {
  for (const [name, { bytes, sha256 }] of Object.entries(namedModels)) {
    assert.match(sha256, /^[0-9a-f]{64}$/);
    assert.ok(bytes > 7e7);
    assert.ok(isSpeechModel(name));
  }
  assert.equal(new Set(Object.values(namedModels).map(({ sha256 }) => sha256)).size, 10);
  assert.ok(isSpeechModel('/srv/ggml-base.bin') && isSpeechModel('mine.bin'));
  assert.ok(!isSpeechModel('huge') && !isSpeechModel('toString'));
  const directory = modelDirectory({ XDG_CACHE_HOME: '/cache' });
  assert.equal(directory, join('/cache', 'clip-engine', 'models'));
});

describe('a named model is downloaded', () => {
  const content = Buffer.concat([header(51_865), Buffer.alloc(300_000, 'weights')]);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const models = { small: { bytes: content.length, sha256 } };
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let server: Awaited<ReturnType<typeof mediaServer>>;
  let url = '';
  /** How the server answers: each request takes the first, the last one stays. */
  let answers: ('whole' | 'range' | 'early' | 'wrong' | 'missing')[] = [];
  let ranges: (string | undefined)[] = [];
  /** Ends an early answer, when some of it has arrived. */
  let breakOff = () => {};

  before(async () => {
    const model: Answer = (request, response) => {
      const how = answers.length > 1 ? answers.shift() : answers[0];
      const range = request.headers.range;
      ranges.push(range);
      if (how === 'missing') response.writeHead(404).end();
      else if (how === 'wrong') response.end(Buffer.alloc(content.length, 'x'));
      else if (how === 'early') {
        response.writeHead(200, { 'content-length': content.length });
        response.write(content.subarray(0, 100_000));
        breakOff = () => response.destroy();
      } else if (how === 'range' && range) {
        const from = Number(/\d+/.exec(range)![0]);
        const head = { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` };
        response.writeHead(206, head).end(content.subarray(from));
      } else response.end(content);
    };
    server = await mediaServer({ [`/models/${modelFileName('small')}`]: model });
    url = server.url('/models/');
  });
  after(() => server.close());
  beforeEach(async () => {
    directory = await temporaryDirectory();
    ranges = [];
  });
  afterEach(() => directory.remove());

  const fetched = (onProgress?: (name: string, share: number) => unknown) =>
    fetchModel(
      'small',
      { url, directory: directory.path },
      { signal, onProgress: (name, share) => void onProgress?.(name, share) },
      models,
    );

  const brokenOff = () => fetched((_, share) => share > 0 && breakOff());

  test('once, with its progress, also if two jobs need it', async () => {
    answers = ['whole'];
    const shares: number[] = [];
    // Either may be the first to find that it is missing: that one is told of the progress.
    const tell = (_: string, share: number) => shares.push(share);
    const paths = await Promise.all([fetched(tell), fetched(tell)]);
    assert.deepEqual(paths, [paths[0], paths[0]]);
    assert.deepEqual(await readFile(paths[0]!), content);
    assert.deepEqual([shares[0], shares.at(-1)], [0, 1]);
    assert.deepEqual(await readdir(directory.path), [modelFileName('small')]);
    assert.equal(await fetched(() => assert.fail('it is there')), paths[0]);
    assert.equal(ranges.length, 1);
  });

  test('from where it broke off', async () => {
    answers = ['early', 'range'];
    await assert.rejects(brokenOff(), /broke off after \d+ of 300064 bytes/);
    assert.deepEqual(await readdir(directory.path), [`${modelFileName('small')}.part`]);
    assert.deepEqual(await readFile(await fetched()), content);
    assert.match(ranges[1]!, /^bytes=[1-9]\d*-$/);
  });

  test('again from the start, if the server has no ranges', async () => {
    answers = ['early', 'whole'];
    await assert.rejects(brokenOff(), RemoteError);
    assert.deepEqual(await readFile(await fetched()), content);
  });

  test('but not used and not kept with a wrong checksum', async () => {
    answers = ['wrong'];
    await assert.rejects(fetched(), /is not the speech model small: its checksum is wrong/);
    assert.deepEqual(await readdir(directory.path), []);
  });

  test('and a server that does not have it is named', async () => {
    answers = ['missing'];
    await assert.rejects(fetched(), /http:\/\/127\.0\.0\.1:\d+ answered with status 404/);
    const abort = new AbortController();
    abort.abort(new Error('enough'));
    const stopped = fetchModel('small', { url, directory: directory.path }, abort, models);
    await assert.rejects(stopped, /enough/);
  });
});

describe('a model file', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  const at = (name: string) => join(directory.path, name);
  const open = (model?: string) => openModel({ model, directory: directory.path }, { signal });
  before(async () => {
    directory = await temporaryDirectory();
  });
  after(() => directory.remove());

  test('is the one that was downloaded last, if none is named', async () => {
    assert.equal(await open(), null);
    for (const [name, tokens] of [
      ['ggml-small.bin', 51_865],
      ['ggml-base.en.bin', 51_864],
    ] as const) {
      await writeFile(at(name), header(tokens));
      await truncate(at(name), 30e6);
    }
    await writeFile(at('ggml-tiny.bin.part'), 'half');
    await utimes(at('ggml-small.bin'), 1, 1);
    assert.deepEqual(await open(), { path: at('ggml-base.en.bin'), multilingual: false });
    assert.deepEqual(await open(at('ggml-small.bin')), {
      path: at('ggml-small.bin'),
      multilingual: true,
    });
  });

  test('that is missing, or of another format, is said clearly, without its path', async () => {
    await writeFile(at('notes.bin'), 'GGUF and more');
    await assert.rejects(open(at('none.bin')), {
      message: /^The speech model cannot be read \(ENOENT\)\. Check the path in SPEECH_MODEL\.$/,
    });
    await assert.rejects(open(at('notes.bin')), /is not a model of whisper\.cpp/);
    await writeFile(at('half.bin'), header(51_865));
    await assert.rejects(open(at('half.bin')), /is not complete/);
  });
});
