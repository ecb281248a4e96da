/** Work of which so much runs at once, and no more of one user: the rest waits in turn. */
export class UserSlots {
  readonly #most: { all: number; ofUser: number };
  /** The users whose work runs, each as often as it has a slot. */
  readonly #running: string[] = [];
  readonly #waiting = new Map<() => void, string>();

  constructor(most: { all: number; ofUser: number }) {
    this.#most = most;
  }

  /** Rejects with the signal's reason if that is aborted while the work waits. */
  async run<T>(userId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const { promise, resolve: begin, reject } = Promise.withResolvers<void>();
    const leave = (): void => {
      if (this.#waiting.delete(begin)) reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    this.#waiting.set(begin, userId);
    this.#fill();
    await promise.finally(() => signal.removeEventListener('abort', leave));
    try {
      return await work();
    } finally {
      this.#running.splice(this.#running.indexOf(userId), 1);
      this.#fill();
    }
  }

  #fill(): void {
    for (const [begin, userId] of this.#waiting) {
      if (this.#running.length >= this.#most.all) return;
      if (this.#running.filter((one) => one === userId).length >= this.#most.ofUser) continue;
      this.#waiting.delete(begin);
      this.#running.push(userId);
      begin();
    }
  }
}
