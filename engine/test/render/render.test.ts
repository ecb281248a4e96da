import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { analyse } from '../../src/scan/analyse.ts';
import { type Analysis, type IngestedSource } from '../../src/facts.ts';
import { editWhole } from '../../src/editing/make-edit.ts';
import { type Edit } from '../../src/edit.ts';
import { mediaInfoOf, probe } from '../../src/source/probe.ts';
import { render, type RenderOptions } from '../../src/render/render.ts';
import { sentencesOf } from '../../src/words/transcript.ts';
import {
  describeFile,
  ffmpeg,
  film,
  frameAt,
  temporaryDirectory,
  turnedCopy,
} from '../support/media-footage.ts';

const directory = await temporaryDirectory();
const at = (name: string) => join(directory.path, name);
const signal = () => new AbortController().signal;
const dimensions = { width: 180, height: 320 };
const bare = {
  captions: false,
  reframe: true,
  emojis: false,
  intro_title: false,
  remove_silences: false,
};

const sourceOf = async (path: string, duration: number): Promise<IngestedSource> => ({
  path,
  transcriptPath: null,
  media: mediaInfoOf(await probe(path, signal()), duration)!,
  sha256: '',
  bytes: 0,
});

let source: IngestedSource;
let analysis: Analysis;
/** One second, for what is the same in every frame. */
let brief: IngestedSource;
let briefAnalysis: Analysis;

before(async () => {
  source = await sourceOf(
    await film(at('film.mp4'), { seconds: 6, rate: '10', output: ['-g', '10'] }),
    6,
  );
  analysis = await analyse(source, { signal: signal() });
  brief = await sourceOf(await film(at('brief.mp4'), { seconds: 1, rate: '10' }), 1);
  briefAnalysis = await analyse(brief, { signal: signal() });
});

after(() => directory.remove());

/**
 * Renders, and checks what is true for every render: streams, size, duration within a frame, index
 * at the front.
 */
async function made(edit: Edit, options: Partial<RenderOptions> = {}, name = 'out.mp4') {
  const output = at(name);
  const given = { source: source.path, output, quality: 'export' as const, signal: signal() };
  const rendered = await render(edit, { ...given, ...options });
  const { streams, format } = await describeFile(output);
  const video = streams.find((stream) => stream.codec_type === 'video')!;
  const sound = streams.find((stream) => stream.codec_type === 'audio')!;
  assert.deepEqual([video.codec_name, video.pix_fmt, sound.codec_name], ['h264', 'yuv420p', 'aac']);
  const frame = 1 / edit.frameRate + 0.001;
  assert.ok(Math.abs(Number(format.duration) - edit.duration) <= frame, format.duration);
  assert.equal(Number(video.nb_frames), Math.round(edit.duration * edit.frameRate));
  assert.ok(Math.abs(Number(video.duration) - Number(sound.duration)) <= frame);
  const bytes = await readFile(output);
  assert.ok(bytes.indexOf('moov') < bytes.indexOf('mdat'), 'the index is at the front');
  assert.equal(rendered.bytes, bytes.length);
  assert.ok(rendered.cpuSeconds > 0);
  assert.ok((await readdir(directory.path)).every((entry) => !entry.startsWith('.')));
  return { output, video, rendered };
}

const editWith = (editing: Partial<typeof bare> = {}, changes: Partial<Analysis> = {}) =>
  editWhole(
    { ...analysis, ...changes },
    { editing: { ...bare, ...editing }, dimensions, title: 'A title' },
  );

test('a film is scanned: each quiet second is found, and how loud the others are', () => {
  assert.equal(analysis.silences.length, 3);
  analysis.silences.forEach(({ start, end }, index) => {
    assert.ok(Math.abs(start - (2 * index + 1)) < 0.06, `${start}`);
    assert.ok(Math.abs(end - (2 * index + 2)) < 0.06, `${end}`);
  });
  assert.ok(Math.abs(analysis.loudness.values.length - 12) <= 1);
  assert.ok(analysis.focus.length >= 5);
});

test('a plain cut to the requested size', async () => {
  const shares: number[] = [];
  const { video } = await made(editWith(), { onProgress: (share) => shares.push(share) });
  assert.deepEqual([video.width, video.height], [180, 320]);
  assert.equal(shares.at(-1), 1);
});

