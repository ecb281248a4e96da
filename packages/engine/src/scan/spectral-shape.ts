/**
 * Measures the spread of sound over frequencies, above all its likeness to noise: the flatness
 * (geometric by arithmetic mean of the power) in narrow bands, so that neither the colour of
 * noise nor a filter changes it. Even noise has about 0.6; tones and voices, whose power is in
 * single lines, have less than 0.3.
 */

const size = 512;
/** Bands of 375 Hz at 16 kHz. */
const bandBins = 12;

const sines = Float64Array.from({ length: size }, (_, at) => Math.sin((2 * Math.PI * at) / size));
const cosines = sines.map((_, at) => sines[(at + size / 4) % size]!);
const hann = cosines.map((cosine) => 0.5 - 0.5 * cosine);
/** The places of a list in the order of their mirrored bits. */
const mirrored = Uint16Array.from({ length: size }, (_, at) => {
  let place = 0;
  for (let bit = 1; bit < size; bit <<= 1) place = 2 * place + (at & bit ? 1 : 0);
  return place;
});

/** The power of each bin, by a fast Fourier transform of samples from `from` on. */
function computeSpectrum(samples: Int16Array, from: number): Float64Array {
  const real = new Float64Array(size);
  const imaginary = new Float64Array(size);
  for (let at = 0; at < size; at++) real[mirrored[at]!] = samples[from + at]! * hann[at]!;
  for (let half = 1; half < size; half *= 2) {
    const step = size / (2 * half);
    for (let first = 0; first < size; first += 2 * half) {
      for (let at = 0; at < half; at++) {
        const low = first + at;
        const high = low + half;
        const along = cosines[at * step]!;
        const across = -sines[at * step]!;
        const turned = real[high]! * along - imaginary[high]! * across;
        const other = real[high]! * across + imaginary[high]! * along;
        real[high] = real[low]! - turned;
        imaginary[high] = imaginary[low]! - other;
        real[low]! += turned;
        imaginary[low]! += other;
      }
    }
  }
  for (let at = 0; at < size; at++) {
    real[at] = real[at]! * real[at]! + imaginary[at]! * imaginary[at]! + 1;
  }
  return real;
}

/** The logarithm of the flatness of the bands from one bin to another, on average. */
function logFlatness(power: Float64Array, [from, to]: readonly [number, number]): number {
  let [logarithms, bands] = [0, 0];
  for (let first = from; first + bandBins <= to; first += bandBins, bands++) {
    let [sum, product] = [0, 0];
    for (let bin = first; bin < first + bandBins; bin++) {
      sum += power[bin]!;
      product += Math.log(power[bin]!);
    }
    logarithms += product / bandBins - Math.log(sum / bandBins);
  }
  return logarithms / bands;
}

/** The bins below voices, those from 0.2 to 2 kHz, where voices are, and from there to 6 kHz. */
const bins = { bass: [1, 6], low: [6, 66], high: [66, 198] } as const;
/** Where most vowels end, and claps and laughter begin. */
const vowelEnd = 20;

/** The spread of sound at 16 kHz over time and frequencies. */
export interface SpectralShape {
  /** The mean flatness of short spectra. */
  low: number;
  high: number;
  /** The flatness of their mean: less than 0.8 if tones stay. */
  lasting: number;
  /** Levels in dB: of the bass against what is above, and of vowels against the rest of `low`. */
  bassDb: number;
  vowelDb: number;
}

export function measureSpectralShape(samples: Int16Array): SpectralShape {
  let [low, high, count] = [0, 0, 0];
  const mean = new Float64Array(size);
  for (let from = 0; from + size <= samples.length; from += size, count++) {
    const power = computeSpectrum(samples, from);
    low += logFlatness(power, bins.low);
    high += logFlatness(power, bins.high);
    for (let bin = 0; bin < bins.high[1]; bin++) mean[bin]! += power[bin]!;
  }
  const level = (from: number, to: number) =>
    10 * Math.log10(mean.subarray(from, to).reduce((sum, power) => sum + power, 0));
  const [first, last] = bins.low;
  return {
    low: Math.exp(low / count),
    high: Math.exp(high / count),
    lasting: Math.exp(logFlatness(mean, bins.low)),
    bassDb: level(...bins.bass) - level(first, last),
    vowelDb: level(first, vowelEnd) - level(vowelEnd, last),
  };
}
