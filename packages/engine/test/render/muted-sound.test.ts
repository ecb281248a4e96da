import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ffmpeg, temporaryDirectory } from 'clip-testkit/media-footage';
import { plainEdit } from 'clip-testkit/plain-edit';
import type { Edit } from '../../src/edit.ts';
import { render } from '../../src/render/render.ts';
import { realSpeech } from '../support/real-speech.ts';

const directory = await temporaryDirectory();
const at = (name: string) => join(directory.path, name);
const { signal } = new AbortController();
after(() => directory.remove());

const recording = realSpeech('jfk.wav');
/** Without the recording, something that is as loud all the time. */
const speech = existsSync(recording)
  ? `amovie=${recording},aresample=48000`
  : 'aevalsrc=0.2*sin(2*PI*180*t)*(1+sin(2*PI*5*t)):s=48000';
const size = { width: 160, height: 90 };

before(async () => {
  // prettier-ignore
  await ffmpeg([
    '-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25', '-f', 'lavfi', '-i', speech, '-t', '10',
    '-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-pix_fmt', 'yuv420p', '-c:a', 'aac',
    at('talk.mp4'),
  ]);
});

const sampleRate = 48_000;

/** The levels of spans of a file's sound in dBFS (RMS). */
async function levelsOf(path: string, spans: readonly { start: number; end: number }[]) {
  const raw = await ffmpeg(['-i', path, '-ac', '1', '-f', 'f32le', '-c:a', 'pcm_f32le', '-']);
  const samples = new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length));
  return spans.map(({ start, end }) => {
    const part = samples.subarray(Math.round(start * sampleRate), Math.round(end * sampleRate));
    const power = part.reduce((sum, sample) => sum + sample * sample, 0) / part.length;
    return 10 * Math.log10(power + 1e-12);
  });
}

/** Two words of the speech: three seconds of the source are not in the clip. */
const word = { start: 1.4, end: 1.75 };
const later = { start: 3.5, end: 3.9 };
/** Just beside the first word, where the coder has no echo of it. */
const beside = [
  { start: word.start - 0.1, end: word.start - 0.03 },
  { start: word.end + 0.03, end: word.end + 0.1 },
];
const ranges = [
  { start: 0, end: 3 },
  { start: 6, end: 8 },
];

async function rendered(changes: Partial<Edit>, quality: 'export' | 'preview' = 'export') {
  const source = { ...size, frameRate: 25, hasAudio: true };
  const edit = plainEdit({ source, ranges, dimensions: { width: 90, height: 160 }, ...changes });
  const output = at(`${Math.random()}.mp4`);
  const options = { source: at('talk.mp4'), output, quality, signal };
  const { copied } = await render(edit, options);
  const [first, second, ...sides] = await levelsOf(output, [word, later, ...beside]);
  return { first: first!, second: second!, sides, copied, output };
}

for (const quality of ['export', 'preview'] as const) {
  test(`a muted word is silent in the ${quality}, and all beside it is as loud as ever`, async () => {
    const plain = await rendered({}, quality);
    assert.ok(plain.first > -40 && plain.second > -40, 'both are speech');
    const muted = { spans: [word], sound: 'mute' as const };
    const made = await rendered({ muted }, quality);
    assert.ok(made.first < -70, `${made.first} dB in the word`);
    for (const [index, level] of [made.second, ...made.sides].entries()) {
      const before = [plain.second, ...plain.sides][index]!;
      assert.ok(Math.abs(level - before) < 1.5, `${before} dB became ${level}`);
    }
  });
}

test('a bleep is heard in place of the word: one tone, softer than speech', async () => {
  const muted = { spans: [word, later], sound: 'bleep' as const };
  const { first, second, output } = await rendered({ muted });
  // The tone has a level of its own, whatever the speech has.
  for (const level of [first, second]) assert.ok(Math.abs(level + 18) < 1, `${level} dB`);
  const without = at('without-tone.mp4');
  const notch = 'bandreject=f=1000:width_type=h:w=200,bandreject=f=1000:width_type=h:w=200';
  await ffmpeg(['-i', output, '-af', notch, '-y', without]);
  const inside = { start: word.start + 0.05, end: word.end - 0.05 };
  const [rest] = await levelsOf(without, [inside]);
  assert.ok(rest! < -45, `${rest} dB beside the tone`);
});

test('a copy of the pictures is no copy of the word', async () => {
  const whole = {
    ranges: [{ start: 0, end: 6 }],
    duration: 6,
    dimensions: size,
    framing: { mode: 'crop', x: 0, y: 0, ...size } as const,
  };
  for (const sound of ['mute', 'bleep'] as const) {
    const plain = await rendered(whole);
    const made = await rendered({ ...whole, muted: { spans: [word], sound } });
    assert.deepEqual([plain.copied, made.copied], [true, true]);
    if (sound === 'mute') assert.ok(made.first < -70, `${made.first} dB in the word`);
    else assert.ok(Math.abs(made.first + 18) < 1, `${made.first} dB in the word`);
    assert.ok(plain.first > -40, `${plain.first} dB`);
    assert.ok(Math.abs(made.second - plain.second) < 1.5, `${made.second} of ${plain.second} dB`);
  }
});

test('hundreds of words can be muted', async () => {
  const clicks = Array.from({ length: 400 }, (_, index) => {
    const start = index * 0.003 + (index < 200 ? 0 : 1.4);
    return { start, end: start + 0.001 };
  });
  const spans = [...clicks.slice(0, 200), word, ...clicks.slice(200)];
  const { first, second } = await rendered({ muted: { spans, sound: 'mute' } });
  assert.ok(first < -70 && second > -40, `${first} and ${second} dB`);
});
