import type { KeptSource } from '../db/schema.ts';

/** A source on its way. */
export interface Fetching {
  source: Promise<KeptSource>;
  /** Share that is here, 0 to 1. */
  share: number;
  /** Told of each further share. */
  onProgress: (share: number) => void;
  stop: () => void;
}

/** How many downloads may go on outside the queue of jobs. */
const maxOpenFetches = 8;

/** Downloads that take longer than the creating call waits: the task's job takes them over. */
export class Fetches {
  readonly #open = new Map<string, Fetching>();

  /** Keeps a download for the task's job. False if there are too many: then it is not kept. */
  leave(taskId: string, fetching: Fetching): boolean {
    if (this.#open.size >= maxOpenFetches) return false;
    this.#open.set(taskId, fetching);
    // Whoever takes it handles its failure; before that, it must not end the process.
    fetching.source.catch(() => {});
    return true;
  }

  /** Hands a task's download over; undefined if there is none. */
  take(taskId: string): Fetching | undefined {
    const fetching = this.#open.get(taskId);
    this.#open.delete(taskId);
    return fetching;
  }
}
