import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { downloadVerified } from '../../src/remote/verified-download.ts';
import {
  isSpeechModel,
  getModelDirectory,
  namedModels,
  openModel,
} from '../../src/transcribers/speech-model.ts';
import type { ModelDownload } from '../../src/transcribers/transcriber.ts';
import { temporaryDirectory } from 'clip-testkit/media-footage';
import { mediaServer, type Answer } from 'clip-testkit/media-server';

const { signal } = new AbortController();

test('every named model has the sizes and checksums of its files; names differ from paths', () => {
  for (const [name, { files }] of Object.entries(namedModels)) {
    assert.ok(files.every(({ sha256 }) => /^[0-9a-f]{64}$/.test(sha256)));
    assert.ok(files.reduce((sum, { bytes }) => sum + bytes, 0) > 1e8);
    assert.ok(isSpeechModel(name));
  }
  const base = namedModels['base']!.files.reduce((sum, { bytes }) => sum + bytes, 0);
  assert.equal(base, 160_609_290);
  for (const path of ['/srv/whisper-base', './mine', 'C:\\models\\mine', 'ggml-base.bin', 'off']) {
    assert.ok(isSpeechModel(path), path);
  }
  assert.ok(!isSpeechModel('huge') && !isSpeechModel('toString'));
  const directory = getModelDirectory({ XDG_CACHE_HOME: '/cache' });
  assert.equal(directory, join('/cache', 'clip-engine', 'models'));
});

