import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fetchWatermark, readPngSize } from '../../src/render/watermark.ts';
import { SourceError } from '../../src/source/source-error.ts';
import { ffmpeg, temporaryDirectory } from 'clip-testkit/media-footage';
import { mediaServer } from 'clip-testkit/media-server';

const made = await temporaryDirectory();
const kept = await temporaryDirectory();
let server: Awaited<ReturnType<typeof mediaServer>>;

before(async () => {
  const answers: Record<string, Buffer | string> = {
    '/a.svg': '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>',
    '/text.png': 'no image',
    '/broken.png': Buffer.from('89504e470d0a1a0a00000000', 'hex'),
    '/large.png': Buffer.alloc(11 * 1024 * 1024, 1),
  };
  for (const kind of ['png', 'jpg', 'webp', 'gif']) {
    const path = join(made.path, `a.${kind}`);
    const frames = kind === 'gif' ? '3' : '1';
    await ffmpeg(['-f', 'lavfi', '-i', 'testsrc2=s=60x40', '-frames:v', frames, path]);
    answers[`/a.${kind}`] = await readFile(path);
  }
  const huge = join(made.path, 'huge.png');
  await ffmpeg(['-f', 'lavfi', '-i', 'color=s=5000x4000', '-frames:v', '1', huge]);
  answers['/huge.png'] = await readFile(huge);
  server = await mediaServer(answers);
});

after(async () => {
  await server.close();
  await made.remove();
  await kept.remove();
});

const take = (path: string, allowPrivate = true) =>
  fetchWatermark(server.url(path), {
    directory: kept.path,
    allowPrivate,
    signal: new AbortController().signal,
  });

test('images of each kind are stored as PNG', async () => {
  for (const kind of ['png', 'jpg', 'webp', 'gif']) {
    const path = await take(`/a.${kind}`);
    assert.deepEqual(readPngSize(await readFile(path)), { width: 60, height: 40 }, kind);
  }
});

test('what is no image, too large or out of reach is refused, and leaves nothing', async () => {
  const before = await readdir(kept.path);
  await assert.rejects(take('/a.svg'), { message: /is an SVG.*Use a PNG/ });
  const refusals = {
    '/a.svg': 'watermark-not-image',
    '/text.png': 'watermark-not-image',
    '/broken.png': 'watermark-not-image',
    '/large.png': 'watermark-too-large',
    '/huge.png': 'watermark-too-large',
    '/none.png': 'watermark-unreachable',
  };
  for (const [path, code] of Object.entries(refusals)) {
    await assert.rejects(take(path), (error) => {
      assert.ok(error instanceof SourceError, `${path}: ${String(error)}`);
      assert.deepEqual([error.code, error.field], [code, 'watermark.src_url'], path);
      return true;
    });
  }
  await assert.rejects(take('/a.png', false), { code: 'watermark-private-address' });
  assert.deepEqual(await readdir(kept.path), before);
});
