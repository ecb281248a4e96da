import { setPriority } from 'node:os';
import { analysisNiceness } from './process-limits.ts';

/** Answers the tasks of a `NetworkProcess` in their order, in the process that it has started. */
export function answerTasks<Task>(answer: (task: Task) => Promise<void>): void {
  // Started with `urgent` if a person waits for what it finds.
  if (process.argv[2] !== 'urgent') setPriority(analysisNiceness);
  // It ends with the process that it works for, and not before.
  process.once('disconnect', () => process.exit());
  let last: Promise<void> = Promise.resolve();
  process.on('message', (task: Task) => {
    last = last.then(() => answer(task));
  });
}
