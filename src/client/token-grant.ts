import {
  type ReceivedToken,
  renewalDelay,
  tokenLife,
  type TokenLife,
} from '../flow/token-renewal.ts';

/** A token, and how long it lives. */
export interface TokenGrant {
  readonly token: string;
  /** From its receipt on; null if it is not known. */
  readonly life: TokenLife | null;
  /** Milliseconds since its receipt. */
  readonly age: () => number;
}

/** A grant for a token received now. */
export const grantOf = (received: Omit<ReceivedToken, 'now'>): TokenGrant => ({
  token: received.token,
  life: tokenLife({ ...received, now: Date.now() }),
  age: stopwatch(),
});

/** Whether it is time to replace it. */
export function isDue({ life, age }: TokenGrant): boolean {
  const delay = renewalDelay(life);
  return delay !== null && age() >= delay;
}

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
