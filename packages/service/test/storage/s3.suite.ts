import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, request, type Server } from 'node:http';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { FileCache } from '../../src/storage/file-cache.ts';
import { Bucket } from '../../src/storage/s3/bucket.ts';
import { createS3Storage } from '../../src/storage/s3/s3.ts';
import {
  isStorageGone,
  type Storage,
  StorageClosed,
  StorageRefused,
  StorageUnavailable,
} from '../../src/storage/storage.ts';
import { temporaryDirectory } from 'clip-testkit/media-footage';
import { newBucket } from '../support/s3-server.ts';
import { storageSuite } from '../support/storage-suite.ts';

const never = new AbortController().signal;

async function openStorage(
  directory: string,
  config: ConstructorParameters<typeof Bucket>[0],
  maxBytes = 1e9,
): Promise<Storage> {
  const cache = await FileCache.open(join(directory, 'cache'), { drafts: directory, maxBytes });
  return createS3Storage(new Bucket(config), cache, never);
}

storageSuite(
  'storage in a bucket',
  async (directory) => openStorage(directory, await newBucket()),
  {
    onePutWins: false,
  },
);

/** A server in front of another one, which breaks what it is told to break. */
class Breaking {
  readonly #server: Server;
  /** Given each request; true ends the connection in the middle of the answer. */
  breakAfter: (method: string, url: string) => number | null = () => null;
  readonly seen: string[] = [];

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(target: string): Promise<Breaking> {
    const server = createServer((asked, answer) => {
      const { method = '', url = '', headers } = asked;
      breaking.seen.push(`${method} ${headers.range ?? ''}`.trim());
      const limit = breaking.breakAfter(method, url);
      if (limit === 0) return void asked.socket.destroy();
      const { hostname, port } = new URL(target);
      // The Host of the first request is what is signed.
      const onward = request({ hostname, port, method, path: url, headers }, (given) => {
        answer.writeHead(given.statusCode ?? 500, given.headers);
        let sent = 0;
        given.on('data', (chunk: Buffer) => {
          sent += chunk.length;
          answer.write(chunk);
          if (limit !== null && sent >= limit) asked.socket.destroy();
        });
        given.on('end', () => answer.end());
      });
      onward.on('error', () => asked.socket.destroy());
      asked.pipe(onward);
    });
    const breaking = new Breaking(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return breaking;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

describe('a bucket', async () => {
  const directory = await temporaryDirectory();
  let config: Awaited<ReturnType<typeof newBucket>>;
  before(async () => {
    config = await newBucket();
  });
  after(() => directory.remove());

  const file = async (bytes: Buffer): Promise<string> => {
    const path = join(directory.path, randomUUID());
    await writeFile(path, bytes);
    return path;
  };
  const large = randomBytes(40 * 1024 ** 2);

  it('keeps a large file that is sent in parts, and gives it back whole', async () => {
    const storage = await openStorage(join(directory.path, 'large'), config);
    await storage.put('sources/a/video.mp4', await file(large));
    assert.equal((await storage.stat('sources/a/video.mp4'))?.bytes, large.length);
    const local = await storage.openLocal('sources/a/video.mp4', never);
    assert.ok(large.equals(await readFile(local.path)));
    local.release();
    // Across the border of two parts.
    const [start, end] = [16 * 1024 ** 2 - 10, 16 * 1024 ** 2 + 9];
    const part = await new Response(
      storage.read('sources/a/video.mp4', { start, end }),
    ).arrayBuffer();
    assert.ok(large.subarray(start, end + 1).equals(Buffer.from(part)));
  });

  it('is tried again when connections break, and a download goes on where it ended', async () => {
    const breaking = await Breaking.start(config.endpoint);
    try {
      const storage = await openStorage(join(directory.path, 'broken'), {
        ...config,
        endpoint: breaking.url,
      });
      const failures = new Map<string, number>();
      const firstTimes = (what: string, times: number): boolean => {
        failures.set(what, (failures.get(what) ?? 0) + 1);
        return failures.get(what)! <= times;
      };
      // Each part once, the beginning and the end of the upload, and each HEAD.
      breaking.breakAfter = (method, url) =>
        method !== 'GET' && firstTimes(`${method} ${url}`, 1) ? 0 : null;
      await storage.put('sources/b/video.mp4', await file(large));
      breaking.seen.length = 0;
      breaking.breakAfter = (method) =>
        method === 'GET' && firstTimes('GET', 2) ? 5_000_000 : null;
      const local = await storage.openLocal('sources/b/video.mp4', never);
      assert.ok(large.equals(await readFile(local.path)));
      const starts = breaking.seen
        .filter((line) => line.startsWith('GET'))
        .map((line) => Number(/bytes=(\d+)-/.exec(line)?.[1]));
      assert.equal(starts[0], 0);
      assert.equal(starts.length, 3);
      assert.ok(starts[1]! > 0 && starts[2]! > starts[1]!, starts.join());
      local.release();
    } finally {
      await breaking.stop();
    }
  });

  it('gives a finished file that this machine reads first without a download', async () => {
    const breaking = await Breaking.start(config.endpoint);
    try {
      const home = join(directory.path, 'kept');
      const storage = await openStorage(home, { ...config, endpoint: breaking.url });
      await storage.put('sources/c/video.mp4', await file(Buffer.from('abc')), { keepLocal: true });
      const local = await storage.openLocal('sources/c/video.mp4', never);
      assert.equal(await readFile(local.path, 'utf8'), 'abc');
      local.release();
      assert.deepEqual(breaking.seen, ['PUT', 'HEAD']);
      await storage.put('exports/c/clip.mp4', await file(Buffer.from('abcd')));
      assert.deepEqual(await readdir(join(home, 'cache')), ['sources'], 'exports are not read');
    } finally {
      await breaking.stop();
    }
  });

  it('that is missing, or not ours, is told apart from one that does not answer', async () => {
    const home = join(directory.path, 'errors');
    const missing = await openStorage(home, { ...config, bucket: 'not-there' });
    const isClosed = (error: Error) => error instanceof StorageClosed && isStorageGone(error);
    await assert.rejects(missing.put('exports/c/clip.mp4', await file(Buffer.from('a'))), isClosed);
    await assert.rejects(missing.openLocal('sources/a/video.mp4', never), isClosed);
    const ours = await openStorage(home, config);
    await assert.rejects(
      ours.openLocal('sources/a/not-there.mp4', never),
      (error) => error instanceof StorageRefused && !isStorageGone(error),
    );
    const wrongKey = await openStorage(home, { ...config, secretAccessKey: 'wrong' });
    await assert.rejects(wrongKey.list('sources/a'), (error: Error) => {
      assert.ok(error instanceof StorageRefused);
      assert.match(error.message, /403 \(SignatureDoesNotMatch\)/);
      assert.doesNotMatch(error.message, /sources|wrong/);
      return true;
    });
    const breaking = await Breaking.start(config.endpoint);
    const gone = breaking.url;
    await breaking.stop();
    const closing = AbortSignal.abort();
    const cache = await FileCache.open(join(home, 'c'), { drafts: home, maxBytes: 1 });
    const away = createS3Storage(new Bucket({ ...config, endpoint: gone }), cache, closing);
    await assert.rejects(away.stat('sources/a/video.mp4'), StorageUnavailable);
    await assert.rejects(
      new Response(away.read('sources/a/video.mp4', { start: 0, end: 1 })).text(),
    );
  });

  it('serves what is put with its type, to be kept forever', async () => {
    const storage = await openStorage(join(directory.path, 'type'), config);
    await storage.put('exports/t/clip.mp4', await file(Buffer.from('abc')));
    const { headers } = await new Bucket(config).call('HEAD', 'exports/t/clip.mp4');
    assert.equal(headers.get('content-type'), 'video/mp4');
  });
});
