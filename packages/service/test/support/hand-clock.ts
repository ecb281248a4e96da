import type { Clock } from '../../src/queue/open.ts';

/** Timers that end when the test says so. */
export function handClock(): Clock & { pass(ms: number): void } {
  let now = 0;
  const timers = new Map<NodeJS.Timeout, { due: number; work: () => void }>();
  const set = (work: () => void, ms = 0): NodeJS.Timeout => {
    // What identifies it; it never ends.
    const timer = setTimeout(() => {}, 2 ** 31 - 1).unref();
    timers.set(timer, { due: now + ms, work });
    return timer;
  };
  return {
    setTimeout: set as typeof setTimeout,
    clearTimeout: (timer) => {
      clearTimeout(timer);
      timers.delete(timer as NodeJS.Timeout);
    },
    pass(ms) {
      now += ms;
      for (const [timer, { due, work }] of timers) {
        if (due > now) continue;
        clearTimeout(timer);
        timers.delete(timer);
        work();
      }
    },
  };
}
