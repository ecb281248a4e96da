/**
 * The longest timer, in milliseconds. Timers stand still while a computer sleeps, so after each one the date is looked at:
 * what has come due in the meantime waits no longer than this.
 */
const longest = 15_000;

/** A wait that ends early when it is woken, and with a rejection when its signal is aborted. */
export class Pause {
  #wake: () => void = () => {};

  /**
   * Resolves after `ms` milliseconds (false) or at {@link wake} (true); rejects with the signal's reason. Null waits for a
   * wake alone.
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
        const done = () => (left > longest && Date.now() < due ? wait(left - longest) : over());
        timer = setTimeout(done, Math.min(left, longest));
      };
      if (ms !== null) wait(ms);
      signal.addEventListener('abort', onAbort);
    });
  }

  wake(): void {
    this.#wake();
  }
}

/** Calls `listener` when the window has the focus again. */
export const onFocus = (listener: () => void, signal: AbortSignal): void =>
  addEventListener('focus', listener, { signal });

/** Calls `listener` when the page comes back: shown again, back on the network, or back from the back/forward cache. */
export const onReturn = (listener: () => void, signal: AbortSignal): void => {
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
};
