import {
  renewalDelay,
  tokenLife,
  type ReceivedToken,
  type TokenLife,
} from '../flow/token-renewal.ts';
import { stopwatch } from './stopwatch.ts';

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
