/**
 * Starts counting; the function tells how many milliseconds have passed. `performance.now()` is not changed when the clock
 * is set, but stands still in some browsers while the computer sleeps; then the date tells. So a clock that is set back
 * changes nothing, and one that is set forward looks like sleep.
 */
export const stopwatch = (): (() => number) => {
  const ticks = performance.now();
  const date = Date.now();
  return () => Math.max(performance.now() - ticks, Date.now() - date);
};