test('odd sizes are one pixel smaller, in any framing', async () => {
  for (const reframe of [true, false]) {
    const odd = editWhole(briefAnalysis, {
      editing: { ...bare, reframe },
      dimensions: { width: 181, height: 243 },
      title: '',
    });
    const { video } = await made(odd, { source: brief.path });
    assert.deepEqual([video.width, video.height], [180, 242]);
  }
});

test('captions, title and emoji are in the picture', async () => {
  const words = ['Bees', 'like', 'honey.'].map((text, index) => ({
    text,
    start: 3.2 + index * 0.6,
    end: 3.7 + index * 0.6,
  }));
  const transcript = { language: 'en', words, sentences: sentencesOf(words, 'en') };
  const { output: without } = await made(editWith(), {}, 'without.mp4');
  const edit = editWith({ captions: true, emojis: true, intro_title: true }, { transcript });
  const { output } = await made(edit, {}, 'with.mp4');
  const differing = async (seconds: number, from: number, to: number) => {
    const [a, b] = await Promise.all([frameAt(without, seconds), frameAt(output, seconds)]);
    let count = 0;
    for (let index = from * 180 * 3; index < to * 180 * 3; index++) {
      if (Math.abs(a[index]! - b[index]!) > 60) count++;
    }
    return count;
  };
  assert.ok((await differing(1, 10, 90)) > 500, 'the title above');
  assert.ok((await differing(3.4, 160, 260)) > 200, 'the captions below');
  assert.ok((await differing(3.4, 10, 90)) < 100, 'no title after three seconds');
  assert.ok((await differing(5.7, 160, 260)) < 100, 'no captions after the last word');
});

test('removed silences: shorter by them, and sound stays with the picture', async () => {
  const edit = editWith({ remove_silences: true });
  assert.ok(edit.ranges.length === 3 && edit.duration < 4.1 && edit.duration > 2.9);
  const { output } = await made(edit, {}, 'short.mp4');
  const { streams } = await describeFile(output);
  const [video, sound] = streams.map((stream) => Number(stream.duration));
  assert.ok(Math.abs(video! - sound!) <= 1 / edit.frameRate, `${video} and ${sound}`);
  // The tone starts again at each kept range, within a few milliseconds of the edit's time.
  const samples = new Int16Array(
    new Uint8Array(await ffmpeg(['-i', output, '-ac', '1', '-ar', '8000', '-f', 's16le', 'pipe:1']))
      .buffer,
  );
  let passed = 0;
  for (const range of edit.ranges.slice(0, -1)) {
    passed += range.end - range.start;
    const level = (from: number, to: number) =>
      samples.subarray(from * 8000, to * 8000).reduce((most, s) => Math.max(most, Math.abs(s)), 0);
    assert.ok(level(passed - 0.08, passed - 0.02) < 1000, 'quiet before the join');
    assert.ok(level(passed + 0.14, passed + 0.3) > 1000, 'heard after the join');
  }
});

test('the watermark is at the requested position, to the pixel', async () => {
  const watermark = at('mark.png');
  await ffmpeg([
    '-f',
    'lavfi',
    '-i',
    'color=white:s=60x60,format=rgba,crop=41:27',
    '-frames:v',
    '1',
    '-pix_fmt',
    'rgba',
    watermark,
  ]);
  const dark = await sourceOf(
    await film(at('dark.mp4'), { seconds: 1, video: 'color=0x202020:s=320x180:r=5' }),
    1,
  );
  const scanned = await analyse(dark, { signal: signal() });
  const edit = editWhole(scanned, { editing: bare, dimensions, title: '' });
  for (const [pos_x, pos_y, scale] of [
    [0, 0, 1],
    [1, 1, 1],
    [0.5, 0.5, 1],
    [0.25, 0.75, 2],
  ] as const) {
    const image = { path: watermark, pos_x, pos_y, scale };
    const { output } = await made(edit, { source: dark.path, watermark: image }, 'marked.mp4');
    const frame = await frameAt(output, 0.5);
    const [w, h] = [41 * scale, 27 * scale];
    const box = { x: Math.round(pos_x * (180 - w)), y: Math.round(pos_y * (320 - h)) };
    const inside = (x: number, y: number) =>
      x >= box.x && x < box.x + w && y >= box.y && y < box.y + h;
    for (let y = 0; y < 320; y++) {
      for (let x = 0; x < 180; x++) {
        const green = frame[(y * 180 + x) * 3 + 1]!;
        const fits = inside(x, y) ? green > 140 : green < 140;
        assert.ok(fits, `${green} at ${x},${y} with the image at ${JSON.stringify(box)}`);
      }
    }
  }
});

