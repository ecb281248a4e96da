import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fadeFilters } from '../../src/render/sound-graph.ts';
import { render } from '../../src/render/render.ts';
import { ffmpeg, temporaryDirectory } from 'clip-testkit/media-footage';
import { plainEdit } from 'clip-testkit/plain-edit';

const directory = await temporaryDirectory();
const at = (name: string) => join(directory.path, name);
const { signal } = new AbortController();
after(() => directory.remove());

const size = { width: 160, height: 90 };
const source = { ...size, frameRate: 25, hasAudio: true };
const sampleRate = 48_000;

before(async () => {
  // prettier-ignore
  await ffmpeg([
    '-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25:d=6',
    '-f', 'lavfi', '-i', `sine=f=217.3:r=${sampleRate}:d=6,volume=6`,
    '-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-pix_fmt', 'yuv420p', '-c:a', 'aac',
    at('tone.mp4'),
  ]);
});

async function samplesOf(path: string): Promise<Float32Array> {
  const raw = await ffmpeg(['-i', path, '-ac', '1', '-f', 'f32le', '-c:a', 'pcm_f32le', '-']);
  return new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length));
}

/** The largest step from one sample to the next. */
const stepIn = (samples: Float32Array): number =>
  samples.reduce((most, sample, index) => {
    const step = index === 0 ? 0 : Math.abs(sample - samples[index - 1]!);
    return Math.max(most, step);
  }, 0);

for (const [what, quality, changes, copied] of [
  ['a preview', 'preview', {}, false],
  ['an export', 'export', {}, false],
  [
    'an export whose pictures are copied',
    'export',
    { dimensions: size, framing: { mode: 'crop', x: 0, y: 0, ...size } },
    true,
  ],
] as const) {
  test(`the sound of ${what} begins and ends without a step`, async () => {
    const edit = plainEdit({
      source,
      ranges: [{ start: 1, end: 4 }],
      dimensions: { width: 90, height: 160 },
      ...changes,
    });
    const output = at('clip.mp4');
    const rendered = await render(edit, { source: at('tone.mp4'), output, quality, signal });
    assert.equal(rendered.copied, copied);
    const samples = await samplesOf(output);
    // What is heard before the clip and after it.
    const heard = Float32Array.from([0, ...samples, 0]);
    const own = stepIn(samples.subarray(sampleRate, 2 * sampleRate));
    assert.ok(own > 0.001, 'there is a tone');
    assert.ok(stepIn(heard) < 1.5 * own, `${stepIn(heard)} of ${own}`);
    const peak = (from: number, to: number) =>
      samples
        .subarray(Math.round(from * sampleRate), Math.round(to * sampleRate))
        .reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    // It comes and goes in 20 ms, and is as loud as ever between.
    const usual = peak(1, 2);
    assert.ok(peak(0, 0.002) < 0.3 * usual && peak(2.998, 3) < 0.3 * usual);
    assert.ok(peak(0.025, 0.05) > 0.9 * usual && peak(2.95, 2.975) > 0.9 * usual);
  });
}

test('the fades of a very short clip do not overlap', () => {
  assert.deepEqual(fadeFilters(0.03), ['afade=t=in:d=0.015', 'afade=t=out:st=0.015:d=0.015']);
  assert.deepEqual(fadeFilters(3), ['afade=t=in:d=0.02', 'afade=t=out:st=2.98:d=0.02']);
});
