import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { describeFile, ffmpeg, makeVideo, temporaryDirectory } from 'clip-testkit/media-footage';
import { plainEdit } from 'clip-testkit/plain-edit';
import type { Edit } from '../../src/edit.ts';
import { BumperError, readBumperFile } from '../../src/render/bumper-file.ts';
import { render } from '../../src/render/render.ts';

const directory = await temporaryDirectory();
const at = (name: string) => join(directory.path, name);
const { signal } = new AbortController();
after(() => directory.remove());

/** Stores a file as the service does, in a directory of its own. */
async function stored(name: string, seconds?: number) {
  await mkdir(at(`${name}-stored`), { recursive: true });
  const output = at(`${name}-stored/bumper.mp4`);
  return { path: output, ...(await readBumperFile(at(name), { output, seconds, signal })) };
}

let source: string;
let intro: string;
let card: string;
before(async () => {
  source = await makeVideo(at('video.mp4'), { seconds: 3, output: ['-preset', 'veryfast'] });
  // prettier-ignore
  await ffmpeg([
    '-f', 'lavfi', '-i', 'color=red:s=320x180:r=30', '-f', 'lavfi', '-i', 'sine=f=9000:r=44100',
    '-t', '1', '-metadata', 'title=Secret', at('intro.mov'),
  ]);
  await ffmpeg(['-f', 'lavfi', '-i', 'color=lime:s=108x192', '-frames:v', '1', at('card.png')]);
  intro = (await stored('intro.mov')).path;
  card = (await stored('card.png', 2)).path;
});

const editOf = (changes: Partial<Edit> = {}): Edit =>
  plainEdit({
    source: { width: 320, height: 180, frameRate: 25, hasAudio: true },
    ranges: [{ start: 0.5, end: 2.5 }],
    dimensions: { width: 108, height: 192 },
    ...changes,
  });
const named = { intro: { id: 'i' }, outro: { id: 'o' } };
async function rendered(edit: Edit, more: Partial<Parameters<typeof render>[1]> = {}) {
  const output = at(`${Math.random()}.mp4`);
  const bumpers = { intro, outro: card };
  const given = { source, output, quality: 'export' as const, signal, bumpers, ...more };
  return { output, ...(await render(edit, given)) };
}

const middle = 'iw:ih/4:0:3*ih/8';
/** The mean colour of a part of the picture at a time, as red, green and blue. */
async function colourAt(path: string, seconds: number, crop = middle): Promise<number[]> {
  const filters = `crop=${crop},scale=1:1:flags=area:in_color_matrix=bt709,format=rgb24`;
  // prettier-ignore
  const raw = await ffmpeg([
    '-ss', seconds.toFixed(3), '-i', path, '-vf', filters, '-frames:v', '1', '-f', 'rawvideo', '-',
  ]);
  return [...raw];
}
const isNear = (one: readonly number[], other: readonly number[]) =>
  one.every((value, index) => Math.abs(value - other[index]!) < 24);
const [red, lime] = [
  [254, 0, 0],
  [0, 254, 0],
];

/** The samples of a part of a file's sound, mono. */
async function samplesOf(path: string, from: number, to: number, filter = 'anull') {
  const cut = `atrim=${from}:${to},asetpts=PTS-STARTPTS,${filter}`;
  // prettier-ignore
  const raw = await ffmpeg([
    '-i', path, '-af', cut, '-ac', '1', '-ar', '48000', '-f', 'f32le', '-c:a', 'pcm_f32le', '-',
  ]);
  return new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length));
}
const levelOf = (samples: Float32Array) =>
  10 * Math.log10(samples.reduce((sum, one) => sum + one * one, 0) / samples.length + 1e-12);
const toneIn = async (path: string, from: number, to: number) =>
  levelOf(await samplesOf(path, from, to, 'bandpass=f=9000:width_type=h:w=100'));

