import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { describeFile, ffmpeg, temporaryDirectory } from 'clip-testkit/media-footage';
import { plainEdit } from 'clip-testkit/plain-edit';
import type { Edit } from '../../src/edit.ts';
import { findSpeechSpans, getMusicRise } from '../../src/music-level.ts';
import { LoudnessSummary } from '../../src/render/loudness.ts';
import { render } from '../../src/render/render.ts';
import { maxMusicBytes, MusicError, readMusicFile } from '../../src/render/music.ts';
import { speechWithWords } from '../support/real-speech.ts';

const directory = await temporaryDirectory();
const at = (name: string) => join(directory.path, name);
const { signal } = new AbortController();
after(() => directory.remove());

/** Loudness in LUFS and true peak in dBTP of a part of a file. */
async function loudnessOf(path: string, part?: { start: number; end: number }) {
  const cut = part ? `atrim=${part.start}:${part.end},asetpts=PTS-STARTPTS,` : '';
  const args = ['-hide_banner', '-nostats', '-i', path, '-af', `${cut}ebur128=peak=true`];
  const { stderr } = await promisify(execFile)('ffmpeg', [...args, '-f', 'null', '-']);
  const summary = new LoudnessSummary();
  stderr.split('\n').forEach((line) => summary.line(line));
  return summary.end()!;
}

const recording = speechWithWords('prompts-pauses.flac');
const truth = speechWithWords('truth.json');
const hasSpeech = existsSync(recording);
interface Said {
  start: number;
  end: number;
}
/** What is said in the first 24 seconds, with pauses of 1.5 to 3 seconds. */
const said = hasSpeech
  ? (JSON.parse(readFileSync(truth, 'utf8'))['prompts-pauses'].said as Said[]).filter(
      ({ end }) => end < 24,
    )
  : [
      { start: 1, end: 8 },
      { start: 11, end: 22 },
    ];
const talk =
  "aevalsrc='0.2*(sin(2*PI*180*t)+0.6*sin(2*PI*620*t))*pow(sin(PI*4*t),2)*(between(t,1,8)+between(t,11,22))':s=48000";
const seconds = 24;
/** Chords, with a tone that is in no speech. */
const tune =
  "aevalsrc='0.05*(sin(2*PI*220*t)+sin(2*PI*277.2*t)+sin(2*PI*329.6*t))+0.1*sin(2*PI*9000*t)':s=44100";
let music: string;

before(async () => {
  const speech = hasSpeech ? `amovie=${recording},aresample=48000` : talk;
  // prettier-ignore
  await ffmpeg([
    '-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=10', '-f', 'lavfi', '-i', speech,
    '-t', String(seconds), '-g', '10', '-c:v', 'libx264', '-preset', 'ultrafast',
    '-pix_fmt', 'yuv420p', '-c:a', 'aac', at('talk.mp4'),
  ]);
  await ffmpeg(['-i', at('talk.mp4'), '-an', '-c', 'copy', at('mute.mp4')]);
  await ffmpeg(['-f', 'lavfi', '-i', tune, '-t', '7', at('tune.mp3')]);
  music = at('music.m4a');
  assert.ok(
    Math.abs((await readMusicFile(at('tune.mp3'), { output: music, signal })).seconds - 7) < 0.1,
  );
});

const speech = findSpeechSpans(said);
const editOf = (changes: Partial<Edit> = {}): Edit =>
  plainEdit({
    source: { width: 160, height: 90, frameRate: 10, hasAudio: true },
    ranges: [{ start: 0, end: seconds }],
    dimensions: { width: 90, height: 160 },
    ...changes,
  });