describe('a named model is downloaded', () => {
  /** Text that gzip makes smaller, but not to nothing. */
  const text = Array.from({ length: 20_000 }, (_, at) => (at * 7919) % 10_007).join('\n');
  const contents = {
    'mini-tokens.txt': Buffer.from(text),
    'mini-encoder.int8.onnx': Buffer.alloc(300_000, 'encoder'),
    'mini-decoder.int8.onnx': Buffer.alloc(200_000, 'decoder'),
  };
  type Name = keyof typeof contents;
  const files = Object.entries(contents).map(([name, content]) => ({
    name,
    bytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
  }));
  const totalBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const models = { mini: { repository: 'whisper-mini', revision: 'abc', files } };

  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let server: Awaited<ReturnType<typeof mediaServer>>;
  /** Has the large files, as the hub redirects to another host. */
  let store: Awaited<ReturnType<typeof mediaServer>>;
  type Way = 'usual' | 'no ranges' | 'early' | 'wrong' | 'short' | 'missing' | 'compressed range';
  /** The answers for a file: each request takes the first. Afterwards they are as usual. */
  let ways: Partial<Record<Name, Way[]>> = {};
  let asked: string[] = [];
  /** How an early answer ends, and that its connection is closed. */
  let [breakOff, goOn] = [() => {}, () => {}];
  let closed: Promise<unknown> = Promise.resolve();

  const answerTo =
    (name: Name): Answer =>
    (request, response) => {
      const way = ways[name]?.shift() ?? 'usual';
      const { range } = request.headers;
      asked.push(range ? `${name} ${range}` : name);
      const content = contents[name];
      const from = Number(/\d+/.exec(range ?? '')?.[0] ?? 0);
      const head = { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` };
      // Like the hub, it compresses text even for a client that does not want it.
      const isText = name.endsWith('.txt');
      const send = (bytes: Buffer) =>
        isText
          ? response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(bytes))
          : response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
      if (way === 'missing') response.writeHead(404).end();
      else if (way === 'wrong') send(Buffer.alloc(content.length, 'x'));
      else if (way === 'short') send(Buffer.from('version https://git-lfs.github.com/spec/v1'));
      else if (way === 'early') cutOff(response, isText ? gzipSync(content) : content, isText);
      else if (way === 'compressed range' && range) {
        const part = gzipSync(content).subarray(from);
        response.writeHead(206, { ...head, 'content-encoding': 'gzip' }).end(part);
      } else if (way === 'usual' && range && from >= content.length) response.writeHead(416).end();
      else if (way === 'usual' && range) response.writeHead(206, head).end(content.subarray(from));
      else send(content);
    };

  function cutOff(response: ServerResponse, content: Buffer, isText: boolean) {
    response.writeHead(
      200,
      isText ? { 'content-encoding': 'gzip' } : { 'content-length': content.length },
    );
    response.write(content.subarray(0, 0.7 * content.length));
    breakOff = () => response.destroy();
    goOn = () => response.end(content.subarray(0.7 * content.length));
    closed = once(response, 'close');
  }

  before(async () => {
    const path = (name: string) => `/mirror/whisper-mini/resolve/abc/${name}`;
    const onnx = (name: Name): [string, Answer] => [`/store/${name}`, answerTo(name)];
    store = await mediaServer(
      Object.fromEntries([onnx('mini-encoder.int8.onnx'), onnx('mini-decoder.int8.onnx')]),
    );
    const away = (name: Name): [string, Answer] => [
      path(name),
      (_, response) =>
        response.writeHead(302, { location: store.url(`/store/${name}`, 'localhost') }).end(),
    ];
    server = await mediaServer({
      [path('mini-tokens.txt')]: answerTo('mini-tokens.txt'),
      ...Object.fromEntries([away('mini-encoder.int8.onnx'), away('mini-decoder.int8.onnx')]),
    });
  });
  after(() => Promise.all([server.close(), store.close()]));
  beforeEach(async () => {
    directory = await temporaryDirectory();
    [ways, asked] = [{}, []];
  });
  afterEach(() => directory.remove());

  const fetched = (options: { signal?: AbortSignal; onProgress?: (at: ModelDownload) => void }) =>
    openModel(
      { model: 'mini', url: server.url('/mirror/'), directory: directory.path },
      { signal, ...options },
      models,
    );
  const stored = () => readdir(join(directory.path, 'mini')).then((names) => names.sort());
  /** Breaks off the early answer for a file when some of it has arrived. */
  const brokenOff = (before: number) =>
    fetched({ onProgress: ({ bytes }) => bytes > before && breakOff() });

  async function assertWhole() {
    assert.deepEqual(await stored(), Object.keys(contents).sort());
    for (const [name, content] of Object.entries(contents)) {
      assert.deepEqual(await readFile(join(directory.path, 'mini', name)), content);
    }
  }

  test('file by file, with the progress of all, once for all jobs', async () => {
    const told: ModelDownload[][] = [[], []];
    const opened = await Promise.all(
      told.map((list) => fetched({ onProgress: (progress) => list.push(progress) })),
    );
    const at = (name: string) => join(directory.path, 'mini', name);
    assert.deepEqual(opened[1], {
      kind: 'whisper',
      name: 'mini',
      encoder: at('mini-encoder.int8.onnx'),
      decoder: at('mini-decoder.int8.onnx'),
      tokens: at('mini-tokens.txt'),
    });
    for (const list of told) {
      assert.deepEqual(list.at(-1), { model: 'mini', bytes: totalBytes, totalBytes });
      const shares = list.map(({ bytes }) => bytes);
      assert.deepEqual(
        shares,
        shares.toSorted((a, b) => a - b),
      );
      assert.ok(new Set(shares).size > 3);
    }
    await assertWhole();
    assert.deepEqual(asked, Object.keys(contents));
    await fetched({ onProgress: () => assert.fail('It is there.') });
    assert.equal(asked.length, 3);
  });

  test('from where it broke off, at the host to which the hub redirects', async () => {
    ways = { 'mini-encoder.int8.onnx': ['early', 'missing'] };
    await assert.rejects(brokenOff(text.length), /answered with status 404/);
    assert.deepEqual(await stored(), ['mini-encoder.int8.onnx.part', 'mini-tokens.txt']);
    await fetched({});
    await assertWhole();
    const ranges = asked.slice(2, 4);
    for (const range of ranges) assert.match(range, /^mini-encoder.int8.onnx bytes=[1-9]\d*-$/);
    assert.equal(ranges[0], ranges[1]);
  });

  for (const [name, way, what] of [
    ['mini-decoder.int8.onnx', 'usual', 'at once if the connection breaks'],
    ['mini-encoder.int8.onnx', 'no ranges', 'from the start if the server has no ranges'],
    ['mini-tokens.txt', 'compressed range', 'from the start rather than from a compressed part'],
  ] as const) {
    test(`again ${what}`, async () => {
      ways = { [name]: ['early', way] };
      const before = { 'mini-tokens.txt': 0, 'mini-encoder.int8.onnx': text.length };
      await brokenOff({ 'mini-decoder.int8.onnx': text.length + 300_000, ...before }[name]);
      await assertWhole();
      assert.equal(
        asked.filter((one) => one.startsWith(name)).length,
        way === 'compressed range' ? 3 : 2,
      );
    });
  }

  test('but not stored with other content, and the next attempt is free of it', async () => {
    ways = { 'mini-encoder.int8.onnx': ['wrong', 'short'] };
    await assert.rejects(fetched({}), /is not the speech model mini: its checksum is wrong/);
    assert.deepEqual(await stored(), ['mini-tokens.txt']);
    await assert.rejects(fetched({}), /it has 42 bytes instead of 300000/);
    assert.deepEqual(await stored(), ['mini-tokens.txt']);
    await fetched({});
    await assertWhole();
  });

  test('or it is said what else can be done', async () => {
    ways = { 'mini-encoder.int8.onnx': ['missing'] };
    const refused =
      /^The speech model mini could not be downloaded: http:\/\/127\.0\.0\.1:\d+ answered with status 404\. .*SPEECH_MODEL_URL.* mirror.*SPEECH_MODEL .*folder.*SPEECH_URL.* server/;
    await assert.rejects(fetched({}), { name: 'SpeechModelError', message: refused });
    const closed = { url: 'http://127.0.0.1:1/', directory: directory.path, model: 'mini' };
    await assert.rejects(openModel(closed, { signal }, models), /from http:\/\/127\.0\.0\.1:1 \(/);
    await writeFile(join(directory.path, 'file'), '');
    const nowhere = { ...closed, directory: join(directory.path, 'file') };
    await assert.rejects(openModel(nowhere, { signal }, models), {
      name: 'SpeechModelError',
      message: /cannot be stored \(ENOTDIR: not a directory\)\. Set XDG_CACHE_HOME/,
    });
  });

  test('as long as one job needs it', async () => {
    const left = new Error('enough');
    /** A job that leaves when some of the encoder is there. */
    const leaving = () => {
      const abort = new AbortController();
      const onProgress = ({ bytes }: ModelDownload) => bytes > text.length && abort.abort(left);
      return fetched({ signal: abort.signal, onProgress });
    };
    ways = { 'mini-encoder.int8.onnx': ['early', 'usual'] };
    await assert.rejects(Promise.all([leaving(), leaving()]), left);
    await closed;
    ways = { 'mini-decoder.int8.onnx': ['early'] };
    const first = assert.rejects(leaving(), left);
    await fetched({ onProgress: ({ bytes }) => bytes > text.length + 300_000 && goOn() });
    await first;
    await assertWhole();
    assert.match(asked[2]!, /^mini-encoder.int8.onnx bytes=[1-9]\d*-$/);
    await assert.rejects(fetched({ signal: AbortSignal.abort(left) }), left);
  });

  test('by two processes at the same time, without harm', async () => {
    const file = {
      ...files[1]!,
      url: store.url('/store/mini-encoder.int8.onnx'),
      name: 'speech model mini',
    };
    const path = join(directory.path, 'model');
    const download = () => downloadVerified(file, path, { signal });
    await writeFile(`${path}.part`, contents['mini-encoder.int8.onnx'].subarray(0, 1000));
    await Promise.all([download(), download(), download()]);
    assert.deepEqual(await readFile(path), contents['mini-encoder.int8.onnx']);
    assert.deepEqual(await readdir(directory.path), ['model']);
  });
});

describe('the folder of a model', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  const at = (name: string) => join(directory.path, name);
  const open = (model: string) => openModel({ model, directory: directory.path }, { signal });
  async function folder(name: string, files: string[], bytes = 20_000) {
    await mkdir(at(name));
    for (const file of files) await writeFile(join(at(name), file), Buffer.alloc(bytes));
    return at(name);
  }
  before(async () => {
    directory = await temporaryDirectory();
  });
  after(() => directory.remove());

  test('has the files of Whisper, smaller ones first', async () => {
    const files = ['small.en-encoder.int8.onnx', 'small.en-decoder.onnx', 'small.en-tokens.txt'];
    const path = await folder('whisper', [...files, 'small.en-encoder.onnx', 'README.md']);
    assert.deepEqual(await open(path), {
      kind: 'whisper',
      name: 'small.en',
      encoder: join(path, files[0]!),
      decoder: join(path, files[1]!),
      tokens: join(path, files[2]!),
    });
  });

  test('or those of Parakeet', async () => {
    const files = ['encoder.int8.onnx', 'decoder.int8.onnx', 'joiner.int8.onnx', 'tokens.txt'];
    const path = await folder('parakeet', files);
    const { kind, joiner } = await open(path);
    assert.deepEqual([kind, joiner], ['parakeet', join(path, 'joiner.int8.onnx')]);
  });

  test('is refused with the name of the file that is missing or not complete', async () => {
    const [encoder, decoder, tokens] = ['x-encoder.onnx', 'x-decoder.onnx', 'x-tokens.txt'];
    for (const [files, missing] of [
      [[encoder, tokens], 'x-decoder.int8.onnx'],
      [[decoder, tokens], 'x-encoder.int8.onnx'],
      [[encoder, decoder], 'x-tokens.txt'],
      [['encoder.onnx', 'decoder.onnx', 'tokens.txt'], 'joiner.int8.onnx'],
    ] as const) {
      const path = await folder(`without-${missing}`, [...files]);
      await assert.rejects(open(path), {
        name: 'SpeechModelError',
        message: `The folder in SPEECH_MODEL has no file ${missing}.`,
      });
    }
    const pointers = await folder('pointers', [encoder, decoder, tokens], 130);
    await assert.rejects(open(pointers), /x-encoder\.onnx .* not complete: it has 130 bytes\./);
    await assert.rejects(open(await folder('empty', [])), /does not have the files of a model/);
    await assert.rejects(open(at('none')), /cannot be read \(ENOENT\)/);
  });

  test('is not a file: one of whisper.cpp is named as what it is', async () => {
    await writeFile(at('ggml-base.bin'), 'lmgg and more');
    await writeFile(at('notes.bin'), 'no');
    const said = /is the path of a ggml file of whisper\.cpp\. It must be tiny, .* folder/;
    await assert.rejects(open(at('ggml-base.bin')), said);
    await assert.rejects(open(at('notes.bin')), /is the path of a file\. It must be/);
  });
});
