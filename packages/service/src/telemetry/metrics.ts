import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { LogEntry } from '../config/config.ts';

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

/** The events that report the end of a job. */
const jobEnds: ReadonlyMap<string, string> = new Map([
  ['task-fetched', 'ingest'],
  ['task-scanned', 'scan'],
  ['preview-ready', 'preview'],
  ['export-ready', 'export'],
  ['proxy-ready', 'proxy'],
]);

const formatValue = (value: LogEntry[string]): string => String(value ?? 'unknown');

/** Further organizations have no name here: each name is a series for ever. */
const maxOrganizations = 50;

/** The present state of a process. */
interface ProcessState {
  slots(): readonly { kind: string; all: number; inUse: number }[];
  /** Null if the database is built in. */
  connections(): Readonly<Record<'used' | 'idle' | 'waiting', number>> | null;
}

/** Measures of this process for Prometheus. Those of work are taken from the log. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = this.#histogram(
    'clip_http_request_seconds',
    ['method', 'route', 'status', 'held'],
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    'Time until a request was answered; held requests wait for a change.',
  );
  readonly #jobs = this.#histogram(
    'clip_job_seconds',
    ['kind'],
    workSeconds,
    'Time of a successful attempt.',
  );
  readonly #stages = this.#histogram(
    'clip_stage_seconds',
    ['kind', 'stage'],
    workSeconds,
    'Time of an attempt in each stage.',
  );
  readonly #realtime = this.#histogram(
    'clip_render_realtime_ratio',
    ['quality'],
    [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10],
    'Time of a render divided by the length of its clip.',
  );
  readonly #failures = this.#counter(
    'clip_failures_total',
    ['kind', 'code', 'organization'],
    'Failed attempts, by the code of the failure.',
  );
  readonly #superseded = this.#counter(
    'clip_superseded_total',
    ['kind'],
    'Attempts whose job was taken over by another attempt, or deleted.',
  );
  readonly #deliveries = this.#counter(
    'clip_deliveries_total',
    ['outcome'],
    'Attempts to deliver webhooks: delivered, waiting for a retry, or failed.',
  );
  readonly #retained = this.#counter(
    'clip_retention_removed_total',
    ['what'],
    'Items removed because of their age.',
  );
  readonly #fit = new Gauge({
    name: 'clip_machine_fit',
    help: 'Whether this process takes jobs: 1, or 0 with the code of the reason.',
    labelNames: ['code'],
    registers: [this.#registry],
  });
  readonly #organizations = new Set<string>();

  constructor(process: ProcessState) {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#setFit();
    const slots = new Gauge({
      name: 'clip_slots',
      help: 'Maximum number of jobs that this process runs at the same time.',
      labelNames: ['kind'],
      registers,
    });
    new Gauge({
      name: 'clip_slots_in_use',
      help: 'Jobs that this process runs. Slow downloads do not occupy a slot.',
      labelNames: ['kind'],
      registers,
      collect() {
        for (const { kind, all, inUse } of process.slots()) {
          slots.set({ kind }, all);
          this.set({ kind }, inUse);
        }
      },
    });
    new Gauge({
      name: 'clip_database_connections',
      help: 'Connections of this process, and statements that wait for one.',
      labelNames: ['state'],
      registers,
      collect() {
        const connections = process.connections();
        for (const [state, count] of Object.entries(connections ?? {})) this.set({ state }, count);
      },
    });
  }

  #histogram(name: string, labelNames: string[], buckets: number[], help: string): Histogram {
    return new Histogram({ name, help, labelNames, buckets, registers: [this.#registry] });
  }

  #counter(name: string, labelNames: string[], help: string): Counter {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Returns the answer to a scrape. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  request({ method, route, status, seconds, held }: RequestFacts): void {
    this.#requests.observe({ method, route, status, held: String(held) }, seconds);
  }

  /** Counts what a line of the log says. */
  record({ event, ...facts }: LogEntry): void {
    const seconds = Number(facts['ms']) / 1000;
    const kind = jobEnds.get(event);
    if (event === 'stage') {
      this.#stages.observe(
        { kind: formatValue(facts['kind']), stage: formatValue(facts['stage']) },
        seconds,
      );
    } else if (event === 'rendered') {
      this.#realtime.observe({ quality: formatValue(facts['quality']) }, Number(facts['ratio']));
    } else if (kind !== undefined) {
      this.#jobs.observe({ kind }, seconds);
      return;
    }
    const [, work, end] = /^(task|preview|export)-(failed|superseded)$/.exec(event) ?? [];
    if (end === 'superseded') this.#superseded.inc({ kind: formatValue(work) });
    if (end === 'failed') {
      const organization = this.#nameOf(formatValue(facts['organization']));
      this.#failures.inc({
        kind: formatValue(work),
        code: formatValue(facts['code']),
        organization,
      });
    }
    if (event === 'no-jobs-taken') this.#setFit(formatValue(facts['code']));
    if (event === 'jobs-taken-again') this.#setFit();
    const [, outcome] = /^webhook-(delivered|waiting|failed)$/.exec(event) ?? [];
    if (outcome !== undefined) this.#deliveries.inc({ outcome });
    if (event === 'retention') {
      for (const what of ['tasks', 'exports', 'sources', 'segments']) {
        this.#retained.inc({ what }, Number(facts[what]));
      }
    }
  }

  /** @param fault why no jobs are taken; an empty one, as Prometheus writes no label: they are */
  #setFit(fault = ''): void {
    this.#fit.reset();
    this.#fit.set({ code: fault }, fault === '' ? 1 : 0);
  }

  #nameOf(organization: string): string {
    const isKnown = this.#organizations.has(organization);
    if (!isKnown && this.#organizations.size >= maxOrganizations) return 'other';
    this.#organizations.add(organization);
    return organization;
  }
}
