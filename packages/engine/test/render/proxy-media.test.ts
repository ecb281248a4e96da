import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { renderDraftPreview } from '../../src/render/draft-preview.ts';
import { renderPreview, type SoundWave } from '../../src/render/proxy.ts';
import type { PictureStrip } from '../../src/render/source-pictures.ts';
import { ffmpeg, temporaryDirectory } from 'clip-testkit/media-footage';

const directory = await temporaryDirectory();
after(() => directory.remove());
const source = join(directory.path, 'source.mp4');
const [video, strip] = ['proxy.mp4', 'strip.jpg'].map((name) => join(directory.path, name)) as [
  string,
  string,
];
const { signal } = new AbortController();
const facts = { width: 320, height: 180, frameRate: 25, hasAudio: true };

/** Sixteen seconds, each brighter by twelve than the one before; a tone from second eight on. */
before(async () => {
  // prettier-ignore
  await ffmpeg([
    '-f', 'lavfi', '-i', "color=black:s=320x180:r=1:d=16,format=gray,geq=lum='20+12*floor(T)',fps=25",
    '-f', 'lavfi', '-i', "aevalsrc='if(gte(t,8),0.5*sin(2000*t),0)':d=16:s=44100",
    '-c:v', 'libx264', '-preset', 'ultrafast', '-g', '400', '-force_key_frames', '4,8,12', '-pix_fmt', 'yuv420p', '-c:a', 'aac', source,
  ]);
});

test('a video has a picture for each second, in order, and the sound wave of its segment', async () => {
  const shares: number[] = [];
  const made = await renderPreview(
    facts,
    { start: 2, end: 16 },
    {
      source,
      video,
      strip,
      signal,
      onProgress: (share) => shares.push(share),
    },
  );
  const { columns, rows, width, height } = made.strip;
  assert.deepEqual(made.strip, {
    width: 160,
    height: 90,
    columns: 12,
    rows: 2,
    count: 14,
    stepSeconds: 1,
  });
  const whole = [columns * width, rows * height] as const;
  const grey = await ffmpeg([
    ...['-i', strip, '-vf', `scale=${columns}:${rows}:flags=area:in_range=pc:out_range=pc`],
    ...['-pix_fmt', 'gray', '-f', 'rawvideo', 'pipe:1'],
  ]);
  assert.equal(grey.length, columns * rows, `${whole.join(' by ')} pixels`);
  const seen = [...grey].slice(0, 14);
  seen.slice(1).forEach((level, index) => {
    const step = level - seen[index]!;
    assert.ok(step > 6 && step < 22, `picture ${index + 1} follows: ${seen.join(' ')}`);
  });
  const { stepSeconds, peaks } = made.wave;
  assert.ok(Math.abs(peaks.length * stepSeconds - 14) < 0.2, `${peaks.length} peaks`);
  const at = (seconds: number) => peaks[Math.round(seconds / stepSeconds)]!;
  assert.ok(at(3) < 0.05 && at(9) > 0.3 && at(9) < 0.6, `${at(3)}, ${at(9)}`);
  assert.ok(shares.length > 0 && shares.every((share) => share >= 0 && share <= 1));
  assert.deepEqual((await readdir(directory.path)).toSorted(), [
    'proxy.mp4',
    'source.mp4',
    'strip.jpg',
  ]);
});

test('a draft has a filmstrip of the keyframes, and the sound wave in pieces', async () => {
  const parts: (PictureStrip | SoundWave)[] = [];
  let jpeg: Buffer = Buffer.alloc(0);
  await renderDraftPreview(
    facts,
    { start: 2, end: 16 },
    {
      ...{ source, signal },
      onStrip: (made, bytes) => {
        parts.push(made);
        jpeg = bytes;
      },
      onWave: (part) => parts.push(part),
    },
  );
  const made = parts.find((part) => 'count' in part)!;
  assert.equal(made.count, 14);
  await writeFile(strip, jpeg);
  const grey = await ffmpeg([
    ...[
      '-i',
      strip,
      '-vf',
      `scale=${made.columns}:${made.rows}:flags=area:in_range=pc:out_range=pc`,
    ],
    ...['-pix_fmt', 'gray', '-f', 'rawvideo', 'pipe:1'],
  ]);
  // The keyframe before each second.
  const keyframes = [0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12];
  keyframes.forEach((second, index) => {
    const wanted = 20 + 12 * second;
    assert.ok(Math.abs(grey[index]! - wanted) < 3, `picture ${index}: ${[...grey].join(' ')}`);
  });
  const waves = parts.filter((part) => 'peaks' in part);
  const peaks = waves.flatMap((wave) => wave.peaks);
  const { stepSeconds } = waves[0]!;
  assert.ok(Math.abs(peaks.length * stepSeconds - 14) < 0.2, `${peaks.length} peaks`);
  const at = (seconds: number) => peaks[Math.round(seconds / stepSeconds)]!;
  assert.ok(at(3) < 0.05 && at(9) > 0.3 && at(9) < 0.6, `${at(3)}, ${at(9)}`);
});

test('a video without sound has no peaks', async () => {
  const silent = { ...facts, hasAudio: false };
  const { wave } = await renderPreview(
    silent,
    { start: 0, end: 1.5 },
    { source, video, strip, signal },
  );
  assert.deepEqual(wave.peaks, []);
});
