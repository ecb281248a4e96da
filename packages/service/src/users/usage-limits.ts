import type { Limits } from '../config/config.ts';
import type { Db, UserRow } from '../db/schema.ts';
import { countOpenExports, readTaskUsage } from './usage-queries.ts';
import { LimitReached, requireExportRoom, requireTaskRoom, type LimitHolder } from './limits.ts';
import { RequestRate } from './request-rate.ts';

const holders: readonly LimitHolder[] = ['user', 'organization'];

/** The limits of each user and each organization. What is not limited costs nothing. */
export class UsageLimits {
  readonly #limits: Readonly<Record<LimitHolder, Limits>>;
  readonly #rates: ReadonlyMap<LimitHolder, RequestRate>;

  constructor(limits: Partial<Record<LimitHolder, Limits>> = {}) {
    this.#limits = { user: limits.user ?? {}, organization: limits.organization ?? {} };
    this.#rates = new Map(
      holders.flatMap((holder) => {
        const { requestsPerMinute } = this.#limits[holder];
        return requestsPerMinute === undefined
          ? []
          : [[holder, new RequestRate(requestsPerMinute)] as const];
      }),
    );
  }

  #limited(...names: (keyof Limits)[]): boolean {
    return holders.some((holder) => names.some((name) => this.#limits[holder][name] !== undefined));
  }

  /** Counts a request. Throws {@link LimitReached}. */
  takeRequest({ id, organization_id }: UserRow): void {
    for (const [holder, rate] of this.#rates) {
      const wait = rate.take(holder === 'user' ? id : organization_id);
      if (wait === 0) continue;
      throw new LimitReached('requests', `Too many requests of this ${holder} in a minute.`, wait);
    }
  }

  /** Throws {@link LimitReached} if the user may start no export now. */
  async requireExportRoom(db: Db, user: UserRow): Promise<void> {
    if (!this.#limited('queuedExports')) return;
    const open = await countOpenExports(db, user, {
      user: this.#limits.user.queuedExports ?? 0,
      organization: this.#limits.organization.queuedExports ?? 0,
    });
    for (const holder of holders) requireExportRoom(holder, this.#limits[holder], open[holder]);
  }

  /**
   * Throws {@link LimitReached} if the user may create no task now, or may not have one that was
   * made, because its source is known to be too long.
   */
  async requireTaskRoom(db: Db, user: UserRow, madeId: string | null = null): Promise<void> {
    if (!this.#limited('openTasks', 'sourceHoursPerDay')) return;
    const usage = await readTaskUsage(db, user, madeId);
    for (const holder of holders) {
      requireTaskRoom(holder, this.#limits[holder], usage[holder], madeId !== null);
    }
  }
}
