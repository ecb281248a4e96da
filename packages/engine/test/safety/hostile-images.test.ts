import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib';
import { fetchWatermark, stripPng, readPngSize } from '../../src/render/watermark.ts';
import { SourceError } from '../../src/source/source-error.ts';
import { ffmpeg, temporaryDirectory } from 'clip-testkit/media-footage';
import { mediaServer } from 'clip-testkit/media-server';

function chunk(type: string, body: Buffer): Buffer {
  const data = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc32(data));
  return Buffer.concat([length, data, sum]);
}

function png(width: number, height: number, pixels: Buffer, more: Buffer[] = []): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // prettier-ignore
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header), ...more, chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0)),
  ]);
}

const small = deflateSync(Buffer.alloc(40 * (1 + 60 * 3)));

/** Four gigabytes of zeros, in four megabytes. */
const grown = (() => {
  const flush = { finishFlush: constants.Z_FULL_FLUSH, level: 9 };
  const block = deflateRawSync(Buffer.alloc(1024 * 1024), flush);
  const blocks = Array.from({ length: 4096 }, () => block);
  return Buffer.concat([Buffer.from([0x78, 0xda]), ...blocks, Buffer.from([3, 0, 0, 0, 0, 1])]);
})();

const text = chunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), grown]));
const profile = chunk('iCCP', Buffer.concat([Buffer.from('icc\0\0'), grown]));

const made = await temporaryDirectory();
let server: Awaited<ReturnType<typeof mediaServer>>;
let kept: Awaited<ReturnType<typeof temporaryDirectory>>;

before(async () => {
  const picture = async (name: string, args: string[]) => {
    await ffmpeg(['-f', 'lavfi', '-i', ...args, join(made.path, name)]);
    return readFile(join(made.path, name));
  };
  const jpeg = await picture('a.jpg', ['testsrc2=s=64x64', '-frames:v', '1']);
  const size = jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 5;
  jpeg.writeUInt16BE(65_000, size);
  jpeg.writeUInt16BE(65_000, size + 2);
  server = await mediaServer({
    '/header.png': png(30_000, 30_000, small),
    '/pixels.png': png(30_000, 30_000, grown),
    '/text.png': png(60, 40, small, [text]),
    '/profile.png': png(60, 40, small, [profile]),
    '/large.jpg': jpeg,
    '/long.gif': await picture('a.gif', ['testsrc2=s=16x16:r=50:d=4']),
    '/moving.png': await picture('a.apng', ['testsrc2=s=60x40:r=50:d=1', '-f', 'apng']),
  });
});
after(async () => {
  await server?.close();
  await made.remove();
  await kept?.remove();
});
beforeEach(async () => {
  await kept?.remove();
  kept = await temporaryDirectory();
});

const take = (path: string) =>
  fetchWatermark(server.url(path), {
    directory: kept.path,
    allowPrivate: true,
    signal: new AbortController().signal,
  });

test('a picture of more pixels than it has bytes is refused, and leaves nothing', async () => {
  for (const path of ['/header.png', '/pixels.png', '/large.jpg']) {
    await assert.rejects(take(path), (error) => {
      assert.ok(error instanceof SourceError, String(error));
      assert.equal(error.code, 'watermark-too-large', `${path}: ${error.message}`);
      return true;
    });
    assert.deepEqual(await readdir(kept.path), [], path);
  }
});

test('texts and colour profiles are left out before anything unpacks them', async () => {
  for (const path of ['/text.png', '/profile.png']) {
    assert.deepEqual(
      readPngSize(await readFile(await take(path))),
      { width: 60, height: 40 },
      path,
    );
  }
  assert.deepEqual(stripPng(png(60, 40, small, [text, profile])), png(60, 40, small));
});

test('of many pictures the first is taken', async () => {
  assert.deepEqual(readPngSize(await readFile(await take('/long.gif'))), { width: 16, height: 16 });
  const still = await readFile(await take('/moving.png'));
  assert.deepEqual(readPngSize(still), { width: 60, height: 40 });
  assert.ok(!still.includes('acTL'));
});

test('chunks that lie about their length do no harm', () => {
  const cut = png(60, 40, small).subarray(0, 60);
  assert.ok(stripPng(cut).length <= cut.length);
  const lying = Buffer.concat([png(1, 1, small).subarray(0, 8), Buffer.alloc(40, 0xff)]);
  assert.deepEqual(stripPng(lying), lying.subarray(0, 8));
});
