import { errorText } from 'clip-engine';
import { availableParallelism } from 'node:os';
import type { Log } from '../config/config.ts';
import {
  readQueue,
  type QueuedExport,
  type QueuedPreview,
  type QueuedScan,
} from '../db/estimates.ts';
import type { Db } from '../db/schema.ts';
import { readSetting, writeSetting } from '../db/settings.ts';
import {
  coresEach,
  forecast,
  remainingCost,
  type ForecastJob,
  type ForecastKind,
  type Machine,
} from './forecast.ts';
import { KeptEstimates } from './kept-estimates.ts';
import { coresOf, withRender, workFactors, type MeasuredRender } from './machine-speed.ts';
import { RunningLoad, type Counted } from './running-load.ts';

export { exportRenderWork, exportWork, firstLook, previewWork, taskWork } from './work.ts';

/**
 * Seconds before and after a render: opening the source, checking and storing the result. Measured
 * on two processors and a local disk. A preview has a poster more.
 */
const overheadSeconds = { export: 0.35, preview: 0.5 } as const;

/**
 * Seconds that a copy takes, rows, files and queue included: 1 for two seconds, 1.6 for thirty, if
 * the level of the sound is changed.
 */
const copySeconds = 1.3;

function isMeasured(value: unknown): value is MeasuredRender {
  const one = value as Partial<MeasuredRender> | null;
  return (
    typeof one?.source === 'string' &&
    (one.quality === 'export' || one.quality === 'preview') &&
    [one.work, one.cpu, one.seconds, one.concurrency].every(Number.isFinite)
  );
}

/** When exports and tasks will be ready. Learns from every render how fast this machine is. */
export class Estimates {
  readonly #db: Db;
  readonly #log: Log;
  readonly #slots: Machine['slots'];
  /** Name of the setting that keeps the renders over restarts. */
  readonly #setting: string;
  #renders: MeasuredRender[] = [];
  #factorOf = workFactors([]);
  readonly #load = new RunningLoad(() => performance.now() / 1000);
  readonly #kept: KeptEstimates;

  /**
   * Reads what was measured before.
   * @param options.machine name of this machine if others use the same database
   * @param options.slots jobs of each kind that run at the same time
   */
  static async open(
    db: Db,
    options: {
      log: Log;
      slots: Readonly<Record<ForecastKind, number>>;
      machine?: string;
    },
  ): Promise<Estimates> {
    const estimates = new Estimates(db, options);
    const stored = (await readSetting(db, estimates.#setting)) as { renders?: unknown } | undefined;
    const renders = Array.isArray(stored?.renders) ? stored.renders.filter(isMeasured) : [];
    estimates.#learn(renders);
    return estimates;
  }

  private constructor(db: Db, { log, slots, machine }: Parameters<typeof Estimates.open>[1]) {
    this.#db = db;
    this.#log = log;
    this.#slots = slots;
    this.#setting = machine === undefined ? 'measured-renders' : `measured-renders:${machine}`;
    this.#kept = new KeptEstimates(() => this.read());
  }

  #learn(renders: MeasuredRender[]): void {
    this.#renders = renders;
    this.#factorOf = workFactors(renders);
  }

  /**
   * Counts work as a job that keeps processors busy, except while it waits `elsewhere`. Also gives
   * how long it took, and how many jobs ran in that time.
   */
  async during<T>(
    work: (elsewhere: Counted['elsewhere']) => Promise<T>,
  ): Promise<{ value: T; seconds: number; concurrency: number }> {
    const counted = this.#load.begin();
    try {
      const value = await work(counted.elsewhere);
      return { value, ...counted.end() };
    } finally {
      counted.end();
    }
  }

  /** Takes in a finished render. Never rejects: the log says if it could not be kept. */
  async measured(render: MeasuredRender): Promise<void> {
    this.#learn(withRender(this.#renders, render));
    try {
      await writeSetting(this.#db, this.#setting, { renders: this.#renders });
    } catch (error) {
      this.#log({ event: 'measurement-not-kept', message: errorText(error) });
    }
  }

  /** As `read`, for callers that ask often. */
  current(): Promise<ReadonlyMap<string, Date>> {
    return this.#kept.current();
  }

  /**
   * When each export and task in work will be ready, by id: at least a second from now. What a task
   * has to do is known once its clips are; before that, its figure is a guess.
   * @param more an export that is about to be queued, at its turn
   */
  async read(more?: QueuedExport): Promise<ReadonlyMap<string, Date>> {
    const queue = await readQueue(this.#db);
    const now = Date.now();
    const machine: Machine = {
      slots: this.#slots,
      ...coresOf(this.#renders, availableParallelism()),
    };
    const later = more ? queue.exports.findIndex(({ turn }) => turn > more.turn) : -1;
    const exports = more
      ? queue.exports.toSpliced(later < 0 ? queue.exports.length : later, 0, more)
      : queue.exports;
    const waiting = [...exports, ...queue.previews, ...queue.scans];
    const busy = waiting.filter(({ stage }) => stage !== 'queued').length;
    const cores = coresEach(machine, Math.max(1, busy));
    const jobs = [
      ...queue.scans.map((one) => this.#scanJob(one)),
      ...queue.previews.map((one) => this.#previewJob(one)),
      ...exports.map((one) => this.#exportJob(one, cores, now)),
    ];
    const seconds = forecast(jobs, machine);
    // A task is ready with the last of its previews.
    for (const { id, task_id: task } of queue.previews) {
      seconds.set(task, Math.max(seconds.get(task) ?? 0, seconds.get(id)!));
      seconds.delete(id);
    }
    return new Map(
      [...seconds].map(([id, left]) => [id, new Date(now + Math.max(1, left) * 1000)]),
    );
  }

  #scanJob(one: QueuedScan): ForecastJob {
    const cpu = one.work * this.#factorOf({ source: one.id, quality: 'preview' });
    return { id: one.id, kind: 'scan', running: one.stage !== 'queued', idle: 0, cpu };
  }

  #previewJob(one: QueuedPreview): ForecastJob {
    const cpu = one.work * this.#factorOf({ source: one.task_id, quality: 'preview' });
    return {
      id: one.id,
      kind: 'preview',
      running: one.stage !== 'queued',
      idle: overheadSeconds.preview,
      cpu: cpu * (1 - one.share),
    };
  }

  #exportJob(one: QueuedExport, cores: number, now: number): ForecastJob {
    const running = one.stage !== 'queued' && one.started_at !== null;
    const since = (at: Date | null): number => (at ? Math.max(0, (now - at.getTime()) / 1000) : 0);
    const idle = overheadSeconds.export;
    const job = { id: one.id, kind: 'export' as const, running, idle, cpu: 0 };
    if (one.copied) return { ...job, idle: Math.max(0.1, copySeconds - since(one.started_at)) };
    const whole = one.work * this.#factorOf({ source: one.task_id, quality: 'export' });
    if (!running) return { ...job, cpu: whole };
    // The share is a little old: what was done since then is not left any more.
    const reported = one.share_at ?? one.started_at;
    const spent = Math.max(0, since(one.started_at) - since(reported) - idle / 2) * cores;
    const left = remainingCost(whole, one.share, spent) - since(reported) * cores;
    return { ...job, idle: idle / 2, cpu: Math.max(whole * 0.02, left) };
  }
}