test('an export plays the intro, the clip and the end card, each for its time', async () => {
  const shares: number[] = [];
  const made = await rendered(editOf(named), { onProgress: (share) => shares.push(share) });
  assert.equal(made.duration, 5);
  const video = (await describeFile(made.output)).streams[0]!;
  assert.deepEqual([Number(video.nb_frames), video.width, video.height], [125, 108, 192]);
  for (const time of [0, 0.96]) assert.ok(isNear(await colourAt(made.output, time), red!), 'intro');
  for (const time of [3, 4.96]) assert.ok(isNear(await colourAt(made.output, time), lime!), 'card');
  const plain = await rendered(editOf());
  for (const time of [0, 1, 1.96]) {
    const [one, other] = [
      await colourAt(made.output, 1 + time, 'iw/3:ih/6:0:ih/2'),
      await colourAt(plain.output, time, 'iw/3:ih/6:0:ih/2'),
    ];
    assert.ok(isNear(one, other), `${one} and ${other} at ${time}`);
  }
  assert.ok((await toneIn(made.output, 0.1, 0.9)) > -30, 'the intro is heard');
  assert.ok((await toneIn(made.output, 1.1, 2.9)) < -50, 'and ends with its picture');
  assert.ok(levelOf(await samplesOf(made.output, 3.1, 5)) < -80, 'a picture is silent');
  assert.ok(shares.every((share, index) => index === 0 || share >= shares[index - 1]!));
  assert.equal(shares.at(-1), 1);
});

test('the sound of the clip stays with its picture, to the sample', async () => {
  const [made, plain] = [await rendered(editOf(named)), await rendered(editOf())];
  const [one, other] = [
    await samplesOf(made.output, 1.2, 2.8),
    await samplesOf(plain.output, 0.2, 1.8),
  ];
  const off = one.reduce((sum, value, index) => sum + (value - other[index]!) ** 2, 0);
  const all = other.reduce((sum, value) => sum + value ** 2, 0);
  assert.ok(off < all / 100, `${off} of ${all}`);
});

test('a bumper of another shape is whole, on a blurred ground', async () => {
  const { output } = await rendered(editOf({ intro: named.intro }));
  // 108 by 61 pixels of red in the middle: the ground is darker.
  const [shown, above] = [await colourAt(output, 0.5), await colourAt(output, 0.5, 'iw:ih/4:0:0')];
  assert.ok(isNear(shown, red!), `${shown}`);
  assert.ok(above[0]! < shown[0]! - 15 && above[0]! > 100, `${above}`);
  assert.ok(!isNear(await colourAt(output, 2.9), lime!), 'there is no outro');
});

test('a preview plays the clip alone', async () => {
  const made = await rendered(editOf(named), { quality: 'preview' });
  assert.equal(made.duration, 2);
});

test('a clip that could be copied is encoded with bumpers', async () => {
  const size = { width: 320, height: 180 };
  const whole: Partial<Edit> = {
    ...{ ranges: [{ start: 1, end: 3 }], dimensions: size },
    framing: { mode: 'crop', x: 0, y: 0, ...size },
  };
  assert.equal((await rendered(editOf(whole))).copied, true);
  const made = await rendered(editOf({ ...whole, outro: named.outro }));
  assert.deepEqual([made.copied, made.duration], [false, 4]);
});

test('music, emojis, a watermark and a wave are of the clip alone', async () => {
  await ffmpeg(['-f', 'lavfi', '-i', 'color=blue:s=40x40', '-frames:v', '1', at('mark.png')]);
  await ffmpeg(['-f', 'lavfi', '-i', 'sine=f=6000', '-t', '7', at('music.m4a')]);
  const edit = editOf({
    ...named,
    music: { id: 'm', levelDb: 10, speech: [] },
    emojis: [{ start: 0, end: 2, emoji: '🐝' }],
    title: { text: 'Only here', end: 2 },
  });
  const watermark = { path: at('mark.png'), pos_x: 0, pos_y: 0, scale: 1 };
  const made = await rendered(edit, { watermark, music: at('music.m4a') });
  assert.equal(made.duration, 5);
  const corner = '10:10:2:2';
  assert.ok(isNear(await colourAt(made.output, 2, corner), [0, 0, 254]), 'the watermark');
  assert.ok(isNear(await colourAt(made.output, 4, corner), lime!));
  const music = 'bandpass=f=6000:width_type=h:w=100';
  assert.ok(levelOf(await samplesOf(made.output, 1.6, 2.4, music)) > -40);
  assert.ok(levelOf(await samplesOf(made.output, 0, 0.9, music)) < -50);
  const sound = { ...edit.source, soundAlone: 'wave' as const };
  const wave = await rendered(editOf({ ...named, source: sound }));
  assert.ok(isNear(await colourAt(wave.output, 0.5), red!));
  assert.equal(wave.duration, 5);
});

