import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Another process has the data directory open. */
export class DataDirectoryInUse extends Error {
  override name = 'DataDirectoryInUse';
}

interface Holder {
  pid: number;
  /** When the process was started: distinguishes it from a later one with the same id. */
  began: string;
  token: string;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** Returns when a process was started; null if it does not run. */
function findProcessStart(pid: number): string | null {
  const boot = readText('/proc/sys/kernel/random/boot_id');
  if (boot !== null) {
    const stat = readText(`/proc/${pid}/stat`);
    if (stat === null) return null;
    // The second field, the program's name in brackets, may hold anything: count from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // Ended, and only its parent has not asked how.
    if (/[ZX]/.test(fields[0]!)) return null;
    const ticks = fields[19];
    return `${boot.trim()}/${ticks}`;
  }
  try {
    process.kill(pid, 0);
    return 'unknown';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? 'unknown' : null;
  }
}

function parseHolder(text: string | null): Holder | null {
  try {
    const value: unknown = JSON.parse(text ?? '');
    const holder = value as Partial<Holder> | null;
    return typeof holder?.pid === 'number' && typeof holder.began === 'string'
      ? (holder as Holder)
      : null;
  } catch {
    return null;
  }
}

/**
 * Locks the data directory for this process, and returns the function that releases it. The
 * embedded database has no lock of its own, and two processes on one directory destroy it. A lock
 * left by a process that has ended is taken over.  Otherwise throws {@link DataDirectoryInUse}.
 */
export function lockDataDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, 'lock');
  const mine: Holder = {
    pid: process.pid,
    began: findProcessStart(process.pid) ?? 'unknown',
    token: randomUUID(),
  };
  const draft = `${path}.${mine.token}`;
  writeFileSync(draft, JSON.stringify(mine));
  try {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      try {
        // A link appears with its content, all or nothing: no one ever reads half a lock.
        linkSync(draft, path);
        return () => {
          if (parseHolder(readText(path))?.token === mine.token) rmSync(path, { force: true });
        };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const text = readText(path);
      const holder = parseHolder(text);
      if (holder && findProcessStart(holder.pid) === holder.began) {
        throw new DataDirectoryInUse(
          `The data directory ${resolve(directory)} is in use by process ${holder.pid}. ` +
            'Only one service may have it open: stop that process, or set DATA_DIR to another directory.',
        );
      }
      const stale = `${path}.stale.${mine.token}`;
      try {
        renameSync(path, stale);
      } catch {
        continue; // Gone meanwhile.
      }
      // Another process may have taken over before the move: then what was moved is its lock.
      if (readText(stale) !== text) linkSync(stale, path);
      rmSync(stale, { force: true });
    }
    throw new DataDirectoryInUse(
      `The data directory ${resolve(directory)} could not be locked: other processes are taking it at this moment.`,
    );
  } finally {
    rmSync(draft, { force: true });
  }
}
