/**
 * A day of a large installation, reckoned: a million exports by many users, and the scans and
 * previews of what they export, on a fleet of workers. What a job costs is measured elsewhere
 * (`cluster.ts`, `render.ts`); here only time passes. `node research/bench/scale.ts`
 */
import { dice } from '../../packages/engine/test/support/media-analysis.ts';
import { markdownTable } from './table.ts';

const daySeconds = 86_400;
/** At the peak there are so many times the mean, at the low point the rest. */
const peak = 2;

/** A person exports a whole folder: exports come in bursts. */
const exports = { perDay: 1_000_000, burst: 5 };
/** Each is a scan, and then a preview for each of its clips. */
const tasks = { perDay: 100_000, clips: 10 };
/** Seconds of two processors, as means of exponentials: half an hour of video, half a minute. */
const meanSeconds = { scan: 20, preview: 6, export: 20 };

/** Those who do most do far more: user number n comes with a share like 1 / n. */
const users = 50_000;
/** A worker has so many slots of each kind, and two processors for each of them. */
const slotsOfWorker = 4;
/** How far two jobs of a user are apart in the queue, as in `turns.ts`. */
const turnsApart = 60;

const kinds = ['scan', 'preview', 'export'] as const;
type Kind = (typeof kinds)[number];

interface Job {
  kind: Kind;
  user: number;
  turn: number;
  created: number;
  seconds: number;
}

/** The item with the least key is taken first; of two with the same, the one that came first. */
class Heap<Item> {
  readonly #rows: { key: number; number: number; item: Item }[] = [];
  #count = 0;

  get least(): number {
    return this.#rows[0]?.key ?? Infinity;
  }

  get size(): number {
    return this.#rows.length;
  }

  add(key: number, item: Item): void {
    const row = { key, number: this.#count++, item };
    let at = this.#rows.push(row) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(row, this.#rows[parent]!)) break;
      this.#rows[at] = this.#rows[parent]!;
      at = parent;
    }
    this.#rows[at] = row;
  }

