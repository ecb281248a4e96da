import { readdir, readFile } from 'node:fs/promises';

export interface Process {
  pid: number;
  parent: number;
  /** Resident bytes. */
  rss: number;
  /** User and system seconds, those of its ended children included. */
  cpu: number;
}

/**
 * A line of `/proc/PID/stat`; its second field is a name in brackets that may hold anything. Ticks
 * are hundredths, pages 4 kB.
 */
function processOf(pid: number, stat: string): Process {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
  return { pid, parent: Number(fields[1]), rss: Number(fields[21]) * 4096, cpu: ticks / 100 };
}

/** A process and all that it has started (Linux); those that are gone are left out. */
export async function familyOf(root: number): Promise<Process[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(
    ids.map(async (id) => ({
      pid: Number(id),
      stat: await readFile(`/proc/${id}/stat`, 'utf8').catch(() => ''),
    })),
  );
  const all = stats.filter(({ stat }) => stat !== '').map(({ pid, stat }) => processOf(pid, stat));
  const own = all.filter(({ pid }) => pid === root);
  for (let at = 0; at < own.length; at += 1) {
    own.push(...all.filter(({ parent }) => parent === own[at]!.pid));
  }
  return own;
}

/** The sum of a field. */
export const sumOf = (of: readonly Process[], field: 'rss' | 'cpu'): number =>
  of.reduce((total, one) => total + one[field], 0);
