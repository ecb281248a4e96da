import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFocus, KeyframeReader, scanSize } from '../../src/scan/picture-scan.ts';
import { findLastPacketEnd, makeMediaInfo, findSubtitlePosition } from '../../src/source/probe.ts';
import { createRateMeter } from '../../src/scan/scan-measures.ts';
import { SoundReader } from '../../src/scan/sound-scan.ts';
import { dice, quietAnalysis } from 'clip-testkit/media-analysis';

test('words of a video’s title are not words of ffmpeg’s', () => {
  const keyframes = new KeyframeReader();
  keyframes.line('    title           : [Parsed_showinfo_1 @ 0x1] n:   0 pts: 0 pts_time:4');
  assert.equal(keyframes.seconds, 0);
  keyframes.line('[Parsed_showinfo_2 @ 0x1] n:   0 pts: 0 pts_time:4   pos: 1');
  assert.equal(keyframes.seconds, 4);
});

test('samples are read in pieces of any size; nothing is -70', () => {
  const reader = new SoundReader();
  const samples = Int16Array.from({ length: 16_000 }, (_, at) => {
    if (at < 8000) return 0;
    return at % 2 ? 5107 : -5107;
  });
  const bytes = Buffer.from(samples.buffer);
  for (let at = 0; at < bytes.length; at += 333) reader.read(bytes.subarray(at, at + 333));
  assert.equal(reader.seconds, 1);
  const { silences, loudness } = reader.end(1.5);
  assert.deepEqual(loudness, { step: 0.5, values: [-70, -16.1] });
  assert.deepEqual(silences, [
    { start: 0, end: 0.5 },
    { start: 1, end: 1.5 },
  ]);
});

const picture = (paint: (x: number, y: number) => number) =>
  Uint8Array.from({ length: scanSize.width * scanSize.height }, (_, at) =>
    paint(at % scanSize.width, Math.floor(at / scanSize.width)),
  );

test('a change of scene between keyframes is a cut', () => {
  const reader = new KeyframeReader();
  const dark = picture(() => 20);
  const light = picture(() => 200);
  const all = Buffer.concat([dark, dark, light, light]);
  for (const time of [0, 2, 4, 6])
    reader.line(`[Parsed_showinfo_2 @ 0x1] n:   0 pts:0 pts_time:${time}   pos:1`);
  reader.read(all.subarray(0, 3001));
  reader.read(all.subarray(3001));
  assert.deepEqual(reader.end().cuts, [4]);
});

test('the eye is drawn to what moves, else to edges, else to the middle', () => {
  const still = picture((x) => (x > 10 && x < 16 ? 255 : 0));
  const moved = picture((x) => ((x > 10 && x < 16) || (x > 50 && x < 58) ? 255 : 0));
  assert.ok(findFocus(still, null).x < 0.3);
  assert.ok(findFocus(moved, still).x > 0.7);
  assert.deepEqual(
    findFocus(
      picture(() => 9),
      null,
    ),
    { x: 0.5, y: 0.5 },
  );
});

const stream = { codec_type: 'video', codec_name: 'h264', width: 1920, height: 1080 };

test('size is as shown: turned videos and pixels that are not square', () => {
  const turned = { streams: [{ ...stream, side_data_list: [{ rotation: -90 }] }] };
  assert.deepEqual(
    [makeMediaInfo(turned, 1)?.width, makeMediaInfo(turned, 1)?.height],
    [1080, 1920],
  );
  const wide = { streams: [{ ...stream, width: 720, height: 576, sample_aspect_ratio: '16:11' }] };
  assert.equal(makeMediaInfo(wide, 1)?.width, 1047);
});

test('text subtitles are found among pictured ones, in the wanted language if there are some', () => {
  const streams = [
    { codec_type: 'subtitle', codec_name: 'dvd_subtitle', tags: { language: 'ger' } },
    { codec_type: 'subtitle', codec_name: 'subrip', tags: { language: 'eng' } },
    { codec_type: 'subtitle', codec_name: 'subrip', tags: { language: 'ger' } },
  ];
  assert.equal(findSubtitlePosition({ streams }), 1);
  assert.equal(findSubtitlePosition({ streams }, 'de-CH'), 2);
  assert.equal(findSubtitlePosition({ streams }, 'fr'), 1);
  assert.equal(findSubtitlePosition({ streams: streams.slice(0, 1) }), null);
});

test('the last packet’s end is the latest of all, whatever their order', () => {
  const lines = ['1.0,0.9,0.04', '3.0,2.9,0.5', '2.9,N/A,N/A', 'N/A,N/A,N/A', ''];
  assert.equal(findLastPacketEnd(lines), 3.5);
  assert.equal(findLastPacketEnd([...lines, 'N/A,3.4,0.2']), 3.6);
});

test('movement is the video’s, however many keyframes its encoder made', () => {
  const random = dice(7);
  const places = Array.from({ length: 600 }, (_, time) => ({ time, x: random(), y: random() }));
  const rates = [1, 2, 4, 10].map((apart) => {
    const focus = places.filter(({ time }) => time % apart === 0);
    return createRateMeter(quietAnalysis(600, { focus }))(0, 600);
  });
  for (const rate of rates) {
    assert.ok(rate > 0.8 * rates[0]! && rate < 1.2 * rates[0]!, rates.join(' '));
  }
  const still = places.map(({ time }) => ({ time, x: 0.5, y: 0.5 }));
  assert.equal(createRateMeter(quietAnalysis(600, { focus: still }))(0, 600), 0);
});
