import { EventEmitter } from 'node:events';

/** Tells those who wait that something about a task or an export has changed. */
export class Changes {
  readonly #emitter = new EventEmitter().setMaxListeners(0);

  #announced = 0;

  /** How many changes there have been: what was read at another count may be out of date. */
  get announced(): number {
    return this.#announced;
  }

  announce(): void {
    this.#announced += 1;
    this.#emitter.emit('change');
  }

  /** Ends at the next change, or after `ms`, or when the signal is aborted. */
  next(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const done = (): void => {
        clearTimeout(timer);
        this.#emitter.off('change', done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#emitter.on('change', done);
      signal.addEventListener('abort', done);
    });
  }
}

/**
 * Reads until `settled` says so, `ms` are over or the signal is aborted, and gives what was read
 * last. Reads every second even without a change: another process may have made one.
 */
export async function readUntil<T>(
  changes: Changes,
  read: () => Promise<T>,
  settled: (value: T) => boolean,
  wait: { ms: number; signal: AbortSignal },
): Promise<T> {
  const end = performance.now() + wait.ms;
  for (;;) {
    const value = await read();
    const left = end - performance.now();
    if (settled(value) || left <= 0 || wait.signal.aborted) return value;
    await changes.next(Math.min(left, 1000), wait.signal);
  }
}
