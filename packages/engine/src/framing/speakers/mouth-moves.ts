/**
 * A mouth that moves by less seems to move: noise of the measurement, in distances of the eyes.
 */
const minMove = 0.03;

/**
 * The times at which a mouth has begun to open or to close.
 * @param openings at these times, in distances of the eyes; null where it was not read
 */
export function findMouthMoves(
  times: readonly number[],
  openings: readonly (number | null)[],
): number[] {
  const found: number[] = [];
  // The lowest and highest opening since the last turn.
  let [low, high] = [Infinity, -Infinity];
  let direction = 0;
  for (const [at, opening] of openings.entries()) {
    if (opening === null) continue;
    [low, high] = [Math.min(low, opening), Math.max(high, opening)];
    const opens = direction <= 0 && opening > low + minMove;
    const closes = !opens && direction >= 0 && opening < high - minMove;
    if (opens || closes) {
      found.push(times[at]!);
      direction = opens ? 1 : -1;
    }
    const isFurther = direction === 1 ? opening >= high : direction === -1 && opening <= low;
    if (opens || closes || isFurther) [low, high] = [opening, opening];
  }
  return found;
}