async function rendered(edit: Edit, source = 'talk.mp4', quality: 'export' | 'preview' = 'export') {
  const output = at(`${Math.random()}.mp4`);
  const given = { source: at(source), output, quality, signal, music };
  const { copied, duration } = await render(edit, given);
  return { output, copied, duration };
}
/** The level of the tone that only the music has, in dB. */
async function tuneIn(path: string, { start, end }: Said): Promise<number> {
  const filters = `atrim=${start}:${end},asetpts=PTS-STARTPTS,bandpass=f=9000:width_type=h:w=100`;
  const raw = await ffmpeg([
    '-i',
    path,
    '-af',
    filters,
    '-ac',
    '1',
    '-f',
    'f32le',
    '-c:a',
    'pcm_f32le',
    '-',
  ]);
  const samples = new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length));
  return 10 * Math.log10(samples.reduce((sum, one) => sum + one * one, 0) / samples.length + 1e-12);
}

test('a stored file of music is AAC at -14 LUFS, and nothing else of the file is in it', async () => {
  await ffmpeg(['-f', 'lavfi', '-i', 'color=red:s=32x32', '-frames:v', '1', at('cover.png')]);
  // prettier-ignore
  await ffmpeg([
    '-i', at('tune.mp3'), '-i', at('cover.png'), '-map', '0', '-map', '1', '-c:v', 'mjpeg',
    '-disposition:v', 'attached_pic', '-metadata', 'title=Secret', at('covered.m4a'),
  ]);
  const output = at('covered-music.m4a');
  await readMusicFile(at('covered.m4a'), { output, signal });
  const { streams, format } = await describeFile(output);
  assert.deepEqual(
    streams.map(({ codec_name }) => codec_name),
    ['aac'],
  );
  assert.doesNotMatch(JSON.stringify(format), /Secret/);
  assert.ok(Math.abs((await loudnessOf(output)).lufs + 14) < 0.7);
});

test('what is no music is refused with a sentence, and leaves no file', async () => {
  await ffmpeg(['-f', 'lavfi', '-i', 'anullsrc', '-t', '3', at('silence.wav')]);
  await ffmpeg(['-f', 'lavfi', '-i', 'sine', '-t', '0.5', at('short.wav')]);
  await ffmpeg(['-f', 'lavfi', '-i', 'sine', '-t', '602', '-b:a', '32k', at('long.mp3')]);
  await writeFile(at('page.mp3'), '<!doctype html><p>404');
  await writeFile(at('list.mp3'), '#EXTM3U\n/etc/passwd\n');
  await writeFile(at('broken.mp3'), Buffer.concat([Buffer.from('ID3'), Buffer.alloc(9000, 7)]));
  const names = ['silence.wav', 'short.wav', 'long.mp3', 'page.mp3', 'list.mp3', 'broken.mp3'];
  for (const name of [...names, 'mute.mp4']) {
    const output = at('refused.m4a');
    await assert.rejects(readMusicFile(at(name), { output, signal }), (error: Error) => {
      assert.ok(error instanceof MusicError, `${name}: ${error.stack}`);
      assert.match(error.message, /^[A-Z].*\.$/);
      assert.ok(!error.message.includes(directory.path));
      return true;
    });
    assert.equal(existsSync(output), false, name);
  }
  assert.equal(maxMusicBytes, 20 * 1024 * 1024);
});

const gaps = said
  .slice(1)
  .map(({ start }, index) => ({ start: said[index]!.end + 0.9, end: start - 0.9 }));
const pauses = gaps.filter(({ start, end }) => end - start > 0.15);

for (const levelDb of [10, 20]) {
  test(`music ${levelDb} dB below speech: softer where someone speaks, -14 LUFS in all`, async () => {
    const plain = await rendered(editOf());
    const made = await rendered(editOf({ music: { id: 'm', levelDb, speech } }));
    assert.equal(made.duration, plain.duration);
    const { lufs, peakDb } = await loudnessOf(made.output);
    assert.ok(Math.abs(lufs + 14) <= 1 && peakDb < -1.5, `${lufs} LUFS, ${peakDb} dBTP`);
    assert.ok(pauses.length > 0);
    const between = Math.min(...(await Promise.all(pauses.map((one) => tuneIn(made.output, one)))));
    for (const part of said.filter(({ start, end }) => end - start > 1 && start > 1)) {
      const [without, withMusic, tuneLevel] = [
        await loudnessOf(plain.output, part),
        await loudnessOf(made.output, part),
        await tuneIn(made.output, part),
      ];
      const differs = withMusic.lufs - without.lufs;
      assert.ok(Math.abs(differs) <= 1, `speech differs by ${differs} LU`);
      assert.ok(between - tuneLevel >= 8, `${tuneLevel} dB, and ${between} dB in pauses`);
    }
  });
}

