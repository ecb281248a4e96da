import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  isUnchanged,
  copyStart,
  readPicturePackets,
  canCopyStreams,
} from '../../src/render/stream-copy.ts';
import type { Edit } from '../../src/edit.ts';
import { render } from '../../src/render/render.ts';
import {
  describeFile,
  ffmpeg,
  makeVideo,
  frameAt,
  temporaryDirectory,
} from 'clip-testkit/media-footage';
import { plainEdit } from 'clip-testkit/plain-edit';

const directory = await temporaryDirectory();
const at = (name: string) => join(directory.path, name);
const signal = () => new AbortController().signal;
after(() => directory.remove());

const editOf = (start: number, end: number, changes: Partial<Edit> = {}): Edit =>
  plainEdit({
    source: { width: 320, height: 180, frameRate: 25, hasAudio: true },
    ranges: [{ start, end }],
    dimensions: { width: 320, height: 180 },
    framing: { mode: 'crop', x: 0, y: 0, width: 320, height: 180 },
    ...changes,
  });

test('an edit with any change is no copy', () => {
  assert.equal(isUnchanged(editOf(0, 2)), true);
  const words = [{ text: 'a', start: 0, end: 1 }];
  const changes: Partial<Edit>[] = [
    { title: { text: 'T', end: 2 } },
    { intro: { id: 'i' } },
    { outro: { id: 'o' } },
    { captions: [{ start: 0, end: 1, words }] },
    { emojis: [{ emoji: '🐝', start: 0, end: 1 }] },
    {
      ranges: [
        { start: 0, end: 1 },
        { start: 2, end: 3 },
      ],
    },
    { dimensions: { width: 160, height: 90 } },
    { framing: { mode: 'fit' } },
    { framing: { mode: 'crop', x: 2, y: 0, width: 318, height: 180 } },
    { frameRate: 50 },
    { source: { width: 320, height: 180, frameRate: 25, hasAudio: false } },
  ];
  for (const change of changes) {
    assert.equal(isUnchanged(editOf(0, 2, change)), false, JSON.stringify(change));
  }
});

test('only streams that an export is made of are taken over', () => {
  const video = {
    codec_type: 'video',
    codec_name: 'h264',
    pix_fmt: 'yuv420p',
    width: 320,
    height: 180,
  };
  const sound = { codec_type: 'audio', codec_name: 'aac' };
  const fits = (more: object, audio: object = sound, container = 'mov,mp4,m4a,3gp,3g2,mj2') =>
    canCopyStreams(editOf(0, 2), {
      format: { format_name: container },
      streams: [{ ...video, ...more }, audio],
    });
  assert.equal(fits({}), true);
  for (const more of [
    { codec_name: 'hevc' },
    { pix_fmt: 'yuv420p10le' },
    { field_order: 'tt' },
    { sample_aspect_ratio: '4:3' },
    { side_data_list: [{ rotation: -90 }] },
    { width: 640 },
  ]) {
    assert.equal(fits(more), false, JSON.stringify(more));
  }
  assert.equal(fits({}, { codec_type: 'audio', codec_name: 'opus' }), false);
  assert.equal(fits({}, sound, 'matroska,webm'), false);
});

/** Packets as an encoder without B-frames writes them, with a keyframe every second. */
const packets = (count: number, rate = 25) =>
  Array.from({ length: count }, (_, index) => ({ time: index / rate, key: index % rate === 0 }));

test('a copy begins and ends where one can begin', () => {
  assert.equal(copyStart(editOf(1, 3), packets(100)), 1);
  assert.equal(copyStart(editOf(1.2, 3.2), packets(100)), null, 'begins between');
  assert.equal(copyStart(editOf(1, 3.2), packets(100)), null, 'ends between');
  assert.equal(copyStart(editOf(2, 4), packets(100)), 2, 'the end of the file');
  assert.equal(copyStart(editOf(2, 4.04), packets(100)), null, 'more than there is');
});

test('frames that are uneven in time, or need others outside, are encoded', () => {
  const late = packets(100).map((packet, index) =>
    index === 40 ? { ...packet, time: packet.time + 0.015 } : packet,
  );
  assert.equal(copyStart(editOf(1, 3), late), null);
  // An open group: the frame before the next keyframe comes after it in the file.
  const open = packets(100);
  [open[74], open[75]] = [open[75]!, open[74]!];
  assert.equal(copyStart(editOf(1, 3), open), null);
});

test('packets are read as ffprobe lists them', () => {
  assert.deepEqual(readPicturePackets('1.500000,K__\n1.540000,___\nN/A,___\n', 1), [
    { time: 0.5, key: true },
    { time: 0.54, key: false },
  ]);
});

let source: string;
before(async () => {
  source = await makeVideo(at('video.mp4'), { seconds: 3, output: ['-preset', 'veryfast'] });
});

test('a clip with nothing to change is copied: the same pictures, bit for bit', async () => {
  const output = at('out.mp4');
  const options = { source, output, quality: 'export', signal: signal() } as const;
  const { copied, cpuSeconds } = await render(editOf(1, 3), options);
  assert.deepEqual([copied, cpuSeconds], [true, 0]);
  const { streams } = await describeFile(output);
  const [video, sound] = ['video', 'audio'].map((type) =>
    streams.find(({ codec_type }) => codec_type === type),
  );
  assert.equal(Number(video?.nb_frames), 50);
  assert.ok(Math.abs(Number(sound?.duration) - 2) <= 0.05, 'sound');
  for (const time of [0, 1.96]) {
    assert.ok((await frameAt(output, time)).equals(await frameAt(source, 1 + time)));
  }
  await ffmpeg(['-f', 'lavfi', '-i', 'color=red:s=32x18', '-frames:v', '1', at('cover.jpg')]);
  const covered = await render(editOf(1, 3), { ...options, cover: at('cover.jpg') });
  assert.equal(covered.copied, true);
  const codecs = (await describeFile(output)).streams.map(({ codec_name }) => codec_name);
  assert.deepEqual(codecs, ['h264', 'aac', 'mjpeg']);
  assert.ok((await frameAt(output, 0)).equals(await frameAt(source, 1)));
});

test('a clip with a watermark, and a preview, are encoded', async () => {
  const image = at('mark.png');
  await ffmpeg(['-f', 'lavfi', '-i', 'color=red:s=20x20', '-frames:v', '1', image]);
  const watermark = { path: image, pos_x: 0, pos_y: 0, scale: 1 };
  const given = { source, output: at('encoded.mp4'), signal: signal() };
  for (const options of [{ quality: 'export', watermark }, { quality: 'preview' }] as const) {
    assert.equal((await render(editOf(1, 2), { ...given, ...options })).copied, false);
  }
});
