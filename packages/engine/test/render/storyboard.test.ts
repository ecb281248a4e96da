import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Edit } from '../../src/edit.ts';
import { renderStoryboard, writeStoryboard } from '../../src/render/source-pictures.ts';
import { describeFile, ffmpeg, temporaryDirectory } from 'clip-testkit/media-footage';

const directory = await temporaryDirectory();
after(() => directory.remove());
const { signal } = new AbortController();

test('a storyboard has a picture of each second, in rows, from frames between keyframes too', async () => {
  const clip = join(directory.path, 'clip.mp4');
  const output = join(directory.path, 'storyboard.jpg');
  // Each frame is a little brighter than the one before. There is one keyframe.
  // prettier-ignore
  await ffmpeg([
    '-f', 'lavfi', '-i', 'color=white:s=180x320:r=10:d=14,fade=in:0:140', '-c:v', 'libx264',
    '-preset', 'ultrafast', '-g', '1000', '-pix_fmt', 'yuv420p', clip,
  ]);
  const edit = { dimensions: { width: 1080, height: 1920 }, duration: 14 } as Edit;
  const strip = await renderStoryboard(edit, { clip, output, signal });
  assert.deepEqual(strip, {
    width: 90,
    height: 160,
    columns: 12,
    rows: 2,
    count: 14,
    stepSeconds: 1,
  });
  const { streams } = await describeFile(output);
  assert.deepEqual([streams[0]!.width, streams[0]!.height], [12 * 90, 2 * 160]);
  const grey = [
    ...(await ffmpeg([
      ...['-i', output, '-vf', 'scale=12:2:flags=area'],
      ...['-pix_fmt', 'gray', '-f', 'rawvideo', 'pipe:1'],
    ])),
  ];
  const shown = grey.slice(0, 14);
  shown.slice(1).forEach((level, at) => assert.ok(level > shown[at]! + 8, shown.join()));
});

test('its file for players names the place of each picture', () => {
  const strip = { width: 90, height: 160, columns: 12, rows: 2, count: 13, stepSeconds: 2 };
  const cues = writeStoryboard(strip, 'storyboard.jpg').split('\n\n');
  assert.equal(cues[0], 'WEBVTT');
  assert.equal(cues[1], '00:00:00.000 --> 00:00:02.000\nstoryboard.jpg#xywh=0,0,90,160');
  assert.equal(cues[13], '00:00:24.000 --> 00:00:26.000\nstoryboard.jpg#xywh=0,160,90,160\n');
});
