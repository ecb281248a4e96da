import { AsyncLocalStorage } from 'node:async_hooks';

const urgent = new AsyncLocalStorage<true>();

/**
 * Does work that a person waits for: its programs and finders have the priority of this process,
 * so all others on the machine give way, also those of other processes.
 */
export const runUrgently = <Result>(work: () => Result): Result => urgent.run(true, work);

/** Whether a person waits for the current work. */
export const isUrgent = (): boolean => urgent.getStore() ?? false;
