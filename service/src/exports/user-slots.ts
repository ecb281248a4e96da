interface Waiting {
  userId: string;
  begin: () => void;
}

/** Work of which so much runs at once, and no more of one user: the rest waits in turn. */
export class UserSlots {
  readonly #most: { all: number; ofUser: number };
  /** The users whose work runs, each as often as it has a slot. */
  readonly #running: string[] = [];
  #waiting: Waiting[] = [];

  constructor(most: { all: number; ofUser: number }) {
    this.#most = most;
  }

  /** Rejects with the signal's reason if that is aborted while the work waits. */
  async run<T>(userId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        reject(signal.reason);
      };
      const begin = (): void => {
        signal.removeEventListener('abort', leave);
        this.#running.push(userId);
        resolve();
      };
      const waiting = { userId, begin };
      if (signal.aborted) return leave();
      signal.addEventListener('abort', leave);
      this.#waiting.push(waiting);
      this.#fill();
    });
    try {
      return await work();
    } finally {
      this.#running.splice(this.#running.indexOf(userId), 1);
      this.#fill();
    }
  }

  #fill(): void {
    while (this.#running.length < this.#most.all) {
      const next = this.#waiting.findIndex(
        ({ userId }) => this.#running.filter((one) => one === userId).length < this.#most.ofUser,
      );
      if (next === -1) return;
      for (const { begin } of this.#waiting.splice(next, 1)) begin();
    }
  }
}
