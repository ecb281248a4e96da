import { formatError } from 'clip-engine';
import type { ViewBatch } from 'clip-kit/contract';
import type { Log } from '../config/config.ts';
import type { Db } from '../db/schema.ts';
import { countViews, type WatchedVisit } from './queries.ts';
import { mergeRecords } from './rules.ts';

const waitMs = 1_000;
/** The number of visits in one write. More of them wait for it. */
const maxVisits = 1_000;

/** The views of the last second: to write each batch on its own costs far more. */
export class CollectedViews {
  readonly #db: Db;
  readonly #log: Log;
  #visits = new Map<string, WatchedVisit>();
  #timer: NodeJS.Timeout | undefined;
  #written: Promise<void> = Promise.resolve();

  constructor(db: Db, log: Log) {
    this.#db = db;
    this.#log = log;
  }

  /** Takes a batch, which is written a second later at the latest. */
  async add(organizationId: string, { visitor, views }: ViewBatch): Promise<void> {
    while (this.#visits.size >= maxVisits) await this.write();
    for (const record of views) {
      const key = [organizationId, visitor, record.project_id].join(' ');
      const known = this.#visits.get(key);
      this.#visits.set(key, {
        organizationId,
        visitor: visitor ?? '',
        record: mergeRecords(known ? [known.record, record] : [record]),
      });
    }
    this.#timer ??= setTimeout(() => void this.write(), waitMs);
  }

  /** Writes the collected batches. Batches that the database refuses are lost, and logged. */
  write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#written = this.#written.then(async () => {
      const visits = [...this.#visits.values()];
      this.#visits = new Map();
      if (visits.length === 0) return;
      await countViews(this.#db, visits).catch((error: unknown) => {
        this.#log({ event: 'views-lost', level: 'error', message: formatError(error) });
      });
    });
    return this.#written;
  }
}
