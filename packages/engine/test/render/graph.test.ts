import assert from 'node:assert/strict';
import { test } from 'node:test';
import { balanceLines } from '../../src/captions/caption-layout.ts';
import { writeAssDocument, formatAssTime } from '../../src/captions/ass.ts';
import { readProgressSeconds, withoutPaths } from '../../src/program/ffmpeg-process.ts';
import { decodeGuard } from '../../src/program/input-guard.ts';
import { filterGraph, placeImage } from '../../src/render/filter-graph.ts';
import { makeWholeEdit } from '../support/whole-edit.ts';
import { renderArguments, renderSize } from '../../src/render/encoding.ts';
import { readBenchmarkSeconds } from '../../src/render/render.ts';
import { listSubtitleUrls } from '../../src/source/subtitle-source.ts';
import { spokenAnalysis } from 'clip-testkit/media-analysis';
import { editingWith } from 'clip-testkit/plain-edit';

const edit = makeWholeEdit(spokenAnalysis(['One two three.', 'Four {five} six.']), {
  editing: editingWith('captions', 'emojis', 'intro_title', 'reframe', 'remove_silences'),
  dimensions: { width: 1080, height: 1920 },
  title: 'A {title} with \\N in it',
});

const opened = { input: [...decodeGuard, '-i', '/x/source'], clockSeconds: 0 };

test('each word is one event, and the line stands still while the colour walks', () => {
  const events = writeAssDocument(edit)
    .split('\n')
    .filter((line) => line.startsWith('Dialogue: 0'));
  assert.equal(events.length, 6);
  const bare = events.map((line) =>
    line
      .split(',,')
      .at(-1)
      ?.replace(/\{\\[^}]*\}/g, ''),
  );
  assert.deepEqual(bare.slice(0, 3), Array(3).fill('One two three.'));
});

test('a line that makes way for a face stands elsewhere, by an alignment and a margin of its own', () => {
  const [first, ...others] = edit.captions;
  const moved = { ...edit, captions: [{ ...first!, position: 'upper' as const }, ...others] };
  const events = writeAssDocument(moved)
    .split('\n')
    .filter((line) => line.startsWith('Dialogue: 0'));
  const high = events.filter((line) => line.includes('\\an8'));
  assert.equal(high.length, first!.words.length);
  for (const line of high) assert.match(line, /,Caption,,0,0,[1-9]\d*,,/);
  for (const line of events.filter((one) => !high.includes(one)))
    assert.match(line, /,Caption,,0,0,0,,/);
});

test('times of captions are hundredths', () => {
  assert.equal(formatAssTime(3725.678), '1:02:05.68');
  assert.equal(formatAssTime(59.999), '0:01:00.00');
});

test('a title’s lines are about the same length', () => {
  const lines = balanceLines('What matters is kept, and the rest is thrown away', 24);
  assert.ok(lines.every((line) => line.length <= 24));
  const lengths = lines.map((line) => line.length);
  assert.ok(Math.max(...lengths) - Math.min(...lengths) < 10, lines.join(' | '));
});

test('the graph cuts sound and picture at the same instants', () => {
  const graph = filterGraph(edit, opened, edit.dimensions, { captions: true, overlays: [] });
  const cuts = [...graph.matchAll(/trim=start_frame=(\d+):end_frame=(\d+)/g)];
  assert.ok(cuts.length >= 2);
  assert.ok(graph.includes('anullsrc'), 'a source without sound gets silence');
  const withSound = filterGraph(
    { ...edit, source: { ...edit.source, hasAudio: true } },
    opened,
    edit.dimensions,
    { captions: true, overlays: [] },
  );
  const sounds = [...withSound.matchAll(/atrim=start=([\d.]+):end=([\d.]+)/g)];
  assert.deepEqual(
    sounds.map((cut) => [Number(cut[1]), Number(cut[2])]),
    cuts.map((cut) => [Number(cut[1]) / edit.frameRate, Number(cut[2]) / edit.frameRate]),
  );
});

test('an image’s place is its share of the free space', () => {
  const image = { width: 100, height: 50 };
  const output = { width: 1080, height: 1920 };
  const at = (pos_x: number, pos_y: number, scale = 1) =>
    placeImage(image, { pos_x, pos_y, scale }, output);
  assert.deepEqual(at(0, 0), { x: 0, y: 0, width: 100, height: 50 });
  assert.deepEqual(at(1, 1), { x: 980, y: 1870, width: 100, height: 50 });
  assert.deepEqual(at(0.5, 0.5, 2), { x: 440, y: 910, width: 200, height: 100 });
  assert.equal(at(0.5, 0, 20).x, -460);
});

test('no path stands in the graph, and the source stands behind the guards', () => {
  const files = { opened, output: '/x/part.mp4', images: ['/x/w.png'] };
  const args = renderArguments(edit, files, '-/filter_complex', 'export');
  const source = args.indexOf('/x/source');
  for (const guard of [
    '-protocol_whitelist',
    '-format_whitelist',
    '-codec_whitelist',
    '-max_pixels',
  ]) {
    assert.ok(args.indexOf(guard) >= 0 && args.indexOf(guard) < source, guard);
  }
  assert.ok(args.includes('-nostdin') && args.includes('+faststart'));
});

test('a preview is about 360 wide, of the same shape, with even sides', () => {
  assert.deepEqual(renderSize(edit, 'preview'), { width: 360, height: 640 });
  const wide = { ...edit, dimensions: { width: 1918, height: 1080 } };
  assert.deepEqual(renderSize(wide, 'preview'), { width: 360, height: 202 });
  const small = { ...edit, dimensions: { width: 320, height: 568 } };
  assert.deepEqual(renderSize(small, 'preview'), small.dimensions);
});

test('what ffmpeg says of its work is read', () => {
  assert.equal(readBenchmarkSeconds('bench: utime=1.500s stime=0.250s rtime=2.000s'), 1.75);
  assert.equal(readProgressSeconds('frame=1\nout_time_us=2500000\n'), 2.5);
  assert.equal(readBenchmarkSeconds('x'), null);
});

test('messages hold no paths', () => {
  assert.equal(withoutPaths('/data/jobs/7/source: Invalid data'), 'source: Invalid data');
  assert.equal(withoutPaths("Error opening 'file:/a/b/c.mp4'"), "Error opening 'c.mp4'");
});

test('subtitles are looked for at the video’s own path', () => {
  assert.deepEqual(listSubtitleUrls('https://a.example/v/video.mp4?sig=1'), [
    'https://a.example/v/video.vtt?sig=1',
    'https://a.example/v/video.srt?sig=1',
    'https://a.example/v/video.mp4.vtt?sig=1',
    'https://a.example/v/video.mp4.srt?sig=1',
    'https://a.example/v/video.ass?sig=1',
    'https://a.example/v/video.ssa?sig=1',
    'https://a.example/v/video.sbv?sig=1',
    'https://a.example/v/video.ttml?sig=1',
  ]);
  assert.deepEqual(listSubtitleUrls('https://a.example/video'), []);
  assert.deepEqual(listSubtitleUrls('https://a.example/video.mp4', 'de-CH'), [
    'https://a.example/video.de-CH.vtt',
    'https://a.example/video.de-CH.srt',
    'https://a.example/video.de.vtt',
    'https://a.example/video.de.srt',
    'https://a.example/video.vtt',
    'https://a.example/video.srt',
    'https://a.example/video.mp4.vtt',
    'https://a.example/video.mp4.srt',
    'https://a.example/video.ass',
    'https://a.example/video.ssa',
    'https://a.example/video.sbv',
    'https://a.example/video.ttml',
  ]);
});
