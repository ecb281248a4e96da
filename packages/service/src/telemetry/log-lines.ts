import { writeSync } from 'node:fs';
import { logLevels, type Log, type LogLevel } from '../config/config.ts';

/** The longest time for which a line waits for others: each write costs more than the line. */
const writeIntervalMs = 100;
const maxWaitingLength = 64 * 1024;

/**
 * A log of JSON lines on standard output, each with its time and level. Lines of about the same
 * time are written together; what waits when the process ends is written then.
 */
export function logLines(
  least: LogLevel,
  /** Facts in every line. */
  facts: Readonly<Record<string, string>> = {},
  write: (text: string) => unknown = (text) => process.stdout.write(text),
): Log {
  let waiting = '';
  let timer: NodeJS.Timeout | null = null;
  const flush = (out: (text: string) => unknown): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    if (waiting) out(waiting);
    waiting = '';
  };
  process.once('exit', () => flush((text) => writeSync(1, text)));
  const from = logLevels.indexOf(least);
  return (entry) => {
    const { level = 'info' } = entry;
    if (logLevels.indexOf(level) < from) return;
    // A second spread of an object costs several times what `assign` does.
    const line = Object.assign({ time: new Date().toISOString(), level }, facts, entry);
    waiting += `${JSON.stringify(line)}\n`;
    if (waiting.length >= maxWaitingLength) flush(write);
    else timer ??= setTimeout(() => flush(write), writeIntervalMs).unref();
  };
}
