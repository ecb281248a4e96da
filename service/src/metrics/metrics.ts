import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { LogEntry } from '../config/config.ts';
import type { WorkKind } from '../db/queue.ts';
import { readQueueState } from '../db/queue-state.ts';
import type { Db } from '../db/schema.ts';

/** An answered request. */
export interface RequestFacts {
  method: string;
  /** The pattern of the path. */
  route: string;
  status: number;
  seconds: number;
  /** Whether the client asked to wait for a change. */
  held: boolean;
}

const workSeconds = [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600, 7200];

/** The events that tell of the end of a job. */
const jobEnds: ReadonlyMap<string, WorkKind> = new Map([
  ['task-fetched', 'ingest'],
  ['task-scanned', 'scan'],
  ['preview-ready', 'preview'],
  ['export-ready', 'export'],
]);

const text = (value: LogEntry[string]): string => String(value ?? 'unknown');

/** What is measured for Prometheus. What happens to work is read off the log. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Histogram;
  readonly #jobs: Histogram;
  readonly #stages: Histogram;
  readonly #realtime: Histogram;
  readonly #failures: Counter;

  /** @param stored bytes of the stored files by their kind; null if they are not on a disk */
  constructor(db: Db, stored: (() => Promise<ReadonlyMap<string, number>>) | null) {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#requests = new Histogram({
      name: 'clip_http_request_seconds',
      help: 'Time until a request was answered; held requests wait for a change.',
      labelNames: ['method', 'route', 'status', 'held'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    });
    this.#jobs = new Histogram({
      name: 'clip_job_seconds',
      help: 'Time of an attempt that ended well.',
      labelNames: ['kind'],
      buckets: workSeconds,
      registers,
    });
    this.#stages = new Histogram({
      name: 'clip_stage_seconds',
      help: 'Time that an attempt spent in a stage.',
      labelNames: ['kind', 'stage'],
      buckets: workSeconds,
      registers,
    });
    this.#realtime = new Histogram({
      name: 'clip_render_realtime_ratio',
      help: 'Time of a render over the length of its clip.',
      labelNames: ['quality'],
      buckets: [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10],
      registers,
    });
    this.#failures = new Counter({
      name: 'clip_failures_total',
      help: 'Attempts that failed, by the code of the failure.',
      labelNames: ['kind', 'code'],
      registers,
    });
    const oldest = new Gauge({
      name: 'clip_queue_oldest_seconds',
      help: 'Age of the oldest job that waits for a worker.',
      labelNames: ['kind'],
      registers,
    });
    const up = new Gauge({
      name: 'clip_database_up',
      help: 'Whether the database answers.',
      registers,
    });
    new Gauge({
      name: 'clip_queue_jobs',
      help: 'Jobs that wait for a worker, or run.',
      labelNames: ['kind', 'state'],
      registers,
      async collect() {
        const states = await readQueueState(db).catch(() => null);
        up.set(states ? 1 : 0);
        for (const { kind, waiting, running, oldestSeconds } of states ?? []) {
          this.set({ kind, state: 'waiting' }, waiting);
          this.set({ kind, state: 'running' }, running);
          oldest.set({ kind }, oldestSeconds);
        }
      },
    });
    if (!stored) return;
    new Gauge({
      name: 'clip_storage_bytes',
      help: 'Bytes of the stored files, at most five minutes old.',
      labelNames: ['kind'],
      registers,
      async collect() {
        this.reset();
        for (const [kind, bytes] of await stored()) this.set({ kind }, bytes);
      },
    });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** What a scrape is answered with. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  request({ method, route, status, seconds, held }: RequestFacts): void {
    this.#requests.observe({ method, route, status, held: String(held) }, seconds);
  }

  /** Counts what a line of the log says. */
  hear({ event, ...facts }: LogEntry): void {
    const seconds = Number(facts['ms']) / 1000;
    const kind = jobEnds.get(event);
    if (event === 'stage') {
      this.#stages.observe({ kind: text(facts['kind']), stage: text(facts['stage']) }, seconds);
    } else if (event === 'rendered') {
      this.#realtime.observe({ quality: text(facts['quality']) }, Number(facts['ratio']));
    } else if (kind !== undefined) {
      this.#jobs.observe({ kind }, seconds);
    } else if (/^(?:task|preview|export)-failed$/.test(event)) {
      this.#failures.inc({ kind: event.replace('-failed', ''), code: text(facts['code']) });
    }
  }
}
