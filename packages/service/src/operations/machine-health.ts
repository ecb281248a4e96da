import { randomUUID } from 'node:crypto';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  diskFailing,
  diskFull,
  getFfmpegAbilities,
  hasRoute,
  type MachineFault,
  networkDown,
  reservedDiskBytes,
} from 'clip-engine';
import type { Log } from '../config/config.ts';
import { findMachineFault } from '../db/connections.ts';
import type { Queue } from '../queue/queue.ts';
import type { Db } from '../db/schema.ts';
import { readSetting, writeSetting } from '../db/settings.ts';

const setting = 'drained';

/** Whether the operator has paused all workers. */
export const isDrained = async (db: Db): Promise<boolean> =>
  ((await readSetting(db, setting)) as { drained: boolean } | undefined)?.drained ?? false;

export const setDrained = (db: Db, drained: boolean): Promise<void> =>
  writeSetting(db, setting, { drained });

/** With fewer files that can still be made, work is not begun. */
const minFreeFiles = 256;

/** Bytes that are written to find out whether the disk takes files. */
const probeBytes = Buffer.alloc(4096);

/** Sessions, tokens and signatures of a clock that is further off are refused elsewhere. */
const maxSkewMs = 60_000;

/**
 * The time for which a machine without a route takes no jobs: the requested host may be elsewhere.
 */
const networkRestMs = 60_000;

/** Interval between two checks of whether this process can work. */
const restMs = 10_000;

/** Why a process takes no jobs, or no requests either. `message` is for a person. */
export interface Unfit {
  code: MachineFault['code'] | 'clock-wrong' | 'database-newer' | 'drained' | 'stopping';
  message: string;
}

const databaseNewer: Unfit = {
  code: 'database-newer',
  message:
    'A newer version of the service has changed the database. Replace this process with that version.',
};

const clockWrong: Unfit = {
  code: 'clock-wrong',
  message: `The clock of this machine is more than ${maxSkewMs / 1000} s away from that of the database. Set both by NTP.`,
};

const drained: Unfit = {
  code: 'drained',
  message: 'The operator has paused all workers.',
};

const stopping: Unfit = { code: 'stopping', message: 'The service is stopping.' };

interface Dependencies {
  queue: Pick<Queue, 'backOff'>;
  log: Log;
  /** For unfinished files; null in a process that takes no jobs. */
  workDirectory: string | null;
  /** Whether a newer version has changed the tables so that this one cannot work on them. */
  isOutdated(): Promise<boolean>;
  /** Whether the operator has paused all workers. */
  isDrained(): Promise<boolean>;
  /** Milliseconds by which the database's clock is ahead of this machine's. */
  clockSkewMs(): Promise<number>;
}

/**
 * Whether this process can do its work at all. While it cannot, it takes no jobs: others may do
 * them, and none of them fails for it.
 */
export class MachineHealth {
  readonly #dependencies: Dependencies;
  #fault: Unfit | null = null;
  /** When a job has failed because there was no route. */
  #withoutRouteSince = -Infinity;

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

  /** Checks the tables, the clock, a drain by the operator, the programs, disk and network. */
  async #check(): Promise<Unfit | null> {
    const { isOutdated, isDrained, clockSkewMs, workDirectory } = this.#dependencies;
    if (await isOutdated()) return databaseNewer;
    if (Math.abs(await clockSkewMs()) > maxSkewMs) return clockWrong;
    if (workDirectory === null) return null;
    if (await isDrained()) return drained;
    try {
      await getFfmpegAbilities();
    } catch (error) {
      return findMachineFault(error);
    }
    const isWithoutRoute = performance.now() - this.#withoutRouteSince < networkRestMs;
    if (isWithoutRoute && !(await hasRoute())) return networkDown;
    return findDiskFault(workDirectory);
  }

  /** Stops taking jobs if this process cannot do them. */
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
   * Takes no more jobs if a job has failed for a fault of this machine that is still there.
   * @param fault the fault of the machine that the failure names
   * @returns whether this process must leave its work to a newer version
   */
  async noteFailure(fault: MachineFault | null): Promise<boolean> {
    if (fault === networkDown) this.#withoutRouteSince = performance.now();
    const found = await this.#check().catch(() => null);
    if (found === databaseNewer || (fault && found)) await this.#stopWork(found);
    return this.isOutdated;
  }

  async #stopWork(fault: Unfit): Promise<void> {
    if (this.#fault) return;
    const { queue, log } = this.#dependencies;
    this.#fault = fault;
    const level = fault === drained ? 'info' : 'error';
    log({ event: 'no-jobs-taken', level, code: fault.code, message: fault.message });
    await queue.backOff(restMs, async () => {
      const found = await this.#check();
      if (this.#fault === stopping) return false;
      this.#fault = found;
      if (!this.#fault) log({ event: 'jobs-taken-again' });
      return this.#fault === null;
    });
  }
}

/** Why unfinished files cannot be written: the space, how many files fit, and a first one. */
async function findDiskFault(directory: string): Promise<Unfit | null> {
  const path = join(directory, `probe-${randomUUID()}`);
  try {
    const { bavail, bsize, files, ffree } = await statfs(directory);
    // Some file systems have no limit of files, and say 0.
    if (bavail * bsize < reservedDiskBytes || (files > 0 && ffree < minFreeFiles)) return diskFull;
    await writeFile(path, probeBytes, { flush: true });
    return null;
  } catch (error) {
    return findMachineFault(error) ?? diskFailing;
  } finally {
    await rm(path, { force: true }).catch(() => {});
  }
}
