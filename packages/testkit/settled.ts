import type { Export, Task } from 'clip-kit/contract';
import { waitFor } from './wait-for.ts';

/** Waits until it holds of the task or export, for as long as its stage and share change. */
export async function settled<T extends Task | Export>(
  name: string,
  read: () => Promise<T>,
  holds: (found: T) => boolean,
): Promise<T> {
  let last: T | undefined;
  return waitFor(
    name,
    async () => {
      last = await read();
      return holds(last) && last;
    },
    () => [last?.status, last?.progress?.stage, last?.progress?.share],
  );
}

/** Waits for the end of a task or export, whichever. */
export const finished = <T extends Task | Export>(name: string, read: () => Promise<T>) =>
  settled(name, read, ({ status }) => status !== 'processing');
