import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Edit } from '../../src/edit.ts';
import { makeWholeEdit } from '../support/whole-edit.ts';
import { renderProxy } from '../../src/render/proxy.ts';
import { render } from '../../src/render/render.ts';
import { cutSegment, moveToSegment } from '../../src/render/source-segment.ts';
import { analyse } from '../../src/scan/analyse.ts';
import { openLocal } from '../../src/source/ingest.ts';
import { chooseTracks, measureTrack, type HeardTrack } from '../../src/source/sound-tracks.ts';
import { writeSound } from '../../src/transcribers/speech-segments.ts';
import { ffmpeg, temporaryDirectory } from 'clip-testkit/media-footage';
import { realSpeech } from '../support/real-speech.ts';

const directory = await temporaryDirectory();
const at = (name: string) => join(directory.path, name);
const { signal } = new AbortController();
after(() => directory.remove());

const seconds = 30;

/** A voice: a pitch with its overtones, in syllables, where `when` (of `t`) is 1. */
const voice = (pitch: number, when = '1') =>
  `aevalsrc='0.4*(${when})*(2*mod(${pitch}*t,1)-1)*pow(max(0,sin(2*PI*1.7*t)),2)':s=48000:d=${seconds}`;
const silence = `anullsrc=r=48000:cl=stereo,atrim=end=${seconds}`;
const music = `aevalsrc='0.2*sin(2*PI*220*t)+0.1*sin(2*PI*330*t)':s=48000:d=${seconds}`;
const host = voice(110, 'lt(mod(t,6),3)');
const guest = voice(190, 'gte(mod(t,6),3)');

/** Makes a video with sound tracks, the first of them marked as the default. */
async function record(name: string, tracks: readonly string[], output: string[] = []) {
  // prettier-ignore
  await ffmpeg([
    '-f', 'lavfi', '-i', `testsrc2=s=160x90:r=25:d=${seconds}`,
    ...tracks.flatMap((track) => ['-f', 'lavfi', '-i', track]),
    '-map', '0:v', ...tracks.flatMap((_, index) => ['-map', `${index + 1}:a`]),
    '-c:v', 'libx264', '-preset', 'veryfast', '-g', '25', '-pix_fmt', 'yuv420p', '-c:a', 'aac',
    '-disposition:a', '0', '-disposition:a:0', 'default', ...output, at(name),
  ]);
  return openLocal(at(name), { directory: directory.path, maxSeconds: 60, signal });
}

/** The level of each second of a file's first sound track, in dBFS. */
async function levels(path: string): Promise<number[]> {
  const raw = await ffmpeg([
    '-i',
    path,
    '-map',
    '0:a:0',
    '-ac',
    '1',
    '-ar',
    '16000',
    '-f',
    's16le',
    '-',
  ]);
  return Array.from({ length: Math.floor(raw.length / 32_000) }, (_, second) => {
    let power = 1e-9;
    for (let sample = 0; sample < 16_000; sample++) {
      power += (raw.readInt16LE(2 * (second * 16_000 + sample)) / 32_768) ** 2 / 16_000;
    }
    return 10 * Math.log10(power);
  });
}

const isHeard = async (path: string): Promise<boolean> =>
  (await levels(path)).every((level) => level > -40);

