/** Gives one turn at a time. Of those that wait, the one with the lowest place is next. */
export class TurnQueue {
  #isTaken = false;
  /** What begins a turn, with its place. */
  readonly #waiting = new Map<() => void, number>();

  /** Resolves with the function that ends the turn; rejects with the signal's reason before it. */
  take(place: number, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const leave = (): void => {
        this.#waiting.delete(begin);
        reject(signal.reason);
      };
      const begin = (): void => {
        signal.removeEventListener('abort', leave);
        let isOver = false;
        resolve(() => {
          if (isOver) return;
          isOver = true;
          this.#isTaken = false;
          this.#beginNext();
        });
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.set(begin, place);
      this.#beginNext();
    });
  }

  /** Marks the turn as taken in the step that gives it: who asks meanwhile must not get it too. */
  #beginNext(): void {
    const [next] = [...this.#waiting].toSorted(([, a], [, b]) => a - b);
    if (this.#isTaken || !next) return;
    this.#isTaken = true;
    this.#waiting.delete(next[0]);
    next[0]();
  }
}
