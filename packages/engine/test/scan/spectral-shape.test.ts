import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { measureSpectralShape } from '../../src/scan/spectral-shape.ts';
import { dice } from 'clip-testkit/media-analysis';

const random = dice(4);
const sound = (at: (index: number) => number) =>
  Int16Array.from({ length: 8000 }, (_, index) => Math.round(8000 * at(index)));
const noise = Float64Array.from({ length: 8001 }, () => random() * 2 - 1);

describe('the flatness of a spectrum', () => {
  it('is the same for noise of any colour', () => {
    const white = measureSpectralShape(sound((index) => noise[index]!));
    const dull = measureSpectralShape(sound((index) => 0.5 * (noise[index]! + noise[index + 1]!)));
    for (const { low, high } of [white, dull]) {
      assert.ok(low > 0.55 && low < 0.65, `low ${low}`);
      assert.ok(high > 0.55 && high < 0.65, `high ${high}`);
    }
  });

  it('is small for a voice of many harmonics', () => {
    const { low, high } = measureSpectralShape(
      sound((index) => {
        let sum = 0;
        for (let harmonic = 1; harmonic <= 30; harmonic++) {
          sum += Math.sin((2 * Math.PI * 160 * harmonic * index) / 16_000) / harmonic;
        }
        return sum / 3;
      }),
    );
    assert.ok(low < 0.2 && high < 0.25, `${low} and ${high}`);
  });
});
