import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SoundReader } from '../../src/scan/sound-scan.ts';
import { dice } from '../support/media-analysis.ts';

const rate = 16_000;
type Sound = (second: number, index: number) => number;

const random = dice(3);
const hiss: Sound = () => random() * 2 - 1;

/** Many people who laugh: short breaths, each on a tone of its own. */
const laughs = new Float32Array(2 * rate);
for (let laugh = 0; laugh < 20 * 5 * 2; laugh++) {
  const from = Math.floor(random() * laughs.length);
  const pitch = 150 + 350 * random();
  for (let at = 0; at < 1600; at++) {
    const tone = 2 * (((pitch * at) / rate) % 1) - 1;
    const breath = 0.5 * tone + 0.1 * hiss(0, at);
    laughs[(from + at) % laughs.length]! += breath * Math.sin((Math.PI * at) / 1600);
  }
}
const crowd: Sound = (_, index) => laughs[index % laughs.length]!;

/** A voice: a low tone in syllables, four a second, with a pause after each. */
const voice: Sound = (second) =>
  (second * 4) % 1 < 0.7 ? Math.sin(2 * Math.PI * 180 * second) : 0.001 * (random() - 0.5);
const music: Sound = (second) =>
  Math.sin(2 * Math.PI * 220 * second) + 0.5 * Math.sin(2 * Math.PI * 330 * second);
const nothing: Sound = () => 0;

/** Reads parts of sound one after another: how they sound, seconds and peak (0 to 1). */
function reactionsIn(...parts: readonly (readonly [Sound, number, number])[]) {
  const reader = new SoundReader();
  let duration = 0;
  for (const [sound, seconds, peak] of parts) {
    const samples = Int16Array.from({ length: seconds * rate }, (_, index) =>
      Math.round(20_000 * peak * sound(index / rate, index)),
    );
    reader.piece(Buffer.from(samples.buffer));
    duration += seconds;
  }
  return reader.end(duration).reactions;
}

describe('an audience', () => {
  it('is heard between words, as loud as the voice and softer', () => {
    for (const peak of [1, 0.4, 0.25]) {
      const heard = reactionsIn([voice, 20, 0.5], [crowd, 3, peak / 2], [voice, 20, 0.5]);
      assert.deepEqual(heard, [{ start: 20, end: 23 }]);
    }
  });

  it('is heard once, although it is quiet for a moment', () => {
    const heard = reactionsIn(
      ...([
        [voice, 10, 0.5],
        [crowd, 1, 0.4],
        [nothing, 0.5, 0],
        [crowd, 1, 0.4],
      ] as const),
      [voice, 10, 0.5],
    );
    assert.deepEqual(heard, [{ start: 10, end: 12.5 }]);
  });

  it('is not shorter than a second', () => {
    assert.deepEqual(reactionsIn([voice, 20, 0.5], [crowd, 0.5, 0.5], [voice, 20, 0.5]), []);
  });

  it('is not a hiss, which is more even', () => {
    assert.deepEqual(reactionsIn([voice, 20, 0.5], [hiss, 3, 0.25], [voice, 20, 0.5]), []);
  });

  it('is not a voice, music, silence or the noise of a recording', () => {
    assert.deepEqual(reactionsIn([voice, 20, 0.5], [music, 10, 0.5], [nothing, 5, 0]), []);
    assert.deepEqual(reactionsIn([voice, 20, 0.5], [crowd, 3, 0.02], [voice, 20, 0.5]), []);
  });

  it('is not noise that goes on, such as rain', () => {
    assert.deepEqual(reactionsIn([voice, 60, 0.5], [crowd, 30, 0.3], [voice, 60, 0.5]), []);
  });
});