test('the track with speech is heard everywhere, although a silent one is the default', async () => {
  const source = await record('obs.mp4', [silence, voice(120), music]);
  assert.deepEqual(
    [source.media.audioStream, source.media.mixedAudioStreams, source.media.audioCodec],
    [2, undefined, 'aac'],
  );
  const analysis = await analyse(source, { signal });
  assert.equal(analysis.media.audioStream, 2);
  assert.ok(
    analysis.loudness.values.slice(0, -1).every((level) => level > -40),
    'scan',
  );

  await writeSound(
    { ...source.media, path: source.path },
    { start: 2, end: 6 },
    at('speech.wav'),
    signal,
  );
  assert.ok(await isHeard(at('speech.wav')), 'recogniser');

  const dimensions = { width: 160, height: 90 };
  const editing = {
    captions: false,
    reframe: false,
    emojis: false,
    intro_title: false,
    remove_silences: false,
  };
  const whole = makeWholeEdit(analysis, { title: '', editing, dimensions });
  const crop = { mode: 'crop', x: 0, y: 0, ...dimensions } as const;
  const edit: Edit = { ...whole, ranges: [{ start: 2, end: 6 }], duration: 4, framing: crop };
  delete edit.needsAnalysis;
  const output = at('out.mp4');
  const from = { source: source.path, output, signal };
  assert.equal((await render(edit, { ...from, quality: 'export' })).copied, true);
  assert.ok(await isHeard(output), 'copy');
  assert.equal((await render(edit, { ...from, quality: 'preview' })).copied, false);
  assert.ok(await isHeard(output), 'render');
  await renderProxy(edit.source, { start: 2, end: 6 }, from);
  assert.ok(await isHeard(output), 'proxy');
  const segment = await cutSegment(edit, { source: source.path, output: at('segment'), signal });
  await render(moveToSegment(edit, segment!), {
    ...from,
    source: at('segment'),
    quality: 'preview',
  });
  assert.ok(await isHeard(output), 'segment');
});

test('two people on tracks of their own are mixed, in segments too', async () => {
  const source = await record('two.mkv', [host, guest]);
  assert.deepEqual([source.media.audioStream, source.media.mixedAudioStreams], [1, [2]]);
  const { media, loudness } = await analyse(source, { signal });
  assert.ok(
    loudness.values.slice(0, -1).every((level) => level > -40),
    'scan',
  );

  await writeSound({ ...media, path: source.path }, { start: 17, end: 25 }, at('two.wav'), signal);
  assert.ok(await isHeard(at('two.wav')), 'recogniser');

  const dimensions = { width: 160, height: 90 };
  const edit: Edit = {
    ...{ version: 1, source: media, ranges: [{ start: 17, end: 25 }], duration: 8, frameRate: 25 },
    ...{ dimensions, captions: [], emojis: [], title: null },
    framing: { mode: 'crop', x: 0, y: 0, ...dimensions },
  };
  const from = {
    source: source.path,
    output: at('mixed.mp4'),
    quality: 'preview',
    signal,
  } as const;
  await render(edit, from);
  assert.ok(await isHeard(from.output), 'render');
  await renderProxy(edit.source, { start: 17, end: 25 }, { ...from, output: at('proxy.mp4') });
  assert.ok(await isHeard(at('proxy.mp4')), 'proxy');
  const segment = await cutSegment(edit, { source: source.path, output: at('segment'), signal });
  assert.ok(segment, 'it can be copied exactly');
  await render(moveToSegment(edit, segment), {
    ...from,
    source: at('segment'),
    output: at('same.mp4'),
  });
  const hash = (path: string) => ffmpeg(['-i', path, '-f', 'framemd5', 'pipe:1']);
  assert.deepEqual(await hash(at('same.mp4')), await hash(from.output));

  // The pictures of a clip of which nothing changes are copied, with the mixed sound.
  const mp4 = await record('two.mp4', [host, guest]);
  const same = { ...from, source: mp4.path, output: at('copy.mp4'), quality: 'export' } as const;
  assert.equal((await render(edit, same)).copied, true);
  assert.ok(await isHeard(same.output), 'copy');
});

test('a track that is named as a commentary is not chosen', async () => {
  const title = ['-metadata:s:a:1', 'title=Director’s Commentary'];
  assert.equal((await record('comment.mkv', [music, voice(120)], title)).media.audioStream, 1);
  assert.equal((await record('voice.mkv', [music, voice(120)])).media.audioStream, 2);
});

/** A track whose speech is written as a text: `x` for a second of it. */
const track = (index: number, speech: string, more: Partial<HeardTrack> = {}): HeardTrack => ({
  index,
  language: null,
  audible: true,
  speech: [...speech].map((sign) => sign === 'x'),
  ...more,
});

