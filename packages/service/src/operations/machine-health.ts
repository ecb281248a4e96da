import { statfs } from 'node:fs/promises';
import { diskFull, ffmpegAbilities, type MachineFault } from 'clip-engine';
import type { Log } from '../config/config.ts';
import { machineFault } from '../db/connections.ts';
import type { Queue } from '../queue/queue.ts';
import type { Db } from '../db/schema.ts';
import { readSetting, writeSetting } from '../db/settings.ts';

const setting = 'drained';

/** Whether the operator has paused all workers. */
export const isDrained = async (db: Db): Promise<boolean> =>
  ((await readSetting(db, setting)) as { drained: boolean } | undefined)?.drained ?? false;

export const setDrained = (db: Db, drained: boolean): Promise<void> =>
  writeSetting(db, setting, { drained });

/** With less room for unfinished files, work is not begun. */
const minFreeBytes = 64 * 1024 ** 2;

/** Interval between two checks of whether this process can work. */
const restMs = 10_000;

/** Why a process takes no jobs, or no requests either. `message` is for a person. */
export interface Unfit {
  code: MachineFault['code'] | 'database-newer' | 'drained' | 'stopping';
  message: string;
}

const databaseNewer: Unfit = {
  code: 'database-newer',
  message: 'A newer version of the service has changed the database. Replace this process by it.',
};

const drained: Unfit = {
  code: 'drained',
  message: 'The operator has told all workers to take no jobs.',
};

const stopping: Unfit = { code: 'stopping', message: 'The service is stopping.' };

interface Dependencies {
  queue: Pick<Queue, 'rest'>;
  log: Log;
  /** For unfinished files; null in a process that takes no jobs. */
  workDirectory: string | null;
  /** Whether a newer version has changed the tables so that this one cannot work on them. */
  isOutdated(): Promise<boolean>;
  /** Whether the operator has paused all workers. */
  isDrained(): Promise<boolean>;
}

/**
 * Whether this process can do its work at all. While it cannot, it takes no jobs: others may do
 * them, and none of them fails for it.
 */
export class MachineHealth {
  readonly #dependencies: Dependencies;
  #fault: Unfit | null = null;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Why this process takes no jobs; null if it does. */
  get fault(): Unfit | null {
    return this.#fault;
  }

  /** Why this process should get no requests; null if it should. */
  get refusal(): Unfit | null {
    return this.#fault === drained ? null : this.#fault;
  }

  /** Whether the database is of a version that this process must leave alone. */
  get isOutdated(): boolean {
    return this.#fault === databaseNewer;
  }

  /** From now on this process says that it stops. */
  stop(): void {
    this.#fault = stopping;
  }

  /** Looks at the tables, what the operator says, the programs and the disk. */
  async #check(): Promise<Unfit | null> {
    const { isOutdated, isDrained, workDirectory } = this.#dependencies;
    if (await isOutdated()) return databaseNewer;
    if (workDirectory === null) return null;
    if (await isDrained()) return drained;
    try {
      await ffmpegAbilities();
    } catch (error) {
      return machineFault(error);
    }
    const { bavail, bsize } = await statfs(workDirectory);
    return bavail * bsize < minFreeBytes ? diskFull : null;
  }

  /** Takes no jobs if this process cannot do them. */
  async check(): Promise<void> {
    const fault = await this.#check();
    if (fault) await this.#stopWork(fault);
  }

  /** Checks at intervals until the returned function is called. */
  watch(): () => void {
    // A database that is away says nothing about its tables.
    const timer = setInterval(() => this.check().catch(() => {}), restMs);
    return () => clearInterval(timer);
  }

  /**
   * Whether this process is to blame for a job that failed, and not the work, which may need more
   * room than there ever is. If so, it takes no more jobs.
   * @param fault what the failure says of the machine
   */
  async isToBlame(fault: MachineFault | null): Promise<boolean> {
    const found = await this.#check().catch(() => null);
    if (found === databaseNewer) await this.#stopWork(found);
    if (this.isOutdated) return true;
    if (!fault || fault.transient) return false;
    if (fault.code === 'disk-full' && found?.code !== 'disk-full') return false;
    await this.#stopWork(fault);
    return true;
  }

  async #stopWork(fault: Unfit): Promise<void> {
    if (this.#fault) return;
    const { queue, log } = this.#dependencies;
    this.#fault = fault;
    const level = fault === drained ? 'info' : 'error';
    log({ event: 'no-jobs-taken', level, code: fault.code, message: fault.message });
    await queue.rest(restMs, async () => {
      const found = await this.#check();
      if (this.#fault === stopping) return false;
      this.#fault = found;
      if (!this.#fault) log({ event: 'jobs-taken-again' });
      return this.#fault === null;
    });
  }
}
