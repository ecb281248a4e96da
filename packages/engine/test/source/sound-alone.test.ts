import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeWholeEdit } from '../support/whole-edit.ts';
import type { Edit } from '../../src/edit.ts';
import type { SourceFile } from '../../src/facts.ts';
import { renderSourcePicture } from '../../src/render/source-pictures.ts';
import { editSchema } from '../../src/editing/edit-schema.ts';
import { renderPoster } from '../../src/render/poster.ts';
import { render } from '../../src/render/render.ts';
import { analyse } from '../../src/scan/analyse.ts';
import { readSourceFile, openLocal } from '../../src/source/ingest.ts';
import { describeFile, ffmpeg, temporaryDirectory } from 'clip-testkit/media-footage';
import { editingWith } from 'clip-testkit/plain-edit';

const directory = await temporaryDirectory();
const at = (name: string) => join(directory.path, name);
const { signal } = new AbortController();
const seconds = 6;
/** Half as wide as it is high, and small: renders are quick. */
const dimensions = { width: 270, height: 480 };

/** A voice-like sound that comes and goes once in two seconds. */
const sound = `aevalsrc=0.3*sin(2*PI*220*t)*(0.6+0.4*sin(2*PI*1.3*t))*lt(mod(t\\,2)\\,1.2):d=${seconds}:s=48000`;
const said = '1\n00:00:00,200 --> 00:00:05,500\nSound alone can be seen.\n';

before(async () => {
  await ffmpeg([
    '-f',
    'lavfi',
    '-i',
    'color=0xd02020:s=600x600',
    '-frames:v',
    '1',
    at('cover.png'),
  ]);
  const cover = ['-i', at('cover.png'), '-map', '0', '-map', '1', '-disposition:v', 'attached_pic'];
  const input = ['-f', 'lavfi', '-i', sound];
  await ffmpeg([...input, at('plain.mp3')]);
  await ffmpeg([...input, '-write_xing', '0', '-id3v2_version', '0', at('bare.mp3')]);
  await ffmpeg([...input, ...cover, '-c:v', 'png', '-id3v2_version', '3', at('cover.mp3')]);
  await ffmpeg([...input, ...cover, '-c:v', 'mjpeg', '-c:a', 'aac', at('cover.m4a')]);
  for (const name of ['plain.wav', 'plain.flac', 'plain.ogg', 'plain.opus', 'plain.aac']) {
    await ffmpeg([...input, at(name)]);
  }
  for (const name of ['plain.mp3', 'cover.m4a']) await writeFile(at(`${name}.srt`), said);
});
after(() => directory.remove());

const open = (name: string): Promise<SourceFile> =>
  openLocal(at(name), { directory: directory.path, maxSeconds: 60, signal });

async function editOf(source: SourceFile): Promise<Edit> {
  const analysis = await analyse(source, { signal });
  const editing = editingWith('captions', 'reframe');
  return makeWholeEdit(analysis, { editing, dimensions, title: '' });
}

const pixelsOf = async (path: string, time: number, part: string): Promise<Buffer> =>
  // prettier-ignore
  ffmpeg([
    ...(time > 0 ? ['-ss', String(time)] : []), '-i', path, '-vf', part, '-frames:v', '1', '-f', 'rawvideo',
    '-pix_fmt', 'rgb24', 'pipe:1',
  ]);

/** How far the bytes are from their mean, on average. */
function spread(pixels: Buffer): number {
  const mean = pixels.reduce((sum, byte) => sum + byte, 0) / pixels.length;
  return pixels.reduce((sum, byte) => sum + Math.abs(byte - mean), 0) / pixels.length;
}

const difference = (one: Buffer, other: Buffer): number =>
  one.reduce((sum, byte, index) => sum + Math.abs(byte - other[index]!), 0) / one.length;

/** Mean of the squared samples of a track, in dB. */
async function loudness(path: string, from: number, to: number): Promise<number> {
  const cut = `atrim=${from}:${to}`;
  const bytes = await ffmpeg(['-i', path, '-vn', '-af', cut, '-ac', '1', '-f', 'f32le', 'pipe:1']);
  const samples = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
  return 10 * Math.log10(samples.reduce((sum, one) => sum + one * one, 0) / samples.length + 1e-12);
}

