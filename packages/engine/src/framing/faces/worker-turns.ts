/**
 * Whether the worker is at work, and whether it may begin anything, in memory that both threads
 * see. The networks' runtime aborts the process if a thread is ended while it runs one.
 */
export type WorkerTurns = Int32Array<SharedArrayBuffer>;

const [atWork, halted] = [0, 1];
/** The longest task takes less than a second. */
const maxWaitMs = 5000;

export const createTurns = (): WorkerTurns => new Int32Array(new SharedArrayBuffer(8));

/** Waits for the task of the worker, which begins no other one: its thread can be ended then. */
export function stopWorker(turns: WorkerTurns): void {
  Atomics.store(turns, halted, 1);
  Atomics.wait(turns, atWork, 1, maxWaitMs);
}

/** Does a task of the worker. Once the worker is halted, its thread waits for its end instead. */
export async function takeTurn(turns: WorkerTurns, task: () => Promise<void>): Promise<void> {
  const leave = () => {
    Atomics.store(turns, atWork, 0);
    Atomics.notify(turns, atWork);
  };
  Atomics.store(turns, atWork, 1);
  if (Atomics.load(turns, halted) === 1) {
    leave();
    Atomics.wait(turns, halted, 1);
  }
  await task().finally(leave);
}
