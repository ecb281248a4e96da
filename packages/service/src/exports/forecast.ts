import {
  type OpenExport,
  type QueueSnapshot,
  readSnapshot,
  type SettledExport,
} from './estimate-queries.ts';
import type { Db } from '../db/schema.ts';

/** Minimum age of a forecast before it is made again. */
const minAgeMs = 200;

/** The forecast for all who ask at about the same time: the queue is read once for them. */
export class Estimates {
  readonly #read: () => Promise<Forecast>;
  readonly #clock: () => number;
  #kept: { forecast: Forecast; from: number; ageMs: number } | null = null;
  #reading: Promise<Forecast> | null = null;

  /** @param clock milliseconds, never backwards */
  constructor(db: Db, clock = () => performance.now()) {
    this.#read = async () => new Forecast(await readSnapshot(db), Date.now());
    this.#clock = clock;
  }

  /** Waits for a new read of the queue only if the last one is too old to be used. */
  current(): Promise<Forecast> {
    const kept = this.#kept;
    const age = kept ? this.#clock() - kept.from : Infinity;
    if (kept && age < kept.ageMs) return Promise.resolve(kept.forecast);
    this.#reading ??= this.#refresh();
    if (!kept || age > 3 * kept.ageMs) return this.#reading;
    // Who waits for the next reading gets its failure.
    this.#reading.catch(() => {});
    return Promise.resolve(kept.forecast);
  }

  async #refresh(): Promise<Forecast> {
    const from = this.#clock();
    try {
      const forecast = await this.#read();
      // A long queue is read a tenth of the time at most.
      const ageMs = Math.max(minAgeMs, 10 * (this.#clock() - from));
      this.#kept = { forecast, from, ageMs };
      return forecast;
    } finally {
      this.#reading = null;
    }
  }
}

/** Seconds of an encode for opening the source, checking and storing the result. */
const overheadSeconds = 0.5;
/** Seconds that a copy takes. */
const copySeconds = 1.3;
/** Seconds of a slot for a unit of work, where nothing was ever settled: of two processors. */
const plainPace = 0.6;

/** Seconds for a unit of work, as a logarithm: twice and half are equally far from 1. */
const measurePace = ({ work, from, until }: SettledExport): number =>
  Math.log(Math.max((until - from) / 3, until - from - overheadSeconds) / work);

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

const countRunning = (settled: readonly SettledExport[], at: number): number =>
  settled.filter(({ from, until }) => from <= at && at < until).length;

/** Estimates when exports and tasks will be ready, from recent work and the queue. */
export class Forecast {
  readonly #now: number;
  readonly #snapshot: QueueSnapshot;
  readonly #pace: number;
  readonly #paceOfClip = new Map<string, number>();
  readonly #slots: number;
  readonly #runningSeconds: number;
  readonly #added: OpenExport[] = [];

  /** @param now milliseconds since 1970, when the snapshot was true */
  constructor(snapshot: QueueSnapshot, now: number) {
    const { settled, running, previewPace } = snapshot;
    [this.#snapshot, this.#now] = [snapshot, now];
    // An installation changes: the newest tell more.
    const paces = settled.slice(0, 25).map(measurePace);
    // Previews also wait for their turns and analyses: a slow pace of theirs says nothing.
    const first = Math.min(previewPace ?? plainPace, plainPace);
    const usual = paces.length > 0 ? median(paces) : Math.log(first);
    this.#pace = Math.exp(usual);
    // Footage has a pace of its own: its pictures cost more or less than their bits say.
    for (const own of Map.groupBy(settled, ({ taskId }) => taskId).values()) {
      const trust = 1 - 1 / (1 + 3 * own.length);
      const pace = Math.exp(usual + trust * (median(own.map(measurePace)) - usual));
      for (const id of own[0]!.projectIds) this.#paceOfClip.set(id, pace);
    }
    this.#slots = Math.max(
      1,
      running.length,
      ...settled.map(({ from }) => countRunning(settled, from)),
    );
    this.#runningSeconds = running.reduce((sum, one) => sum + this.#left(one, now), 0);
  }

  /** Counts an export that was started after the snapshot. */
  add(started: OpenExport): void {
    this.#added.push(started);
  }

  /**
   * When the export will be ready: at least a second from now. Null while it waits in the queue and
   * no export was ever settled, because the number of slots is not known.
   */
  exportReady(row: OpenExport, now = Date.now()): Date | null {
    const wait = row.stage === 'queued' ? this.#wait(row) : 0;
    if (wait > 0 && this.#snapshot.settled.length === 0) return null;
    return this.#after(Math.max(now, this.#now + wait * 1000), row, now);
  }

  /** When the export would be ready if it began now. */
  readyAlone(row: OpenExport, now = Date.now()): Date {
    return this.#after(now, row, now);
  }

  #after(begin: number, row: OpenExport, now: number): Date {
    return new Date(Math.max(now + 1000, begin + this.#left(row, now) * 1000));
  }

  /** Estimates when a task with this remaining preview work will be ready. */
  taskReady(work: number, now = Date.now()): Date {
    return new Date(now + Math.max(1, work * (this.#snapshot.previewPace ?? this.#pace)) * 1000);
  }

  /** Seconds from the snapshot until a slot is free for it. */
  #wait({ turn, created_at }: OpenExport): number {
    const isBefore = (one: Pick<OpenExport, 'turn' | 'created_at'>): boolean =>
      one.turn < turn || (one.turn === turn && one.created_at < created_at);
    const ahead = this.#snapshot.waiting.findLast(isBefore) ?? { jobs: 0, work: 0, copies: 0 };
    const added = this.#added.filter(isBefore);
    const jobs = this.#snapshot.running.length + ahead.jobs + added.length;
    if (jobs < this.#slots) return 0;
    const waiting = (ahead.jobs - ahead.copies) * overheadSeconds + ahead.work * this.#pace;
    const seconds = added.reduce(
      (sum, one) => sum + this.#whole(one),
      this.#runningSeconds + waiting + ahead.copies * copySeconds,
    );
    // When it begins, the other slots are in the middle of theirs.
    return (seconds * (1 - (this.#slots - 1) / (2 * jobs))) / this.#slots;
  }

  /** Seconds of a slot. */
  #whole({ project_id, work, copied }: OpenExport): number {
    const pace = this.#paceOfClip.get(project_id) ?? this.#pace;
    return copied ? copySeconds : overheadSeconds + work * pace;
  }

  /** Seconds of a slot that are left: first by its work, later by its own pace. */
  #left(row: OpenExport, now: number): number {
    const whole = this.#whole(row);
    if (row.stage === 'queued' || !row.started_at) return whole;
    const reportedAt = row.share_at ?? row.started_at;
    const spent = Math.max(0, reportedAt.getTime() - row.started_at.getTime()) / 1000;
    const open = 1 - Math.min(1, row.share);
    const expected = Math.max(whole - spent, 0.4 * open * whole);
    // An encoder looks ahead: its first frames are late, and early shares say little of its pace.
    const trust = row.share ** 2 / (row.share ** 2 + 0.06);
    const own = row.share > 0 ? (spent * open) / row.share : 0;
    const silence = (now - reportedAt.getTime()) / 1000;
    const left = trust * own + (1 - trust) * expected - silence;
    // What is late will be later: a busy machine reports nothing for as long as it needs.
    return Math.max(0.02 * whole, silence / 2, left);
  }
}