for (const [what, tracks, chosen] of [
  [
    'the usual one, if all are silent',
    [track(1, '......', { audible: false }), track(2, '......', { audible: false })],
    [1],
  ],
  [
    'the first with any sound, if nobody speaks',
    [track(1, '......', { audible: false }), track(2, '......')],
    [2],
  ],
  ['the usual one, if it has music', [track(1, '......'), track(2, '......')], [1]],
  ['the voice, beside music', [track(1, '......'), track(2, 'xx.xxx')], [2]],
  [
    'the usual one, if its speech is hard to tell',
    [track(1, '.x....x.'), track(2, 'xxxxxxxx')],
    [1],
  ],
  ['the one with most speech', [track(1, '......'), track(2, 'xxx...'), track(3, 'xxxxx.')], [3]],
  ['people who speak in turns', [track(1, 'xxx...xxx'), track(2, '..xxxx...')], [1, 2]],
  ['everything, but not one voice of it again', [track(1, 'xxxxxxxx'), track(2, 'xx..xx..')], [1]],
  ['the original, without its translation', [track(1, 'xxx.xx.xx'), track(2, 'xxx.x..xx')], [1]],
  [
    'no other language in the pauses',
    [track(1, 'xxx...', { language: 'en' }), track(2, '...xxx', { language: 'de' })],
    [1],
  ],
  [
    'no other language, because nobody speaks yet',
    [track(1, '......', { language: 'en' }), track(2, '...xxx', { language: 'de' })],
    [1],
  ],
  [
    'another language rather than silence',
    [
      track(1, '......', { language: 'en', audible: false }),
      track(2, '...xxx', { language: 'de' }),
    ],
    [2],
  ],
] as const) {
  test(`of several tracks are heard: ${what}`, () => {
    assert.deepEqual(chooseTracks(tracks, 1), chosen);
  });
}

/** Raw samples of a sound. */
async function samplesOf(...input: string[]): Promise<Int16Array> {
  const raw = await ffmpeg([...input, '-ac', '1', '-ar', '16000', '-f', 's16le', '-']);
  return new Int16Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + (raw.length & ~1)));
}

async function shareOfSpeech(...input: string[]): Promise<number> {
  const { speech } = measureTrack(await samplesOf(...input));
  return speech.filter(Boolean).length / speech.length;
}

for (const [what, sound] of [
  ['silence', silence],
  ['music', music],
  ['a tone that comes and goes', `sine=f=440:r=48000:d=20,volume='lt(mod(t,2),1)':eval=frame`],
  ['hiss', 'anoisesrc=c=pink:r=48000:d=20:a=0.3'],
  ['clicks', `aevalsrc='0.5*(random(0)-0.5)*exp(-40*mod(t,0.25))':s=48000:d=20`],
  ['shots', `aevalsrc='0.5*(random(0)-0.5)*exp(-8*mod(t,1.3))':s=48000:d=20`],
] as const) {
  test(`${what} is not speech`, async () => {
    assert.ok((await shareOfSpeech('-f', 'lavfi', '-i', sound)) < 0.05);
  });
}

let hasFlite = false;
before(async () => {
  hasFlite = /\bflite\b/.test((await ffmpeg(['-filters'])).toString());
});

const text =
  'Tonight we ask why people sleep. I have thought about this for years, and nobody knows how it works.';

for (const [what, filter] of [
  ['clear', 'anull'],
  ['soft', 'volume=-25dB'],
  ['over noise', 'aresample=8000[a];anoisesrc=c=pink:r=8000:a=0.02:d=6[n];[a][n]amix=normalize=0'],
] as const) {
  for (const name of ['slt', 'kal']) {
    test(`a spoken text is speech: the voice ${name}, ${what}`, async (context) => {
      if (!hasFlite) return context.skip('this ffmpeg has no flite');
      const spoken = `flite=text='${text.replaceAll(/[.,]/g, '')}':voice=${name}`;
      assert.ok((await shareOfSpeech('-f', 'lavfi', '-i', `${spoken},${filter}`)) > 0.6);
    });
  }
}

const recording = realSpeech('jfk.wav');
test('a real speech is speech', { skip: !existsSync(recording) }, async () => {
  assert.ok((await shareOfSpeech('-i', recording)) > 0.6);
});