test('the watermark keeps its colour', async () => {
  const path = at('red.png');
  await ffmpeg(['-f', 'lavfi', '-i', 'color=red:s=41x27', '-frames:v', '1', path]);
  const image = { path, pos_x: 0.5, pos_y: 0.5, scale: 1 };
  const edit = editWhole(briefAnalysis, { editing: bare, dimensions, title: '' });
  const { output } = await made(edit, { source: brief.path, watermark: image }, 'red.mp4');
  const frame = await frameAt(output, 0.5);
  const middle = [...frame.subarray((160 * 180 + 90) * 3, (160 * 180 + 91) * 3)];
  [255, 0, 0].forEach((wanted, index) => {
    assert.ok(Math.abs(middle[index]! - wanted) < 12, middle.join());
  });
});

test('a source without sound is given silence', async () => {
  const mute = await sourceOf(await film(at('mute.mp4'), { seconds: 1, sound: false }), 1);
  const scanned = await analyse(mute, { signal: signal() });
  assert.deepEqual(scanned.silences, []);
  await made(editWhole(scanned, { editing: bare, dimensions, title: '' }), { source: mute.path });
});

test('a turned source, of uneven rate, is upright and even', async () => {
  const uneven = at('uneven.mkv');
  await film(uneven, {
    seconds: 2,
    rate: '30000/1001',
    output: ['-vf', "select='not(eq(mod(n,7),3))'", '-fps_mode', 'vfr'],
  });
  const turned = at('turned.mp4');
  await turnedCopy(uneven, turned);
  const scanned = await analyse(await sourceOf(turned, 2), { signal: signal() });
  assert.deepEqual([scanned.media.width, scanned.media.height], [180, 320]);
  const edit = editWhole(scanned, { editing: bare, dimensions, title: '' });
  assert.deepEqual(edit.framing, { mode: 'crop', x: 0, y: 0, width: 180, height: 320 });
  await made(edit, { source: turned });
});

test('a source whose sound outlasts its picture keeps both side by side', async () => {
  const path = at('tail.mp4');
  // prettier-ignore
  await ffmpeg([
    '-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25:d=1', '-f', 'lavfi', '-i', 'sine=d=2',
    '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', path,
  ]);
  const scanned = await analyse(await sourceOf(path, 2), { signal: signal() });
  await made(editWhole(scanned, { editing: bare, dimensions, title: '' }), { source: path });
});

test('a preview is a small render of the same edit', async () => {
  const large = editWhole(briefAnalysis, {
    editing: bare,
    dimensions: { width: 540, height: 960 },
    title: '',
  });
  const { video } = await made(large, { source: brief.path, quality: 'preview' });
  assert.deepEqual([video.width, video.height], [360, 640]);
});

const execute = promisify(execFile);
async function running(mark: string): Promise<string[]> {
  const { stdout } = await execute('ps', ['-eo', 'pid,stat,args']).catch(() => ({ stdout: '' }));
  return stdout.split('\n').filter((line) => line.includes(mark) && /ffmpeg/.test(line));
}

test('an abort stops the render, and leaves no process and no file', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  const long = { ...editWith(), dimensions: { width: 1080, height: 1920 } };
  const output = at('aborted.mp4');
  const rendering = render(long, {
    source: source.path,
    output,
    quality: 'export',
    signal: controller.signal,
    onProgress: () => controller.abort(reason),
  });
  await assert.rejects(rendering, (error) => error === reason);
  await assert.rejects(stat(output));
  assert.ok((await readdir(directory.path)).every((entry) => !entry.startsWith('.')));
  assert.deepEqual(await running(directory.path), []);
});

test('a source that is no longer a film fails with a reason without a path', async () => {
  const output = at('failed.mp4');
  await writeFile(at('text.mp4'), 'no film');
  const rendering = render(editWith(), {
    source: at('text.mp4'),
    output,
    quality: 'export',
    signal: signal(),
  });
  await assert.rejects(rendering, (error: Error) => {
    assert.doesNotMatch(error.message, new RegExp(directory.path));
    return true;
  });
  await assert.rejects(stat(output));
});
