import { statfs } from 'node:fs/promises';
import { diskFull, ffmpegAbilities, type MachineFault } from 'clip-engine';
import type { Log } from './config/config.ts';
import { machineFault } from './db/machine-fault.ts';
import type { Queue } from './db/queue.ts';

/** With less room for unfinished files, work is not begun. */
const minFreeBytes = 64 * 1024 ** 2;

/** Time between two looks at whether a machine that cannot work can work again. */
const restMs = 10_000;

interface Needs {
  queue: Pick<Queue, 'rest'>;
  log: Log;
  workDirectory: string;
}

/**
 * Whether this machine can do the work at all. While it cannot, it takes no jobs: others may do
 * them, and none of them fails for it.
 */
export class MachineHealth {
  readonly #needs: Needs;
  #fault: MachineFault | null = null;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** Why this machine takes no jobs; null if it does. */
  get fault(): MachineFault | null {
    return this.#fault;
  }

  /** Looks at the programs and the disk. */
  async #look(): Promise<MachineFault | null> {
    try {
      await ffmpegAbilities();
    } catch (error) {
      return machineFault(error);
    }
    const { bavail, bsize } = await statfs(this.#needs.workDirectory);
    return bavail * bsize < minFreeBytes ? diskFull : null;
  }

  /** Takes no jobs if the machine cannot do them. */
  async check(): Promise<void> {
    const fault = await this.#look();
    if (fault) await this.#stopWork(fault);
  }

  /**
   * Whether the machine is to blame for a fault, and not the work, which may need more room than
   * there ever is. If so, it takes no more jobs.
   */
  async isToBlame(fault: MachineFault): Promise<boolean> {
    if (fault.transient) return false;
    if (fault.code === 'disk-full' && (await this.#look())?.code !== 'disk-full') return false;
    await this.#stopWork(fault);
    return true;
  }

  async #stopWork(fault: MachineFault): Promise<void> {
    if (this.#fault) return;
    const { queue, log } = this.#needs;
    this.#fault = fault;
    log({ event: 'no-jobs-taken', level: 'error', code: fault.code, message: fault.message });
    await queue.rest(restMs, async () => {
      this.#fault = await this.#look();
      if (!this.#fault) log({ event: 'jobs-taken-again' });
      return this.#fault === null;
    });
  }
}
