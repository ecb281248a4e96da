/** Rates of film and television whose decimals do not end. */
const known: readonly (readonly [number, number])[] = [
  [24000, 1001],
  [30000, 1001],
  [48000, 1001],
  [60000, 1001],
];

/** A rate as a fraction, `30000/1001`, as ffmpeg takes it. */
export function rateFraction(rate: number): string {
  const exact = known.find(([above, below]) => Math.abs(rate - above / below) < 0.002);
  return exact ? exact.join('/') : `${Math.round(rate * 100)}/100`;
}

/**
 * Constant frame rate of the output for a source's average: the same, one of 24 to 60. A faster source gives each second
 * (third, ...) frame; of a slower one each frame is shown several times, so that captions move smoothly.
 */
export function outputRate(sourceRate: number): number {
  if (!Number.isFinite(sourceRate) || sourceRate <= 0) return 30;
  let rate = sourceRate;
  if (rate > 60.05) rate /= Math.ceil(rate / 60.05);
  // A rate near none of the usual multiples (variable frame rate) is as well shown at 30.
  if (rate < 23.9) rate = rate < 1 ? 30 : rate * Math.ceil(23.9 / rate);
  const [above, below] = rateFraction(Math.min(rate, 60)).split('/').map(Number);
  return (above ?? 30) / (below ?? 1);
}