test('music plays on to the end of the clip, and comes and goes softly', async () => {
  const { output } = await rendered(editOf({ music: { id: 'm', levelDb: 20, speech: [] } }));
  const levels = await Promise.all(
    [3, 8, 13, 20].map((start) => tuneIn(output, { start, end: start + 1 })),
  );
  for (const level of levels) assert.ok(Math.abs(level - levels[0]!) < 1, `${levels}`);
  for (const start of [0, seconds - 0.1]) {
    const edge = await tuneIn(output, { start, end: start + 0.1 });
    assert.ok(edge < levels[0]! - 10, `${edge} dB at ${start}`);
  }
});

test('music alone, and music where no one knows what is said', async () => {
  const source = { width: 160, height: 90, frameRate: 10, hasAudio: false };
  const alone = await rendered(
    editOf({ source, music: { id: 'm', levelDb: 30, speech: [] } }),
    'mute.mp4',
  );
  const { lufs, peakDb } = await loudnessOf(alone.output);
  assert.ok(Math.abs(lufs + 14) <= 1 && peakDb < -1.5, `${lufs} LUFS, ${peakDb} dBTP`);
  const part = { start: 4, end: 5 };
  const [known, unknown] = await Promise.all(
    [[], null].map(async (speech) =>
      tuneIn((await rendered(editOf({ music: { id: 'm', levelDb: 20, speech } }))).output, part),
    ),
  );
  assert.ok(known! - unknown! >= 8, `${known} and ${unknown} dB`);
});

test('pictures are copied, and the music is in the sound', async () => {
  const size = { width: 160, height: 90 };
  const made = await rendered(
    editOf({
      dimensions: size,
      framing: { mode: 'crop', x: 0, y: 0, ...size },
      music: { id: 'm', levelDb: 20, speech },
    }),
  );
  assert.equal(made.copied, true);
  assert.ok((await tuneIn(made.output, pauses[0]!)) > -50);
});

test('an overlay is no music, and music without its file is an error', async () => {
  const music = { id: 'm', levelDb: 20, speech };
  await ffmpeg(['-f', 'lavfi', '-i', 'color=red:s=20x20', '-frames:v', '1', at('mark.png')]);
  const watermark = { path: at('mark.png'), pos_x: 0, pos_y: 0, scale: 1 };
  const given = {
    source: at('talk.mp4'),
    output: at('marked.mp4'),
    quality: 'export',
    signal,
  } as const;
  const edit = editOf({ music, ranges: [{ start: 0, end: 4 }], duration: 4 });
  await render(edit, { ...given, watermark, music: at('music.m4a') });
  await assert.rejects(render(edit, given), /The edit has music, whose file is not here/);
});

test('the preview of the editor plays what a render does', () => {
  const music = { id: 'm', levelDb: 20, speech: [{ start: 2, end: 4 }] };
  const rises = [0, 1.6, 1.8, 2, 3, 4, 4.2, 4.4, 9].map((time) => getMusicRise(music, time));
  assert.deepEqual(
    rises.map((rise) => Math.round(rise)),
    [10, 10, 6, 0, 0, 0, 6, 10, 10],
  );
  assert.equal(getMusicRise({ ...music, speech: null }, 1), 0);
  assert.equal(Math.round(getMusicRise({ ...music, speech: [] }, 1)), 10);
});
