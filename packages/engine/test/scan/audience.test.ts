import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SoundReader } from '../../src/scan/sound-scan.ts';
import { dice } from 'clip-testkit/media-analysis';

const rate = 16_000;
type Sound = (second: number, index: number) => number;

const random = dice(3);
const hiss: Sound = () => random() * 2 - 1;

/** Many people who laugh: short breaths, each on a tone of its own, through an open mouth. */
const laughs = new Float32Array(2 * rate);
const mouth = 0.97;
for (let breath = 0; breath < 300; breath++) {
  const from = Math.floor(random() * laughs.length);
  const pitch = 150 + 350 * random();
  const formant = 2 * mouth * Math.cos((2 * Math.PI * (1000 + 600 * random())) / rate);
  let [last, before] = [0, 0];
  for (let at = 0; at < 1600; at++) {
    const tone = 2 * (((pitch * at) / rate) % 1) - 1;
    const air = (0.5 * tone + 0.1 * hiss(0, at)) * Math.sin((Math.PI * at) / 1600);
    [last, before] = [air + formant * last - mouth ** 2 * before, last];
    laughs[(from + at) % laughs.length]! += last;
  }
}
const loudest = laughs.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
const crowd: Sound = (_, index) => (3 * laughs[index % laughs.length]!) / loudest;

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
    reader.read(Buffer.from(samples.buffer));
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

  it('is not wind, whose level swells', () => {
    let slow = 0;
    const wind: Sound = (second) => {
      slow += 0.2 * (hiss(0, 0) - slow);
      return 3 * slow * (1 + 0.7 * Math.sin(1.3 * second));
    };
    assert.deepEqual(reactionsIn([voice, 20, 0.5], [wind, 6, 0.25], [voice, 20, 0.5]), []);
  });

  it('is not a voice, music, silence or the noise of a recording', () => {
    assert.deepEqual(reactionsIn([voice, 20, 0.5], [music, 10, 0.5], [nothing, 5, 0]), []);
    assert.deepEqual(reactionsIn([voice, 20, 0.5], [crowd, 3, 0.02], [voice, 20, 0.5]), []);
  });

  it('is not noise that goes on, such as rain', () => {
    assert.deepEqual(reactionsIn([voice, 30, 0.5], [crowd, 30, 0.3], [voice, 30, 0.5]), []);
  });
});
