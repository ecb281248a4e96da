/** Common frame rates that only a fraction can state exactly. */
const fractionalRates: readonly (readonly [number, number])[] = [
  [24000, 1001],
  [30000, 1001],
  [48000, 1001],
  [60000, 1001],
];

/** A frame rate as a fraction for ffmpeg, such as `30000/1001`. */
export function formatRate(rate: number): string {
  const exact = fractionalRates.find(([above, below]) => Math.abs(rate - above / below) < 0.002);
  return exact ? exact.join('/') : `${Math.round(rate * 100)}/100`;
}

/** Rates at which cameras and screens record, for videos of uneven rate that do not state it. */
const commonRates = [24, 25, 30, 50, 60] as const;

const cameraRates: readonly number[] = [
  ...commonRates,
  ...fractionalRates.map(([above, below]) => above / below),
];

/** Rates that are closer than this are the same: 29.97 and 30 are 0.1 % apart. */
const isSameRate = (one: number, other: number): boolean => Math.abs(one / other - 1) < 4e-4;

/**
 * Whether a header leaves no doubt of the frame rate: average and base rate are one of a camera, or
 * the base counts fields.
 */
export const isSureRate = (average: number, base: number): boolean =>
  cameraRates.some(
    (rate) => isSameRate(rate, average) && [1, 2].some((even) => isSameRate(base, even * rate)),
  );

/** The minimum share of pictures that follow each other if only some are missing. */
const minSteadyShare = 0.9;

/**
 * Measures the rate of nearly evenly spaced times, in pictures per second; null if they are uneven.
 */
export function measureSteadyRate(times: readonly number[]): number | null {
  const sorted = times.toSorted((one, other) => one - other);
  const gaps = sorted.slice(1).map((time, index) => time - sorted[index]!);
  const usual = gaps.toSorted((one, other) => one - other)[Math.floor(gaps.length / 2)] ?? 0;
  // Some containers round to milliseconds.
  const single = gaps.filter((gap) => Math.abs(gap - usual) < usual / 4);
  if (usual <= 0 || single.length < minSteadyShare * gaps.length) return null;
  return single.length / single.reduce((sum, gap) => sum + gap, 0);
}

/**
 * The frame rate that a video was made for, from its average and its base rate (the least common
 * multiple of its frame times). They differ if frames are missing, or not evenly apart.
 * @param steady what nearly all pictures are apart, by {@link measureSteadyRate}
 */
export function chooseNominalRate(
  average: number,
  base: number,
  steady: number | null = null,
): number {
  if (average <= 0 || base <= 0) return average || base || 25;
  const made = steady && [base, ...cameraRates].find((rate) => isSameRate(rate, steady));
  if (made) return made;
  const ratio = base / average;
  // Twice the average: the base counts fields.
  if ([1, 2].some((even) => Math.abs(ratio - even) < 0.01)) return average;
  if (base > 23.9 && base < 60.05) return base;
  if (average < 23.5) return 30;
  return commonRates.find((rate) => rate >= average * 0.995) ?? average;
}

/**
 * The constant frame rate of the output, 24 to 60, for the rate of a source. A faster
 * source keeps every second (third, ...) frame. A slower one shows each frame several times, so
 * that captions move smoothly.
 */
export function chooseOutputRate(sourceRate: number): number {
  if (!Number.isFinite(sourceRate) || sourceRate <= 0) return 30;
  let rate = sourceRate;
  if (rate > 60.05) rate /= Math.ceil(rate / 60.05);
  // Below one frame per second no multiple is useful: show it at 30.
  if (rate < 23.9) rate = rate < 1 ? 30 : rate * Math.ceil(23.9 / rate);
  const [above, below] = formatRate(Math.min(rate, 60)).split('/').map(Number);
  return (above ?? 30) / (below ?? 1);
}
