import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { ERRORS, type Lock, type Locker, type RequestRelease } from '@tus/server';
import { ApiError } from '../api-error.ts';
import { lockUpload, renewUploadLock, unlockUpload, uploadLost, requestUpload } from './queries.ts';
import type { Db } from '../db/schema.ts';

/** A lock that was not renewed for this time is free: its process has died. */
const leaseMs = 10_000;
const keepEveryMs = 1000;
/** A writer whose clock ran while it stood still must not write at the end of its lease. */
const marginMs = 2000;
/** The first pause between two tries; each is twice as long, up to the other. */
const [firstPauseMs, maxPauseMs] = [10, 200] as const;
/** Longer than a lease, and shorter than clients and proxies wait for an answer. */
const maxWaitMs = 20_000;

/** The problem of an upload to which another client is still writing. */
export const uploadBusy = (): ApiError =>
  new ApiError(
    'upload-busy',
    'Another connection still sends to this upload. Try again in a moment.',
  );

/** The one who may write to an upload. */
export interface Holder {
  readonly id: string;
  readonly holder: string;
  /** Throws ApiError if others may write by now. */
  require(): void;
}

/**
 * The lock of an upload, shared by all processes: a row with its holder and expiry. A later client
 * ends the connection of an earlier one, which may be dead without the server knowing.
 */
export class UploadLocks implements Locker {
  readonly #db: Db;
  readonly #held = new Map<string, Holder & { end: RequestRelease }>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** Returns the holder of the upload in this process. Throws ApiError without one. */
  holder(id: string): Holder {
    const held = this.#held.get(id);
    if (!held) throw uploadLost();
    return held;
  }

  newLock(id: string): Lock {
    const holder = randomUUID();
    let keeping: NodeJS.Timeout | undefined;
    let until = 0;
    return {
      lock: async (signal, end) => {
        until = await this.#take({ id, holder }, signal);
        const require = (): void => {
          if (performance.now() > until) throw uploadLost();
        };
        this.#held.set(id, { id, holder, require, end });
        const keep = async (): Promise<void> => {
          const asked = performance.now();
          const kept = await renewUploadLock(this.#db, id, { holder, leaseMs });
          until = kept ? asked + leaseMs - marginMs : 0;
          if (!kept || kept.wanted) await end();
        };
        // A database that is away for a moment does not end it: its lease does.
        keeping = setInterval(() => void keep().catch(() => {}), keepEveryMs);
      },
      unlock: async () => {
        clearInterval(keeping);
        if (this.#held.get(id)?.holder === holder) this.#held.delete(id);
        await unlockUpload(this.#db, id, holder);
      },
    };
  }

  /** Waits until the holder has the lock. Returns when it expires. */
  async #take(asker: { id: string; holder: string }, signal: AbortSignal): Promise<number> {
    const { id, holder } = asker;
    const end = performance.now() + maxWaitMs;
    for (let pauseMs: number = firstPauseMs; ; pauseMs = Math.min(maxPauseMs, pauseMs * 2)) {
      const asked = performance.now();
      const state = await lockUpload(this.#db, id, { holder, leaseMs });
      if (state === 'held') return asked + leaseMs - marginMs;
      if (state === 'gone') throw ERRORS.FILE_NOT_FOUND;
      if (signal.aborted || asked > end) throw uploadBusy();
      await this.#held.get(id)?.end();
      await requestUpload(this.#db, id);
      await setTimeout(pauseMs);
    }
  }
}