test('sound in any container has a picture, its own length, and the sound as it is', async () => {
  for (const [name, shown] of [
    ['plain.mp3', 'wave'],
    ['bare.mp3', 'wave'],
    ['cover.mp3', 'cover'],
    ['cover.m4a', 'cover'],
    ['plain.wav', 'wave'],
    ['plain.flac', 'wave'],
    ['plain.ogg', 'wave'],
    ['plain.opus', 'wave'],
    ['plain.aac', 'wave'],
  ] as const) {
    const { path, media } = await open(name);
    assert.equal(media.soundAlone, shown, name);
    assert.ok(Math.abs(media.duration - seconds) < 0.1, `${name}: ${media.duration}`);
    assert.equal(media.frameRate, 30);
    assert.ok(media.hasAudio && !media.endsEarly, name);
    const off = (await loudness(path, 2.2, 3)) - (await loudness(at(name), 2.2, 3));
    assert.ok(Math.abs(off) < 0.1, `${name}: ${off} dB`);
    const silent = await loudness(path, 3.3, 3.9);
    assert.ok(silent < -50, `${name}: the pause is where it was, ${silent} dB`);
  }
});

test('an upload stays where it is, and its picture is in a file beside it', async () => {
  const work = await temporaryDirectory();
  const given = { directory: work.path, allowPrivate: false, maxSeconds: 60, signal };
  const { path, bytes } = await readSourceFile(at('cover.mp3'), given);
  assert.deepEqual(await readdir(work.path), ['sound-alone.mkv']);
  assert.equal(path, join(work.path, 'sound-alone.mkv'));
  assert.ok(bytes > 0);
  await assert.rejects(readSourceFile(at('cover.mp3'), { ...given, maxSeconds: 3 }), {
    code: 'source-too-long',
  });
  await work.remove();
});

test('a clip of a podcast shows its cover, with large captions below it', async () => {
  const source = await open('cover.m4a');
  const edit = await editOf(source);
  assert.equal(edit.needsAnalysis, undefined);
  const output = at('cover.mp4');
  await render(edit, { source: source.path, output, quality: 'export', signal });
  const [red, green, blue] = await pixelsOf(output, 1, 'crop=2:2:134:216');
  assert.ok(
    red! > 180 && green! < 70 && blue! < 70,
    `the cover’s red, not ${red} ${green} ${blue}`,
  );
  const band = 'crop=270:50:0:325';
  const captioned = await pixelsOf(output, 1, band);
  const plain = at('cover-plain.mp4');
  const without = { ...edit, captions: [] };
  await render(without, { source: source.path, output: plain, quality: 'export', signal });
  const drawn = difference(captioned, await pixelsOf(plain, 1, band));
  assert.ok(drawn > 5, `captions are drawn there: ${drawn}`);
});

test('a clip without cover shows a wave that moves with the sound, and captions in the middle', async () => {
  const source = await open('plain.mp3');
  const edit = await editOf(source);
  const output = at('wave.mp4');
  await render(edit, { source: source.path, output, quality: 'export', signal });
  const { streams, format } = await describeFile(output);
  assert.ok(Math.abs(Number(format.duration) - edit.duration) < 0.05);
  assert.equal(Number(streams[0]!.nb_frames), Math.round(edit.duration * 30));
  const wave = 'crop=220:60:25:287';
  const [loud, later, quiet] = await Promise.all(
    [2.5, 2.9, 3.8].map((time) => pixelsOf(output, time, wave)),
  );
  assert.ok(spread(loud!) > 2 * spread(quiet!), `${spread(loud!)} and ${spread(quiet!)}`);
  assert.ok(difference(loud!, later!) > 1, 'it moves');
  assert.ok(spread(await pixelsOf(output, 1, 'crop=270:40:0:220')) > 15, 'captions are there');
  const fade = async (path: string) =>
    (await loudness(path, 2.2, 3)) - (await loudness(path, 0.2, 1));
  assert.ok(
    Math.abs((await fade(output)) - (await fade(at('plain.mp3')))) < 1,
    'as loud as it was',
  );
  assert.deepEqual(editSchema.parse(edit), edit);
  const given = { source: source.path, output: at('picture.jpg'), signal };
  assert.equal(await renderSourcePicture(source.media, given), false);
});

test('the poster of a clip without cover shows the wave', async () => {
  const source = await open('plain.wav');
  const edit = await editOf(source);
  await renderPoster(edit, { source: source.path, output: at('poster.jpg'), signal });
  const seen = spread(await pixelsOf(at('poster.jpg'), 0, 'crop=220:60:25:287'));
  assert.ok(seen > 10, `the wave is drawn there: ${seen}`);
});
