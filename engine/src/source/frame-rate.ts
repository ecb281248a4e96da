/** Common frame rates that only a fraction can state exactly. */
const fractionalRates: readonly (readonly [number, number])[] = [
  [24000, 1001],
  [30000, 1001],
  [48000, 1001],
  [60000, 1001],
];

/** A frame rate as a fraction for ffmpeg, such as `30000/1001`. */
export function rateFraction(rate: number): string {
  const exact = fractionalRates.find(([above, below]) => Math.abs(rate - above / below) < 0.002);
  return exact ? exact.join('/') : `${Math.round(rate * 100)}/100`;
}

/**
 * The constant frame rate of the output, 24 to 60, for the average rate of a source. A faster
 * source keeps every second (third, ...) frame. A slower one shows each frame several times, so
 * that captions move smoothly.
 */
export function outputRate(sourceRate: number): number {
  if (!Number.isFinite(sourceRate) || sourceRate <= 0) return 30;
  let rate = sourceRate;
  if (rate > 60.05) rate /= Math.ceil(rate / 60.05);
  // Below one frame per second no multiple is useful: show it at 30.
  if (rate < 23.9) rate = rate < 1 ? 30 : rate * Math.ceil(23.9 / rate);
  const [above, below] = rateFraction(Math.min(rate, 60)).split('/').map(Number);
  return (above ?? 30) / (below ?? 1);
}
