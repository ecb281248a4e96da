import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Gauge, Registry } from 'prom-client';
import { readQueueState, readWaitingByOrganization } from '../queue/queries.ts';
import type { Db } from '../db/schema.ts';
import { readBacklog } from './queries.ts';

/**
 * The number of organizations counted one by one, those with the most waiting jobs; the others are
 * counted together.
 */
const maxOrganizations = 20;

/**
 * Metrics of the whole installation. Every process returns the same, so only one is scraped for
 * them.
 */
export class InstallationMetrics {
  readonly #registry = new Registry();
  /** Sets the gauges: all of them before any is written, as each is written when it is reached. */
  readonly #read: () => Promise<void>;

  /** @param stored bytes of the stored files by their kind; null if they are not on a disk */
  constructor(db: Db, stored: (() => ReadonlyMap<string, number>) | null) {
    const registers = [this.#registry];
    const gauge = (name: string, help: string, labelNames: readonly string[] = []) =>
      new Gauge({ name, help, labelNames, registers });
    const oldest = gauge('clip_queue_oldest_seconds', 'Age of the oldest waiting job.', ['kind']);
    const deliveries = gauge('clip_deliveries_waiting', 'Webhooks still to be delivered.');
    const files = gauge('clip_files_to_remove', 'Files that the store has not removed yet.');
    const organizations = gauge(
      'clip_queue_organization_jobs',
      `Waiting jobs of the ${maxOrganizations} organizations with the most.`,
      ['organization'],
    );
    const up = gauge('clip_database_up', 'Whether the database answers.');
    const jobs = gauge('clip_queue_jobs', 'Waiting and running jobs.', ['kind', 'state']);
    this.#read = async () => {
      up.set(0);
      try {
        const [states, backlog, waiting] = await Promise.all([
          readQueueState(db),
          readBacklog(db),
          readWaitingByOrganization(db, maxOrganizations),
        ]);
        for (const state of states) {
          jobs.set({ kind: state.kind, state: 'waiting' }, state.waiting);
          jobs.set({ kind: state.kind, state: 'running' }, state.running);
          oldest.set({ kind: state.kind }, state.oldestSeconds);
        }
        deliveries.set(backlog.deliveries);
        files.set(backlog.files);
        organizations.reset();
        for (const [organization, count] of waiting) organizations.set({ organization }, count);
        up.set(1);
      } catch {
        // The other figures are those of the last time.
      }
    };
    if (!stored) return;
    new Gauge({
      name: 'clip_storage_bytes',
      help: 'Bytes of the stored files, some minutes old.',
      labelNames: ['kind'],
      registers,
      collect() {
        this.reset();
        for (const [kind, bytes] of stored()) this.set({ kind }, bytes);
      },
    });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Returns the answer to a scrape. */
  async text(): Promise<string> {
    await this.#read();
    return this.#registry.metrics();
  }
}

/** The time for which measured sizes are reused: measuring visits every file. */
const maxAgeMs = 300_000;

/**
 * Bytes of the stored files by their kind (`sources`, `exports`, …), as last measured. No caller
 * waits for the next measurement, which begins after five minutes.
 */
export function watchStoredBytes(directory: string): () => ReadonlyMap<string, number> {
  let known: ReadonlyMap<string, number> = new Map();
  let began = -Infinity;
  return () => {
    if (performance.now() - began > maxAgeMs) {
      began = performance.now();
      void measure(directory).then((bytes) => (known = bytes));
    }
    return known;
  };
}

async function measure(directory: string): Promise<ReadonlyMap<string, number>> {
  const bytes = new Map<string, number>();
  for (const kind of await readdir(directory).catch(() => [])) {
    const inside = join(directory, kind);
    const options = { recursive: true, withFileTypes: true } as const;
    for (const entry of await readdir(inside, options).catch(() => [])) {
      if (!entry.isFile()) continue;
      // It may be gone by now.
      const { size } = await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }));
      bytes.set(kind, (bytes.get(kind) ?? 0) + size);
    }
  }
  return bytes;
}
