import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  checkMedia,
  openProbed,
  detectKind,
  listSourceNotes,
} from '../../src/source/check-file.ts';
import { render } from '../../src/render/render.ts';
import { analyse } from '../../src/scan/analyse.ts';
import { ffmpeg, makeVideo, temporaryDirectory } from 'clip-testkit/media-footage';
import { plainEdit } from 'clip-testkit/plain-edit';

const directory = await temporaryDirectory();
const at = (name: string) => join(directory.path, name);
const { signal } = new AbortController();
after(() => directory.remove());

const bytes = (text: string) => new TextEncoder().encode(text);

test('playlists and manifests are told, whatever they begin with', () => {
  const texts = [
    '#EXTM3U\n#EXT-X-VERSION:3\nfile:///etc/passwd\n',
    '\uFEFF#EXTM3U\n',
    '\n\n  #extm3u\n',
    'ffconcat version 1.0\nfile /etc/passwd\n',
    "file '/etc/passwd'\n",
    '<?xml version="1.0"?>\n<!-- a note -->\n<MPD xmlns="urn:mpeg:dash:schema:mpd:2011">',
    '<MPD>',
    '<smil>',
    '[playlist]\nFile1=a',
    'v=0\no=- 0 0 IN IP4 127.0.0.1',
  ];
  for (const text of texts) assert.equal(detectKind(bytes(text)).kind, 'playlist', text);
});

test('a playlist in UTF-16 is one too', () => {
  const text = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('#EXTM3U\n', 'utf16le')]);
  assert.equal(detectKind(text).kind, 'playlist');
});

test('pages, empty files and other things are no videos', () => {
  assert.equal(detectKind(bytes('<!DOCTYPE html><html>')).kind, 'page');
  assert.equal(detectKind(new Uint8Array()).kind, 'empty');
  assert.equal(detectKind(bytes('hello')).kind, 'other');
  assert.equal(detectKind(Uint8Array.from([0x89, 0x50, 0x4e, 0x47])).kind, 'other');
});

test('containers are known by their first bytes', () => {
  assert.deepEqual(detectKind(bytes('\0\0\0\x20ftypisom')), { kind: 'video', container: 'mp4' });
  assert.deepEqual(detectKind(Uint8Array.from([0x1a, 0x45, 0xdf, 0xa3])), {
    kind: 'video',
    container: 'matroska',
  });
  assert.deepEqual(detectKind(bytes('RIFF0000AVI LIST')), { kind: 'video', container: 'avi' });
  assert.deepEqual(detectKind(bytes('RIFF0000WAVEfmt ')), { kind: 'video', container: 'wav' });
  assert.deepEqual(detectKind(bytes('fLaC')), { kind: 'video', container: 'flac' });
  assert.deepEqual(detectKind(bytes('ID3')), { kind: 'video', container: 'mp3' });
  for (const frame of [
    [0xff, 0xfb, 0x90, 0x64],
    [0xff, 0xf1, 0x50, 0x80],
  ]) {
    assert.deepEqual(detectKind(Uint8Array.from(frame)), { kind: 'video', container: 'mp3' });
  }
  // The mark of UTF-16 text.
  assert.equal(detectKind(Uint8Array.from([0xff, 0xfe, 0x68, 0])).kind, 'other');
  const wmv = Uint8Array.from([0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11, 0xa6]);
  assert.deepEqual(detectKind(wmv), { kind: 'video', container: 'asf' });
  const tape = Uint8Array.from([0x1f, 0x07, 0x00, 0x3f]);
  assert.deepEqual(detectKind(tape), { kind: 'video', container: 'dv' });
  const stream = new Uint8Array(600);
  for (const at of [0, 188, 376, 564]) stream[at] = 0x47;
  assert.deepEqual(detectKind(stream), { kind: 'video', container: 'mpegts' });
});

const seconds = 20;
const fragments = ['-movflags', 'frag_keyframe+empty_moov+default_base_moof'];

before(async () => {
  await makeVideo(at('plain.mp4'), { seconds, size: '160x90' });
  await ffmpeg(['-i', at('plain.mp4'), '-c', 'copy', ...fragments, at('fragments.mp4')]);
});

