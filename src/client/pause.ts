/** Timers stop while a computer sleeps. Short ones check the date often enough to detect it. */
const maxTimerMs = 15_000;

/** A wait that can be ended early, and rejects when its signal is aborted. */
export class Pause {
  #wake: () => void = () => {};

  /**
   * Resolves after `ms` milliseconds (false) or at {@link wake} (true); null waits for a wake only.
   * Rejects with the signal's reason.
   */
  for(ms: number | null, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      let timer: ReturnType<typeof setTimeout> | undefined;
      const end = (settle: () => void) => () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        settle();
      };
      const over = end(() => resolve(false));
      const onAbort = end(() => reject(signal.reason));
      this.#wake = end(() => resolve(true));
      const due = Date.now() + (ms ?? 0);
      const wait = (left: number) => {
        const done = () =>
          left > maxTimerMs && Date.now() < due ? wait(left - maxTimerMs) : over();
        timer = setTimeout(done, Math.min(left, maxTimerMs));
      };
      if (ms !== null) wait(ms);
      signal.addEventListener('abort', onAbort);
    });
  }

  wake(): void {
    this.#wake();
  }
}

/** Rejects if a promise of the page's own code is not settled within `ms` milliseconds. */
export function limitTime<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing came within ${ms / 1000} s`)), ms);
  });
  return Promise.race([promise, end]).finally(() => clearTimeout(timer));
}

/** Calls `listener` when the window gets the focus. */
export const onFocus = (listener: () => void, signal: AbortSignal): void =>
  addEventListener('focus', listener, { signal });

/** Calls `listener` when the page is shown again, online again, or restored from the cache. */
export function onReturn(listener: () => void, signal: AbortSignal): void {
  const shown = () => {
    if (!document.hidden) listener();
  };
  document.addEventListener('visibilitychange', shown, { signal });
  addEventListener('online', listener, { signal });
  addEventListener(
    'pageshow',
    ({ persisted }) => {
      if (persisted) listener();
    },
    { signal },
  );
}
