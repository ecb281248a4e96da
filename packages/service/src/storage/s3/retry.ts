import { setTimeout } from 'node:timers/promises';
import { StorageUnavailable } from '../unavailable.ts';

const firstPauseMs = 100;
const maxPauseMs = 5000;

/** How long a call is tried again. */
export const callPatienceMs = 10_000;

/** How long a transfer is tried again: what is lost with it took minutes to make. */
export const transferPatienceMs = 120_000;

/**
 * Does it again while the storage is unavailable, with growing pauses, for as long as it may take.
 * `progressed` begins that time again. The signal ends a pause, with the last failure.
 */
export async function withRetries<T>(
  patienceMs: number,
  signal: AbortSignal,
  work: (progressed: () => void) => Promise<T>,
): Promise<T> {
  let began = performance.now();
  let pauseMs = firstPauseMs;
  const progressed = (): void => {
    began = performance.now();
    pauseMs = firstPauseMs;
  };
  for (;;) {
    try {
      return await work(progressed);
    } catch (error) {
      if (!(error instanceof StorageUnavailable) || signal.aborted) throw error;
      if (performance.now() - began + pauseMs > patienceMs) throw error;
      await setTimeout(pauseMs * (0.5 + Math.random() / 2), null, { signal }).catch(() => {
        throw error;
      });
      pauseMs = Math.min(maxPauseMs, pauseMs * 2);
    }
  }
}
