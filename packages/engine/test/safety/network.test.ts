import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import {
  download,
  DownloadError,
  followRedirect,
  type DownloadOptions,
} from '../../src/source/download.ts';
import { downloadSource } from '../../src/source/ingest.ts';
import { temporaryDirectory } from 'clip-testkit/media-footage';
import { mediaServer, type Answer } from 'clip-testkit/media-server';

const redirect =
  (to: string): Answer =>
  (_, response) =>
    response.writeHead(302, { location: to }).end();

/** Sends a byte again and again, so that the connection is never idle. */
const drip: Answer = (_, response) => {
  response.writeHead(200).flushHeaders();
  const timer = setInterval(() => response.write('x'), 10);
  response.on('close', () => clearInterval(timer));
};

const gzipped = gzipSync(Buffer.alloc(50 * 1024 * 1024));
const packed: Answer = (_, response) =>
  response
    .writeHead(200, { 'content-encoding': 'gzip', 'content-length': gzipped.length })
    .end(gzipped);

let server: Awaited<ReturnType<typeof mediaServer>>;
let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
before(async () => {
  server = await mediaServer({
    '/video': 'a video',
    '/drip': drip,
    '/headers': (_, response) => response.socket?.write('HTTP/1.1 200 OK\r\nX-Slow: '),
    '/packed': packed,
    '/rebind': redirect('/video'),
    '/login': redirect('http://user:password@127.0.0.1/video'),
    '/inside': redirect('http://169.254.169.254/latest/meta-data'),
    '/chain': redirect('/chain2'),
    '/chain2': redirect('/inside'),
  });
});
after(() => server.close());
beforeEach(async () => {
  directory = await temporaryDirectory();
});
afterEach(() => directory.remove());

const fetchIt = (url: string, changes: Partial<DownloadOptions> = {}) =>
  download(url, {
    path: join(directory.path, 'part'),
    allowPrivate: true,
    maxBytes: 1e9,
    signal: new AbortController().signal,
    ...changes,
  });

async function assertRefused(
  url: string,
  fault: DownloadError['fault'],
  said: RegExp,
  changes: Partial<DownloadOptions> = {},
): Promise<void> {
  await assert.rejects(fetchIt(url, changes), (error) => {
    assert.ok(error instanceof DownloadError, String(error));
    assert.equal(error.fault, fault, error.message);
    assert.match(error.message, said);
    return true;
  });
  assert.deepEqual(await readdir(directory.path), [], 'nothing is left behind');
}

/** A resolver that returns one list of addresses after the other, and counts its calls. */
function names(...answers: string[][]) {
  let asked = 0;
  const resolve: NonNullable<DownloadOptions['resolve']> = (_, __, callback) => {
    const addresses = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    const family = (address: string) => (address.includes(':') ? 6 : 4);
    setImmediate(
      callback,
      null,
      addresses.map((address) => ({ address, family: family(address) })),
    );
  };
  return { resolve, asked: () => asked };
}

describe('names that change their address (DNS rebinding)', () => {
  test('the address that was judged is the one that is connected to: one look-up a connection', async () => {
    const { resolve, asked } = names(['127.0.0.1'], ['169.254.169.254']);
    const { bytes } = await fetchIt(server.url('/video', 'videos.example'), { resolve });
    assert.deepEqual([bytes, asked()], [7, 1]);
  });

  test('a redirect back to the same name is judged again', async () => {
    const { resolve, asked } = names(['127.0.0.1'], ['169.254.169.254']);
    const url = server.url('/rebind', 'videos.example');
    await assertRefused(url, 'private-address', /videos\.example is on a private/, { resolve });
    assert.equal(asked(), 2);
  });

  test('a public address beside a private one makes the name no better', async () => {
    const seen = server.asked.length;
    const { resolve } = names(['93.184.216.34', '127.0.0.1']);
    const url = server.url('/video', 'videos.example');
    const changes = { resolve, allowPrivate: false };
    await assertRefused(url, 'private-address', /private/, changes);
    assert.equal(server.asked.length, seen);
  });

  test('a name without addresses is unreachable', () =>
    assertRefused(server.url('/video', 'videos.example'), 'unreachable', /host name is not known/, {
      resolve: names([]).resolve,
    }));
});

describe('private addresses in any spelling', () => {
  test('are refused', async () => {
    // prettier-ignore
    for (const host of [
      '0177.0.0.1', '0x7f000001', '0x7f.1', '2130706433', '127.1', '127.0.0.1.', '0', '0.0.0.0',
      '[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]',
      '[64:ff9b::7f00:1]', '[64:ff9b:1::7f00:1]', '[fe80::1]', '[fc00::1]', '[2002:7f00:1::]',
      'localhost',
    ]) {
      const url = server.url('/video', host);
      await assertRefused(url, 'private-address', /public/, { allowPrivate: false });
    }
  });
});

describe('redirects', () => {
  test('a chain that ends inside is refused at its end', () =>
    assertRefused(server.url('/chain'), 'private-address', /169\.254\.169\.254/));

  test('encryption is not given up on the way', () => {
    const [safe, open] = [new URL('https://a.example/video'), new URL('http://b.example/video')];
    assert.throws(() => followRedirect(safe, open), /from https to http, which is not allowed/);
    assert.equal(followRedirect(open, safe), safe);
    assert.equal(followRedirect(open, open), open);
  });

  test('an address with a password is not followed', () =>
    assertRefused(
      server.url('/login'),
      'unreachable',
      /contains a password, which is not allowed/,
    ));
});

describe('bodies', () => {
  test('one that drips is given up, though it is never idle', () =>
    assertRefused(server.url('/drip'), 'unreachable', /too slowly/, { paceWindowMs: 100 }));

  test('one that drips fast enough is given up at the deadline', () =>
    assertRefused(server.url('/drip'), 'too-slow', /took longer than/, { deadlineMs: 300 }));

  test('a source that is too slow is called that', async () => {
    const taken = downloadSource(server.url('/drip'), {
      directory: directory.path,
      allowPrivate: true,
      maxSeconds: 60,
      downloadMs: 300,
      signal: new AbortController().signal,
    });
    await assert.rejects(taken, { name: 'SourceError', code: 'source-too-slow' });
  });

  test('headers that do not end are given up', () =>
    assertRefused(server.url('/headers'), 'unreachable', /stopped sending data/, {
      idleTimeoutMs: 100,
    }));

  test('a packed one is never unpacked: what is kept is what came', async () => {
    const { bytes } = await fetchIt(server.url('/packed'));
    assert.equal(bytes, gzipped.length);
    const taken = downloadSource(server.url('/packed'), {
      directory: directory.path,
      allowPrivate: true,
      maxSeconds: 60,
      signal: new AbortController().signal,
    });
    await assert.rejects(taken, { code: 'source-not-video' });
  });
});
