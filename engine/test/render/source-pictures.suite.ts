/** Sources whose pictures need something before they are shown: as people see them in a player. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { editWhole } from '../../src/editing/make-edit.ts';
import { lookAndFrame } from '../../src/editing/framed-edit.ts';
import { findersWith } from '../../src/framing/finders.ts';
import { renderPoster } from '../../src/render/poster.ts';
import { render } from '../../src/render/render.ts';
import { analyse } from '../../src/scan/analyse.ts';
import { mediaInfoOf, probe } from '../../src/source/probe.ts';
import { ffmpeg, temporaryDirectory } from '../support/media-footage.ts';
import { nosesIn } from '../support/nose.ts';
import { peopleFilm } from '../support/people-footage.ts';
import { editingWith } from '../support/plain-edit.ts';

const directory = await temporaryDirectory();
const at = (name: string) => join(directory.path, name);
const signal = () => new AbortController().signal;
const seconds = 1;
const upright = { width: 180, height: 320 };

before(async () => {
  await peopleFilm(at('plain.mp4'), {
    width: 480,
    height: 270,
    seconds,
    sound: true,
    at: (second) => ({ scene: 0, people: [{ x: 150 + 90 * second, y: 110, height: 80 }] }),
  });
});
after(() => directory.remove());

const editing = editingWith('reframe');

/** Analyses a source, and renders all of it in a size. */
async function made(name: string, dimensions = upright) {
  const path = at(name);
  const media = mediaInfoOf(await probe(path, signal()), seconds)!;
  const analysis = await analyse({ path, transcriptPath: null, media }, { signal: signal() });
  const guess = editWhole(analysis, { editing, dimensions, title: '' });
  const edit = await lookAndFrame(guess, path, {
    finders: findersWith({ faces: false }),
    signal: signal(),
    onFailed: (error) => assert.fail(String(error)),
  });
  const output = at(`${name}.out.mp4`);
  await render(edit, { source: path, output, quality: 'export', signal: signal() });
  const poster = at(`${name}.jpg`);
  await renderPoster(edit, { source: path, output: poster, signal: signal() });
  return { media: analysis.media, edit, output, poster };
}

/** Mean red, green and blue of a part of the first picture. */
async function meanColour(path: string, crop: string): Promise<number[]> {
  const filter = `scale=in_color_matrix=${path.endsWith('.jpg') ? 'bt601' : 'bt709'},format=rgb24,crop=${crop},scale=1:1:flags=area`;
  const args = ['-i', path, '-frames:v', '1', '-vf', filter, '-f', 'rawvideo', '-pix_fmt', 'rgb24'];
  return [...(await ffmpeg([...args, 'pipe:1']))];
}
const near = (seen: readonly number[], wanted: readonly number[], most: number) =>
  assert.ok(
    wanted.every((value, at) => Math.abs(value - seen[at]!) <= most),
    `${seen.join()} instead of ${wanted.join()}`,
  );
async function keepsTheNose(path: string): Promise<void> {
  const noses = await nosesIn(path, upright);
  assert.ok(noses.filter((nose) => nose !== null).length >= 0.95 * noses.length);
}
/** The wall of the drawn film, at the upper edge of a picture. */
const wall = [96, 118, 104];
const upperEdge = 'iw:ih/40:0:0';

test('black bars are no part of a clip', async () => {
  const padded = 'crop=480:202:0:10,pad=480:270:0:34:black';
  await ffmpeg(['-i', at('plain.mp4'), '-vf', padded, '-c:a', 'copy', at('bars.mp4')]);
  const { media, edit, output, poster } = await made('bars.mp4');
  assert.equal(media.width, 480);
  assert.ok(Math.abs(media.height - 202) <= 2, String(media.height));
  assert.ok(edit.framing.mode !== 'fit');
  near(await meanColour(output, upperEdge), wall, 8);
  near(await meanColour(poster, upperEdge), wall, 10);
  await keepsTheNose(output);
});

const transfers = [
  { name: 'pq', transfer: 'smpte2084' },
  { name: 'hlg', transfer: 'arib-std-b67' },
] as const;

