import { readFile } from 'node:fs/promises';

/** Of a second; what Linux counts in, on every processor that Node runs on. */
const ticks = 100;

/**
 * Processor seconds of this process so far, and of the programs that it has started and that have ended (ffmpeg). Null where
 * the system does not say (other than Linux).
 */
export const processorSeconds = async (): Promise<number | null> => {
  const line = await readFile('/proc/self/stat', 'utf8').catch(() => null);
  if (line === null) return null;
  // The name, in brackets, may hold anything. User and system time, then those of the children that were waited for.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / ticks;
};
