/** So late, the process stood still: it cannot tell what others did meanwhile. */
const lateMs = 1000;

/**
 * Calls `expire` whenever so much time has passed since the last restart. Time in which the process
 * was stopped does not count: it waits again for the whole time then.
 */
export function awakeTimer(
  ms: number,
  expire: () => void,
): { restart: () => void; stop: () => void } {
  let due = performance.now() + ms;
  const timer = setTimeout(() => {
    const late = performance.now() - due > lateMs;
    restart();
    if (!late) expire();
  }, ms);
  const restart = (): void => {
    due = performance.now() + ms;
    timer.refresh();
  };
  return { restart, stop: () => clearTimeout(timer) };
}