test('the cover stays that of the clip', async () => {
  await ffmpeg(['-f', 'lavfi', '-i', 'color=blue:s=32x32', '-frames:v', '1', at('cover.jpg')]);
  const { output } = await rendered(editOf(named), { cover: at('cover.jpg') });
  const codecs = (await describeFile(output)).streams.map(({ codec_name }) => codec_name);
  assert.deepEqual(codecs, ['h264', 'aac', 'mjpeg']);
});

test('an export without the file of its bumper is an error', async () => {
  await assert.rejects(
    rendered(editOf(named), { bumpers: { intro } }),
    /^Error: The edit has an outro, whose file is not here/,
  );
});

test('a stored bumper is MP4 at -14 LUFS, and nothing else of the file is in it', async () => {
  const { format, streams } = await describeFile(intro);
  assert.deepEqual(
    streams.map(({ codec_name }) => codec_name),
    ['h264', 'aac'],
  );
  assert.doesNotMatch(JSON.stringify({ format, streams }), /Secret/);
  // A tone at -14 LUFS: K-weighting raises 9 kHz by 4 dB.
  assert.ok(Math.abs(levelOf(await samplesOf(intro, 0.1, 0.9)) + 18) < 3);
  await ffmpeg(['-f', 'lavfi', '-i', 'color=red:s=2600x1400:r=5', '-t', '1', at('large.webm')]);
  const large = await stored('large.webm');
  const { width, height } = (await describeFile(large.path)).streams[0]!;
  assert.deepEqual([width, height, large.seconds], [1920, 1032, 1]);
});

test('what is transparent in a picture is black', async () => {
  const half = 'color=white@0.5:s=200x200,format=rgba';
  await ffmpeg(['-f', 'lavfi', '-i', half, '-frames:v', '1', at('half.png')]);
  const { path, seconds } = await stored('half.png');
  assert.equal(seconds, 4);
  assert.ok(isNear(await colourAt(path, 3.9), [127, 127, 127]));
});

test('what is no bumper is refused with a sentence, and leaves no file', async () => {
  const colour = (size: string) => ['-f', 'lavfi', '-i', `color=red:s=${size}:r=5`];
  await ffmpeg([...colour('128x72'), '-t', '16', at('long.mp4')]);
  await ffmpeg([...colour('128x72'), '-t', '0.4', at('short.mp4')]);
  await ffmpeg([...colour('32x32'), '-t', '1', at('small.mp4')]);
  await ffmpeg([...colour('32x32'), '-frames:v', '1', at('small.png')]);
  await ffmpeg(['-f', 'lavfi', '-i', 'sine', '-t', '2', at('sound.mp3')]);
  await writeFile(at('page.mp4'), '<!doctype html><p>404');
  await writeFile(at('list.mp4'), '#EXTM3U\n/etc/passwd\n');
  await writeFile(at('vector.png'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(at('broken.mp4'), (await readFile(at('long.mp4'))).subarray(0, 900));
  await writeFile(at('cut.png'), await readFile(at('card.png')));
  await truncate(at('cut.png'), 60);
  const invalid: [string, RegExp][] = [
    ['long.mp4', /must be 0\.5 to 15 seconds/],
    ['short.mp4', /must be 0\.5 to 15 seconds/],
    ['small.mp4', /at least 64 pixels/],
    ['small.png', /at least 64 pixels/],
    ['sound.mp3', /has no picture/],
    ['broken.mp4', /is incomplete/],
    ...['page.mp4', 'list.mp4', 'vector.png', 'cut.png'].map((name): [string, RegExp] => [
      name,
      /cannot be read as a video or a picture/,
    ]),
  ];
  for (const [name, why] of invalid) {
    await assert.rejects(stored(name), (error: Error) => {
      assert.ok(error instanceof BumperError, `${name}: ${error.stack}`);
      assert.match(error.message, why, name);
      assert.ok(!error.message.includes(directory.path));
      return true;
    });
    assert.equal(existsSync(at(`${name}-stored/bumper.mp4`)), false, name);
  }
  await assert.rejects(stored('intro.mov', 3), /Leave out `seconds`/);
});
