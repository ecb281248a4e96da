import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BarReader, findContent, isInterlaced } from '../../src/scan/picture-scan.ts';
import { makeMediaInfo } from '../../src/source/probe.ts';

const size = { width: 1920, height: 1080 };

test('bars above and below, or on both sides, are found', () => {
  const wide = findContent({ x: 0, y: 138, width: 1920, height: 804 }, size);
  assert.ok(wide && Math.abs(wide.y - 138 / 1080) < 1e-9 && wide.width === 1);
  const tall = findContent({ x: 656, y: 0, width: 608, height: 1080 }, size);
  assert.ok(tall && tall.height === 1 && Math.abs(tall.width - 608 / 1920) < 1e-9);
});

test('a dark room is not a bar, and neither is a thin dark edge', () => {
  assert.equal(findContent({ x: 600, y: 200, width: 700, height: 880 }, size), null);
  assert.equal(findContent({ x: 0, y: 8, width: 1920, height: 1064 }, size), null);
  assert.equal(findContent({ x: 0, y: 0, ...size }, size), null);
  assert.equal(findContent({ x: 900, y: 500, width: 120, height: 80 }, size), null);
});

test('the last line of cropdetect counts; lines in the names of a file do not', () => {
  const bars = new BarReader();
  bars.line('[Parsed_showinfo_1 @ 0x55] n:   0 pts: 0 pts_time:0 fmt:yuv420p s:640x360 i:P');
  bars.line('[Parsed_cropdetect_0 @ 0x55] x1:0 x2:639 y1:60 y2:299 w:640 crop=640:240:0:60');
  bars.line('[Parsed_cropdetect_0 @ 0x55] x1:0 x2:639 y1:40 y2:319 w:640 crop=640:280:0:40');
  bars.line('    title : [cropdetect @ 0] x1:0 crop=10:10:0:0');
  assert.ok(Math.abs(bars.end()!.y - 40 / 360) < 1e-9);
});

test('idet decides by most pictures', () => {
  const counts = (top: number, progressive: number) =>
    `[Parsed_idet_1 @ 0x55] Single frame detection: TFF:   ${top} BFF:     0 Progressive:  ${progressive} Undetermined:     3`;
  assert.equal(isInterlaced(counts(9, 2)), true);
  assert.equal(isInterlaced(counts(1, 20)), false);
  assert.equal(isInterlaced('[Parsed_idet_1 @ 0x55] Repeated Fields: Neither: 12'), null);
});

const video = { index: 1, codec_type: 'video', codec_name: 'h264', width: 1920, height: 1080 };

test('the first video and the default sound track are chosen, as players do', () => {
  const streams = [
    { ...video, index: 0, codec_name: 'mjpeg', disposition: { attached_pic: 1 } },
    video,
    { index: 2, codec_type: 'data' },
    { index: 3, codec_type: 'audio', codec_name: 'ac3', disposition: { default: 0 } },
    { index: 4, codec_type: 'audio', codec_name: 'aac', disposition: { default: 1 } },
  ];
  const media = makeMediaInfo({ streams }, 1);
  assert.deepEqual([media?.videoStream, media?.audioStream, media?.audioCodec], [1, 4, 'aac']);
  const none = streams.filter(({ index }) => index !== 4);
  assert.equal(makeMediaInfo({ streams: none }, 1)?.audioStream, 3);
  const theatre = { index: 5, codec_type: 'audio', codec_name: 'dts', disposition: { default: 1 } };
  assert.equal(makeMediaInfo({ streams: [theatre, ...streams] }, 1)?.audioStream, 4);
  assert.equal(makeMediaInfo({ streams: [theatre, video] }, 1)?.audioCodec, 'dts');
});

test('the header says how brightness and fields are coded', () => {
  const of = (more: object) => makeMediaInfo({ streams: [{ ...video, ...more }] }, 1);
  assert.equal(of({ color_transfer: 'smpte2084' })?.transfer, 'pq');
  assert.equal(of({ color_transfer: 'arib-std-b67' })?.transfer, 'hlg');
  assert.equal(of({ color_transfer: 'bt709' })?.transfer, undefined);
  assert.deepEqual(
    ['tt', 'tb', 'bb', 'progressive', undefined].map(
      (field) => of({ field_order: field })?.firstField,
    ),
    ['top', 'top', 'bottom', undefined, undefined],
  );
});
