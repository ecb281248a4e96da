import type { KeptSource } from './db/schema.ts';

/** A source on its way. */
export interface Fetching {
  source: Promise<KeptSource>;
  /** Share that is here, 0 to 1. */
  share: number;
  /** Told of each further share. */
  onProgress: (share: number) => void;
  stop: () => void;
}

/** Most downloads that go on outside the queue of jobs. */
const most = 8;

/** Downloads that took longer than the creating call waits, and that go on until their task's job takes them over. */
export class Fetches {
  readonly #open = new Map<string, Fetching>();

  /** Keeps a download for the task's job. False where there are too many: then it is not kept. */
  leave(taskId: string, fetching: Fetching): boolean {
    if (this.#open.size >= most) return false;
    this.#open.set(taskId, fetching);
    // Told to whoever takes it; a failure before that is no unhandled one.
    fetching.source.catch(() => {});
    return true;
  }

  /** Hands a task's download over; undefined where there is none. */
  take(taskId: string): Fetching | undefined {
    const fetching = this.#open.get(taskId);
    this.#open.delete(taskId);
    return fetching;
  }
}
