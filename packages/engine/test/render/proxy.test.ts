import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { computeProxySize, renderProxy } from '../../src/render/proxy.ts';
import {
  describeFile,
  describeFrames,
  ffmpeg,
  temporaryDirectory,
} from 'clip-testkit/media-footage';

const directory = await temporaryDirectory();
after(() => directory.remove());
const source = join(directory.path, 'source.mp4');
const output = join(directory.path, 'proxy.mp4');
const { signal } = new AbortController();
const facts = { width: 960, height: 720, frameRate: 25, hasAudio: true };

/** Each frame is brighter by four than the one before, for 2.4 seconds. There is one keyframe. */
before(async () => {
  // prettier-ignore
  await ffmpeg([
    '-f', 'lavfi', '-i', 'color=white:s=960x720:r=25:d=4.4,fade=in:0:60', '-f', 'lavfi', '-i', 'sine=d=4.4',
    '-c:v', 'libx264', '-preset', 'ultrafast', '-g', '100', '-pix_fmt', 'yuv420p', '-c:a', 'aac', source,
  ]);
});

function brightness(path: string): Promise<Buffer> {
  const grey = ['-pix_fmt', 'gray', '-f', 'rawvideo', 'pipe:1'];
  return ffmpeg(['-i', path, '-vf', 'scale=1:1:flags=area', ...grey]);
}

test('a proxy has 540 pixels on its shorter side, and is never larger than its source', () => {
  assert.deepEqual(computeProxySize({ width: 1920, height: 1080 }), { width: 960, height: 540 });
  assert.deepEqual(computeProxySize({ width: 1080, height: 1920 }), { width: 540, height: 960 });
  assert.deepEqual(computeProxySize({ width: 640, height: 360 }), { width: 640, height: 360 });
});

test('second 0 of a proxy is the picture at the start of its segment, and a keyframe comes each second', async () => {
  await renderProxy(facts, { start: 0.24, end: 2.64 }, { source, output, signal });
  const { streams } = await describeFile(output);
  const [video, sound] = streams;
  assert.deepEqual(
    [video?.codec_name, video?.width, video?.height, sound?.codec_name],
    ['h264', 720, 540, 'aac'],
  );
  const { startTime, frames } = await describeFrames(output);
  assert.equal(startTime, 0);
  assert.deepEqual(
    frames.map(({ time }) => Math.round(time * 25)),
    Array.from({ length: 60 }, (_, index) => index),
  );
  assert.deepEqual(
    frames.flatMap(({ time, key }) => (key ? [time] : [])),
    [0, 1, 2],
  );
  const [all, part] = await Promise.all([brightness(source), brightness(output)]);
  // One frame off would be a mean error of four.
  const errors = Array.from({ length: 50 }, (_, index) => part[index]! - all[index + 6]!);
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
  assert.ok(Math.abs(mean) < 1, `${mean}`);
  assert.ok(errors.every((error) => Math.abs(error) < 6));
});

test('a source without sound has a proxy without sound', async () => {
  const silent = { ...facts, hasAudio: false };
  await renderProxy(silent, { start: 0, end: 0.2 }, { source, output, signal });
  assert.deepEqual(
    (await describeFile(output)).streams.map(({ codec_type }) => codec_type),
    ['video'],
  );
});

test('a failed proxy leaves nothing behind', async () => {
  const names = await readdir(directory.path);
  const options = { source: join(directory.path, 'none.mp4'), output: `${output}.new`, signal };
  await assert.rejects(renderProxy(facts, { start: 0, end: 1 }, options));
  assert.deepEqual(await readdir(directory.path), names);
});
