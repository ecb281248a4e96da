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
      const onAbort = end(() => reject(signal.reason));
      this.#wake = end(() => resolve(true));
      if (ms !== null)
        timer = setTimeout(
          end(() => resolve(false)),
          ms,
        );
      signal.addEventListener('abort', onAbort);
    });
  }

  wake(): void {
    this.#wake();
  }
}

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