  take(): Item {
    const [top, last] = [this.#rows[0]!, this.#rows.pop()!];
    if (this.#rows.length === 0) return top.item;
    let at = 0;
    for (;;) {
      let least = 2 * at + 1;
      if (least >= this.#rows.length) break;
      const right = this.#rows[least + 1];
      if (right && this.#isBefore(right, this.#rows[least]!)) least += 1;
      if (this.#isBefore(last, this.#rows[least]!)) break;
      this.#rows[at] = this.#rows[least]!;
      at = least;
    }
    this.#rows[at] = last;
    return top.item;
  }

  #isBefore(one: { key: number; number: number }, other: typeof one): boolean {
    return one.key < other.key || (one.key === other.key && one.number < other.number);
  }
}

/** Jobs of a kind: those that wait, in turns of their users, and what is known of each user. */
class Line {
  readonly waiting = new Heap<Job>();
  /** The highest turn of those that run or ran. */
  now = 0;
  running = 0;
  readonly #open = new Map<number, { last: number; jobs: number }>();

  add(job: Omit<Job, 'turn'>): void {
    const own = this.#open.get(job.user);
    const turn = own ? Math.max(this.now, own.last + turnsApart) : this.now;
    this.#open.set(job.user, { last: turn, jobs: (own?.jobs ?? 0) + 1 });
    this.waiting.add(turn, { ...job, turn });
  }

  begin(): Job {
    const job = this.waiting.take();
    this.now = Math.max(this.now, job.turn);
    this.running += 1;
    return job;
  }

  end({ user }: Job): void {
    this.running -= 1;
    const own = this.#open.get(user)!;
    if (own.jobs === 1) this.#open.delete(user);
    else own.jobs -= 1;
  }
}

interface Day {
  workers: number;
  /** Seconds from the creation of a job to its begin. */
  waits: Record<Kind, number[]>;
  /** The same for exports, by how many exports of the day the user had. */
  byExports: { few: number[]; many: number[] };
  /** The longest queue of exports. */
  longest: number;
}

/** Users with at most so many exports a day are most of the users. */
const fewExports = 20;

function simulate(workers: number, seed: number): Day {
  const random = dice(seed);
  const exponential = (mean: number) => -Math.log(1 - random()) * mean;
  const someone = () => Math.floor(users ** random());
  const slots = workers * slotsOfWorker;
  const lines = { scan: new Line(), preview: new Line(), export: new Line() };
  const waits: Day['waits'] = { scan: [], preview: [], export: [] };
  const own: { user: number; wait: number }[] = [];
  /** By the work that is done when they end: all share the processors alike. */
  const running = new Heap<Job>();
  let [now, done, longest] = [0, 0, 0];
  const next = { export: 0, scan: 0 };
  const gap = (perSecond: number) =>
    exponential(1) / (perSecond * (1 + (peak - 1) * Math.sin((2 * Math.PI * now) / daySeconds)));
  const add = (kind: Kind, user: number) =>
    lines[kind].add({ kind, user, created: now, seconds: exponential(meanSeconds[kind]) });

  while (now < daySeconds || running.size > 0) {
    for (const kind of kinds) {
      const line = lines[kind];
      while (line.running < slots && line.waiting.size > 0) {
        const job = line.begin();
        waits[kind].push(now - job.created);
        if (kind === 'export') own.push({ user: job.user, wait: now - job.created });
        running.add(done + job.seconds, job);
      }
    }
    longest = Math.max(longest, lines.export.waiting.size);
    // Three kinds share the processors of one: beyond them, each job is slower.
    const pace = Math.min(1, slots / running.size);
    const end = now + (running.least - done) / pace;
    const arrival = now < daySeconds ? Math.min(next.export, next.scan) : Infinity;
    const before = now;
    now = Math.min(end, arrival);
    done += (now - before) * pace;
    if (now === end) {
      const job = running.take();
      lines[job.kind].end(job);
      if (job.kind === 'scan')
        for (let clip = 0; clip < tasks.clips; clip++) add('preview', job.user);
    } else if (now === next.export) {
      const user = someone();
      for (let one = 0; one < exports.burst; one++) add('export', user);
      next.export += gap(exports.perDay / exports.burst / daySeconds);
    } else {
      add('scan', someone());
      next.scan += gap(tasks.perDay / daySeconds);
    }
  }
  const counts = new Map<number, number>();
  for (const { user } of own) counts.set(user, (counts.get(user) ?? 0) + 1);
  const { few = [], many = [] } = Object.groupBy(own, ({ user }) =>
    counts.get(user)! <= fewExports ? 'few' : 'many',
  );
  const waitsOf = (list: typeof own) => list.map(({ wait }) => wait);
  return { workers, waits, byExports: { few: waitsOf(few), many: waitsOf(many) }, longest };
}

/** Median and the longest wait of 95 and 99 in a hundred. */
function quantiles(waits: readonly number[]): string {
  const sorted = Float64Array.from(waits).sort();
  return [0.5, 0.95, 0.99]
    .map((share) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0))
    .join(' / ');
}

export const scaleTable = (): string =>
  markdownTable(
    [
      ...['workers', 'scan waits, s (median / 95 / 99 %)', 'preview', 'export'],
      ...[`export of users with up to ${fewExports} a day`, 'of the others', 'longest queue'],
    ],
    [80, 120, 160, 200]
      .map((workers) => simulate(workers, 1))
      .map(({ workers, waits, byExports, longest }) => [
        String(workers),
        ...kinds.map((kind) => quantiles(waits[kind])),
        quantiles(byExports.few),
        quantiles(byExports.many),
        longest.toLocaleString('en'),
      ]),
  );

if (import.meta.main) console.log(scaleTable());