for (const { name, transfer } of transfers) {
  test(`high dynamic range (${name}) has the colours of standard range, in clip and poster`, async () => {
    const filter = [
      'format=yuv444p',
      'setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709:range=tv',
      'zscale=t=linear:npl=203',
      'format=gbrpf32le',
      `zscale=t=${transfer}:p=bt2020:m=bt2020nc:r=tv:npl=203`,
      'format=yuv420p10le',
    ].join(',');
    const coded = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '10'];
    const tags = ['-color_primaries', 'bt2020', '-color_trc', transfer, '-colorspace', 'bt2020nc'];
    const file = `${name}.mp4`;
    await ffmpeg(['-i', at('plain.mp4'), '-vf', filter, ...coded, ...tags, at(file)]);
    const { media, output, poster } = await made(file);
    assert.equal(media.transfer, name);
    near(await meanColour(output, upperEdge), wall, 8);
    near(await meanColour(poster, upperEdge), wall, 10);
    await keepsTheNose(output);
  });
}

/** How much neighbouring rows differ, compared to rows two apart: high in interlaced pictures. */
async function combing(path: string): Promise<number> {
  const raw = await ffmpeg(['-i', path, '-f', 'rawvideo', '-pix_fmt', 'gray', 'pipe:1']);
  const { width, height } = upright;
  let [next, second] = [0, 0];
  const picture = raw.subarray(10 * width * height, 11 * width * height);
  for (let y = 0; y < height - 2; y++) {
    for (let x = 0; x < width; x++) {
      const value = picture[y * width + x]!;
      next += Math.abs(value - picture[(y + 1) * width + x]!);
      second += Math.abs(value - picture[(y + 2) * width + x]!);
    }
  }
  return next / second;
}

const fields = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '12', '-flags', '+ilme+ildct'];

test('an interlaced source has no combs in the clip; a progressive one in its frames stays', async () => {
  // Stripes that move fast, 50 pictures a second: two of them become the fields of one.
  const moving =
    "color=c=gray:s=480x272:r=50:d=1,format=gray,geq=lum='128+100*sin((X+N*9)/9)',format=yuv420p";
  const source = ['-f', 'lavfi', '-i', moving];
  await ffmpeg([
    ...source,
    '-vf',
    'tinterlace=interleave_top',
    ...fields,
    '-x264opts',
    'tff=1',
    at('fields.mp4'),
  ]);
  const interlaced = await made('fields.mp4');
  assert.equal(interlaced.media.firstField, 'top');
  assert.ok((await combing(interlaced.output)) < 0.8, String(await combing(interlaced.output)));
  const progressive = ['-i', at('plain.mp4'), '-vf', 'pad=480:272', '-g', '5'];
  await ffmpeg([...progressive, ...fields, '-x264opts', 'tff=1', at('frames.mp4')]);
  assert.equal((await made('frames.mp4')).media.firstField, undefined);
});

test('the sound track that a player would choose is in the clip', async () => {
  await ffmpeg([
    ...['-i', at('plain.mp4'), '-f', 'lavfi', '-i', `sine=f=2000:r=48000:d=${seconds}`],
    ...['-map', '0:a', '-map', '0:v', '-map', '1:a', '-c:v', 'copy', '-c:a', 'aac'],
    ...['-disposition:a:0', '0', '-disposition:a:1', 'default', at('tracks.mkv')],
  ]);
  const { media, output } = await made('tracks.mkv');
  assert.deepEqual([media.videoStream, media.audioStream], [1, 2]);
  const samples = await ffmpeg(['-i', output, '-ac', '1', '-ar', '8000', '-f', 's16le', 'pipe:1']);
  let crossings = 0;
  for (let sample = 1; sample < samples.length / 2; sample++) {
    const [last, now] = [samples.readInt16LE(2 * sample - 2), samples.readInt16LE(2 * sample)];
    if (last < 0 !== now < 0) crossings += 1;
  }
  const hertz = crossings / 2 / (samples.length / 2 / 8000);
  assert.ok(hertz > 1500, `${hertz} Hz`);
});
