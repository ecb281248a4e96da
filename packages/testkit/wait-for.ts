import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { stallMs } from './stall-ms.ts';

type Nothing = false | null | undefined;

/**
 * Tries until it finds something, as long as `progress` returns something new now and then. Fails
 * with the last value of `progress`.
 */
export async function waitFor<T>(
  what: string,
  look: () => T | Nothing | Promise<T | Nothing>,
  progress: () => unknown = () => undefined,
  limitMs = stallMs,
): Promise<T> {
  let seen = '';
  let changed = performance.now();
  let looked = -Infinity;
  for (;;) {
    const found = await look();
    if (found !== false && found !== null && found !== undefined) return found;
    // To look for progress may take long itself: a page is laid out for it.
    if (performance.now() - looked > limitMs / 100) {
      const now = inspect(await progress(), { depth: 5 });
      looked = performance.now();
      if (now !== seen) {
        seen = now;
        changed = looked;
      } else if (looked - changed > limitMs) {
        throw new Error(`${what}: nothing has changed for ${limitMs / 1000} s; last seen: ${seen}`);
      }
    }
    await pause(50);
  }
}
