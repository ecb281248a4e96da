import { readFile } from 'node:fs/promises';

/** Per second; Linux counts processor time in this unit, on every processor that Node supports. */
const ticksPerSecond = 100;

/**
 * Processor seconds of this process so far, and of its child programs that have ended (ffmpeg).
 * Null if the system does not report them (other than Linux).
 */
export async function processorSeconds(): Promise<number | null> {
  const line = await readFile('/proc/self/stat', 'utf8').catch(() => null);
  if (line === null) return null;
  // The name, in brackets, may contain any characters. User and system time, then those of the
  // ended children.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / ticksPerSecond;
}
