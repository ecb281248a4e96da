import { speechRate } from '../sample/speech.ts';

/** Numbers of 0 to 1, the same at each run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

/** The sound of a hall that claps: many short bursts of noise, dying away towards the end. */
export function applause(seconds: number): Int16Array {
  const random = randomNumbers(7);
  const samples = new Float32Array(Math.round(seconds * speechRate));
  const clapLength = Math.round(0.012 * speechRate);
  for (let clap = 0; clap < seconds * 160; clap++) {
    const share = random();
    const loudness = 2600 * Math.min(1, share * 8, (1 - share) * 3) * (0.3 + random());
    const from = Math.floor(share * samples.length);
    for (let at = 0; at < clapLength && from + at < samples.length; at++) {
      samples[from + at]! += loudness * (random() * 2 - 1) * Math.exp((-5 * at) / clapLength);
    }
  }
  return Int16Array.from(samples, (value) => Math.max(-32_768, Math.min(32_767, value)));
}
