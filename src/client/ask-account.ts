import { retryDelay } from '../flow/backoff.ts';
import { isAccountNamed } from './account.ts';
import { isClipError } from './clip-error.ts';
import { HttpError } from './errors.ts';
import type { HostClient } from './host-client.ts';
import { onReturn, Pause } from './pause.ts';

/** Who waits for an endpoint's host to name the account. */
const waiting = new Map<string, Set<AbortSignal>>();

const isRefusal = (cause: unknown): boolean =>
  cause instanceof HttpError
    ? cause.status < 500 && cause.status !== 429
    : isClipError(cause) && cause.code === 'signed-out';

/**
 * Gets the host to name the account, with one request for the whole page, or none if one runs.
 * `path`: where it knows attempts.
 */
export async function askAccount(
  host: HostClient,
  path: '/exports' | '/tasks',
  signal: AbortSignal,
): Promise<void> {
  const { endpoint } = host;
  const others = waiting.get(endpoint);
  if (others) {
    others.add(signal);
    return;
  }
  const signals = new Set([signal]);
  waiting.set(endpoint, signals);
  const pause = new Pause();
  const life = new AbortController();
  onReturn(() => pause.wake(), life.signal);
  try {
    for (let failures = 1; ; failures++) {
      const cause: unknown = await host.nextAnswer(path).then(
        () => null,
        (reason: unknown) => reason,
      );
      if (isAccountNamed(endpoint) || [...signals].every(({ aborted }) => aborted)) return;
      const jitter = Math.random();
      const { hidden } = document;
      // While no user is signed in, only a return to the page may change that.
      const delayMs = isRefusal(cause)
        ? null
        : retryDelay({ failures, retryAfter: null, hidden, jitter });
      await pause.for(delayMs, life.signal);
    }
  } finally {
    life.abort();
    waiting.delete(endpoint);
  }
}