const mediaOf = async (name: string) =>
  checkMedia(at(name), await openProbed(at(name), signal), { maxSeconds: 3600, signal });

test('fragments whose header knows no duration are as long as their packets', async () => {
  const bytes = await readFile(at('fragments.mp4'));
  for (let box = bytes.indexOf('mdhd'); box >= 0; box = bytes.indexOf('mdhd', box + 4)) {
    bytes.fill(0xff, box + 20, box + 24);
  }
  await writeFile(at('unknown.mp4'), bytes);
  assert.ok(Math.abs((await mediaOf('unknown.mp4')).duration - seconds) < 0.2);
});

for (const container of ['mp4', 'mkv', 'ts']) {
  test(`a video whose first picture is at 10 s is whole: ${container}`, async () => {
    const late = ['-itsoffset', '10', '-i', at('plain.mp4'), '-c', 'copy'];
    await ffmpeg([...late, at(`late.${container}`)]);
    const { duration, startTime = 0 } = await mediaOf(`late.${container}`);
    assert.ok(Math.abs(duration - seconds) < 0.2, `${duration} s`);
    assert.ok(startTime >= 9.9, `from ${startTime} s on`);
  });
}

test('an AVI whose pictures have no time of their own, as with B frames, is whole', async () => {
  await ffmpeg(['-i', at('plain.mp4'), '-c:v', 'libx264', '-bf', '2', '-an', at('between.avi')]);
  const { duration, endsEarly } = await mediaOf('between.avi');
  assert.ok(Math.abs(duration - seconds) < 0.2, `${duration} s`);
  assert.equal(endsEarly, undefined);
});

test('a missing picture does not change the frame rate', async () => {
  const dropped = ['-vf', `select='not(eq(n,200))'`, '-fps_mode', 'passthrough'];
  const codec = ['-c:v', 'libx264', '-preset', 'ultrafast', '-an'];
  await ffmpeg(['-i', at('plain.mp4'), ...dropped, ...codec, ...fragments, at('dropped.mp4')]);
  await ffmpeg(['-i', at('dropped.mp4'), '-c', 'copy', at('dropped.mkv')]);
  assert.equal((await mediaOf('dropped.mp4')).frameRate, 25);
  assert.equal((await mediaOf('dropped.mkv')).frameRate, 25);
});

for (const [what, name, muxing] of [
  ['MP4 with its index at the front', 'front.mp4', ['-movflags', '+faststart']],
  ['MP4 in fragments', 'parts.mp4', fragments],
  ['Matroska', 'whole.mkv', []],
  ['FLV', 'whole.flv', ['-ar', '44100']],
] as const) {
  test(`a recording without its end is used from twelve seconds on: ${what}`, async () => {
    await ffmpeg(['-i', at('plain.mp4'), '-c:v', 'copy', '-c:a', 'aac', ...muxing, at(name)]);
    const bytes = await readFile(at(name));
    await writeFile(at('most'), bytes.subarray(0, Math.floor(0.75 * bytes.length)));
    await writeFile(at('some'), bytes.subarray(0, Math.floor(0.45 * bytes.length)));
    const whole = await mediaOf(name);
    assert.equal(whole.endsEarly, undefined);
    assert.deepEqual(listSourceNotes(whole), []);
    const media = await mediaOf('most');
    assert.ok(media.duration >= 12 && media.duration < 19, `${media.duration} s`);
    const [note] = listSourceNotes(media);
    assert.equal(note?.code, 'source-ends-early');
    assert.match(note.message, /^The recording ends early: after 1\d s, /);
    await assert.rejects(mediaOf('some'), {
      code: 'source-truncated',
      message: /incomplete: (?:its header says 20 s|its last part is cut off)/,
    });
    const source = { path: at('most'), transcriptPath: null, media };
    const { loudness } = await analyse(source, { signal });
    assert.ok(loudness.values.length > 22, 'its sound is scanned');
    const end = Math.floor(media.duration) - 1;
    const edit = plainEdit({ source: media, ranges: [{ start: end - 4, end }], duration: 4 });
    const output = at('clip.mp4');
    const rendered = await render(edit, { source: at('most'), output, quality: 'preview', signal });
    assert.ok(Math.abs(rendered.duration - 4) < 0.05);
  });
}
