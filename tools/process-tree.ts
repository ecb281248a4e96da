import { readdirSync, readFileSync } from 'node:fs';

/** Per second; Linux counts processor time in this unit. */
const ticksPerSecond = 100;

interface Counted {
  readonly id: number;
  readonly parent: number;
  readonly seconds: number;
}

function read(id: string): Counted[] {
  try {
    const line = readFileSync(`/proc/${id}/stat`, 'utf8');
    // The name, in brackets, may contain any characters.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    const times = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return [{ id: Number(id), parent: Number(fields[1]), seconds: times / ticksPerSecond }];
  } catch {
    return []; // It has ended.
  }
}

/**
 * Processor seconds of a process, of its descendants, and of those that have ended. 0 if the system
 * does not report them (other than Linux).
 */
export function treeSeconds(root: number): number {
  if (process.platform !== 'linux') return 0;
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(read);
  const within = new Set([root]);
  // A parent may have a larger id than its child, so one pass does not find all.
  for (let before = 0; before !== within.size;) {
    before = within.size;
    for (const { id, parent } of all) if (within.has(parent)) within.add(id);
  }
  return all.reduce((sum, { id, seconds }) => sum + (within.has(id) ? seconds : 0), 0);
}
