import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Span } from '../../src/facts.ts';
import { analyse } from '../../src/scan/analyse.ts';
import { SoundReader } from '../../src/scan/sound-scan.ts';
import { findPauses } from '../../src/scan/speech-pauses.ts';
import { frameSeconds } from '../../src/source/sound-levels.ts';
import { ffmpeg, temporaryDirectory } from 'clip-testkit/media-footage';
import { dice } from 'clip-testkit/media-analysis';
import { realSpeech } from '../support/real-speech.ts';

/** Levels of talk with pauses of one second: three seconds of syllables between them. */
function talk({
  speech,
  noise,
  seconds = 40,
}: {
  speech: number;
  noise: number;
  seconds?: number;
}) {
  const random = dice(7);
  return Float32Array.from({ length: seconds / frameSeconds }, (_, frame) => {
    const time = frame * frameSeconds;
    const hiss = noise + 2 * random();
    if (time % 4 >= 3) return hiss;
    const syllable = 20 * Math.abs(Math.sin(time * 13)) - 20;
    return Math.max(hiss, speech + syllable * 0.6 + 3 * random());
  });
}

const near = (one: Span, other: Span, tolerance = 0.08): boolean =>
  Math.abs(one.start - other.start) <= tolerance && Math.abs(one.end - other.end) <= tolerance;

const seconds = (count: number): Span[] =>
  Array.from({ length: count }, (_, index) => ({ start: index * 4 + 3, end: index * 4 + 4 }));

for (const [name, speech, noise] of [
  ['of a quiet room', -16, -60],
  ['of a hall', -14, -40],
  ['that are louder than -35 dB', -8, -32],
  ['of a recording that is far too quiet', -45, -75],
  ['of a noise gate', -16, -90],
] as const) {
  test(`pauses ${name} are found, each within 80 ms`, () => {
    const pauses = findPauses(talk({ speech, noise }));
    assert.equal(pauses.length, 10);
    seconds(10).forEach((expected, index) => {
      assert.ok(near(pauses[index]!, expected), JSON.stringify(pauses[index]));
    });
  });
}

test('the noise may change within a recording', () => {
  const parts = [-60, -35].map((noise) => talk({ speech: -12, noise, seconds: 120 }));
  const pauses = findPauses(Float32Array.from(parts.flatMap((part) => [...part])));
  const found = seconds(60).filter((expected) => pauses.some((one) => near(one, expected)));
  assert.ok(found.length >= 56, `${found.length} of 60`);
});

test('soft speech stays speech, and so do music and noise that do not pause', () => {
  const soft = talk({ speech: -14, noise: -60 });
  // The last words of each sentence are 20 dB softer.
  soft.forEach((level, frame) => {
    const time = (frame * frameSeconds) % 4;
    if (time > 2 && time < 3) soft[frame] = Math.max(-60, level - 20);
  });
  for (const { start } of findPauses(soft)) assert.ok(start % 4 > 2.9, String(start));
  const random = dice(3);
  const music = Float32Array.from({ length: 6000 }, () => -30 + 12 * random());
  assert.deepEqual(findPauses(music), []);
  assert.deepEqual(findPauses(new Float32Array(500).fill(-90)), [{ start: 0, end: 5 }]);
});

const recording = realSpeech('jfk.wav');

test('the pauses of a real speech are found', { skip: !existsSync(recording) }, async () => {
  const reader = new SoundReader();
  reader.read(await ffmpeg(['-i', recording, '-ac', '1', '-ar', '16000', '-f', 's16le', '-']));
  const { silences } = reader.end(11);
  for (const pause of [
    { start: 2.2, end: 3.4 },
    { start: 4.3, end: 5.4 },
    { start: 7.6, end: 8.2 },
  ]) {
    assert.ok(
      silences.some((one) => near(one, pause, 0.15)),
      JSON.stringify(silences),
    );
  }
});

test('a scan finds the pauses of a video with a noisy sound', async () => {
  const { path, remove } = await temporaryDirectory();
  try {
    const source = join(path, 'noisy.mp4');
    // prettier-ignore
    await ffmpeg([
      '-f', 'lavfi', '-i', 'color=gray:s=64x36:r=5:d=12',
      '-f', 'lavfi', '-i', `sine=f=300:r=48000,volume='0.2+lt(mod(t,4),3)*(4+3*sin(t*40))':eval=frame`,
      '-f', 'lavfi', '-i', 'anoisesrc=c=pink:r=48000:a=0.1',
      '-filter_complex', '[1:a][2:a]amix=inputs=2:normalize=0[a]',
      '-map', '0:v', '-map', '[a]', '-c:a', 'aac', '-shortest', source,
    ]);
    const media = { duration: 12, width: 64, height: 36, frameRate: 5, hasAudio: true };
    const { silences } = await analyse(
      {
        path: source,
        transcriptPath: null,
        media: { ...media, videoCodec: 'h264', audioCodec: 'aac' },
      },
      { signal: new AbortController().signal },
    );
    assert.equal(silences.length, 3, JSON.stringify(silences));
    for (const [index, pause] of seconds(3).entries()) {
      assert.ok(near(silences[index]!, pause), JSON.stringify(silences[index]));
    }
  } finally {
    await remove();
  }
});
