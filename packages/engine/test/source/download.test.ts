import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { download, maxResumes, Resuming } from '../../src/source/download.ts';
import { temporaryDirectory } from 'clip-testkit/media-footage';
import { mediaServer } from 'clip-testkit/media-server';

const program = promisify(execFile);

it('is the fault of a machine that has no network, and not of the address', async (t) => {
  const script = `
    import { download } from ${JSON.stringify(new URL('../../src/source/download.ts', import.meta.url).href)};
    const options = { path: ${JSON.stringify(join((await temporaryDirectory()).path, 'a.mp4'))}, allowPrivate: true, maxBytes: 1, signal: new AbortController().signal };
    for (const address of ['http://1.1.1.1/a.mp4', 'http://video.example/a.mp4']) {
      await download(address, options).catch(({ name }) => console.log(name));
    }`;
  const node = [process.execPath, '--input-type=module', '--eval', script];
  const inside = await program('unshare', ['--net', ...node]).catch((error: Error) => {
    if (!/unshare: |ENOENT/.test(error.message)) throw error;
    return null;
  });
  if (!inside) return t.skip('no network namespace can be made here');
  assert.equal(inside.stdout, 'NetworkDown\nNetworkDown\n');
});

const video = randomBytes(300_000);
const etag = '"first"';

type Turn = (request: IncomingMessage, response: ServerResponse, from: number) => void;

/** Sends the next 100 kB of the video, and cuts the connection before its end. */
const cut =
  (headers: Record<string, string> = { etag }): Turn =>
  (_, response, from) => {
    const rest = video.length - from;
    const range = `bytes ${from}-${video.length - 1}/${video.length}`;
    response.writeHead(from ? 206 : 200, {
      'content-length': rest,
      ...(from && { 'content-range': range }),
      ...headers,
    });
    const chunk = video.subarray(from, from + 100_000);
    response.write(chunk, () => (rest > chunk.length ? response.destroy() : response.end()));
  };

const refuse =
  (status: number): Turn =>
  (_, response) =>
    response.writeHead(status).end();

/** Downloads the video from a server that takes these turns. */
async function downloadSource(...turns: readonly Turn[]) {
  const directory = await temporaryDirectory();
  const asked: IncomingMessage['headers'][] = [];
  const server = await mediaServer({
    '/video': (request, response) => {
      const turn = turns[asked.push(request.headers) - 1] ?? refuse(500);
      turn(request, response, Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0));
    },
  });
  const path = join(directory.path, 'video');
  const shares: number[] = [];
  try {
    const { sha256, bytes } = await download(server.url('/video'), {
      path,
      allowPrivate: true,
      maxBytes: 1e9,
      signal: new AbortController().signal,
      onProgress: (share) => shares.push(share),
    });
    return { sha256, bytes, asked, shares, file: await readFile(path) };
  } catch (error) {
    assert.deepEqual(await readdir(directory.path), [], 'nothing is left behind');
    return { error: error as Error, asked };
  } finally {
    await server.close();
    await directory.remove();
  }
}

describe('a download that is cut', () => {
  it('continues where it was, again and again, and is the same file', async () => {
    const { sha256, bytes, file, asked, shares } = await downloadSource(cut(), cut(), cut());
    assert.ok(file?.equals(video));
    assert.equal(bytes, video.length);
    assert.equal(sha256, createHash('sha256').update(video).digest('hex'));
    assert.deepEqual(
      asked.map((headers) => headers['if-match']),
      [undefined, etag, etag],
    );
    assert.deepEqual(shares, shares.toSorted(), 'the progress never goes back');
    assert.equal(shares.at(-1), 1);
  });

  it('continues when the server is back', async () => {
    const { file } = await downloadSource(cut(), refuse(503), cut(), cut());
    assert.ok(file?.equals(video));
  });

  it('ends if nothing shows that the rest would be of the same file', async () => {
    for (const headers of [{}, { etag: 'W/"first"' }, { 'last-modified': 'yesterday' }]) {
      const { error, asked } = await downloadSource(cut(headers), cut(headers));
      assert.match(String(error), /ended before the download was complete/);
      assert.equal(asked.length, 1);
    }
  });

  it('ends if the file has changed, or the server only sends all of it', async () => {
    for (const turn of [refuse(412), cut({ etag: '"second"' })]) {
      const { error } = await downloadSource(cut(), turn);
      assert.match(String(error), /ended before the download was complete/);
    }
    const whole: Turn = (request, response) => cut()(request, response, 0);
    const { error, asked } = await downloadSource(cut(), whole, whole);
    assert.match(String(error), /ended before the download was complete/);
    assert.equal(asked.length, 2);
  });

  it('is not asked for again if it has not begun', async () => {
    const { error, asked } = await downloadSource(refuse(503));
    assert.match(String(error), /answered with HTTP status 503/);
    assert.equal(asked.length, 1);
  });

  it('ends after five tries without a new byte', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const resuming = new Resuming();
    resuming.isPossible = true;
    const answers: (Error | null | undefined)[] = [];
    const gone = new Error('gone');
    const lose = () => {
      resuming.retry(gone, null, (answer) => answers.push(answer));
      t.mock.timers.tick(60_000);
      return answers.at(-1);
    };
    resuming.bytes = 1;
    for (let tries = 0; tries < maxResumes; tries++) assert.equal(lose(), null);
    resuming.bytes = 2;
    for (let tries = 0; tries < maxResumes; tries++) assert.equal(lose(), null);
    assert.equal(lose(), gone);
  });

  it('is not asked for again once the download has ended', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const resuming = new Resuming();
    resuming.isPossible = true;
    const answer = t.mock.fn();
    resuming.retry(new Error('gone'), null, answer);
    resuming.stop();
    t.mock.timers.tick(60_000);
    assert.equal(answer.mock.callCount(), 0);
  });
});
