/**
 * A function that tells how many milliseconds have passed since now. `performance.now()` ignores
 * changes of the clock, but stops in some browsers while the computer sleeps; the date does not.
 * So a clock that is set back changes nothing, and one that is set forward looks like sleep.
 */
export function stopwatch(): () => number {
  const ticks = performance.now();
  const date = Date.now();
  return () => Math.max(performance.now() - ticks, Date.now() - date);
}
