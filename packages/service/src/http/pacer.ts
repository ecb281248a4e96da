/** How many go on in the same turn of the event loop. */
const atOnce = 10;

/** Lets many go on a few at a time: what else a process has to do comes between. */
export class Pacer {
  readonly #waiting: (() => void)[] = [];

  next(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#waiting.push(resolve) === 1) setImmediate(() => this.#take());
    });
  }

  #take(): void {
    for (const go of this.#waiting.splice(0, atOnce)) go();
    if (this.#waiting.length > 0) setImmediate(() => this.#take());
  }
}
