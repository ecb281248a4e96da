const kinds = ['scan', 'preview', 'export'] as const;
export type ForecastKind = (typeof kinds)[number];

/** A job that runs, or waits for its turn. */
export interface ForecastJob {
  id: string;
  /** Jobs of a kind wait for each other. Jobs of different kinds share the processors. */
  kind: ForecastKind;
  running: boolean;
  /** Seconds in which it needs no processor: reading, and writing to the disk. */
  idle: number;
  /** Processor seconds that it still needs. */
  cpu: number;
}

/** What the machine gives. */
export interface Machine {
  /** Jobs of each kind that run at the same time. */
  slots: Readonly<Record<ForecastKind, number>>;
  /** Processors that a job keeps busy if it is the only one; 0.6 on a busy machine. */
  single: number;
  /** Processors that several jobs share. */
  aggregate: number;
}

/** Processors for each of `count` running jobs. */
export const coresEach = ({ single, aggregate }: Machine, count: number): number =>
  Math.max(1e-6, count <= 1 ? single : Math.min(single, aggregate / count));

interface Running {
  job: ForecastJob;
  idle: number;
  cpu: number;
}

/**
 * Seconds from now until each job is done, by id. The machine is simulated from job to job: a job
 * that is done makes room for the next of its kind.
 * @param jobs in the order in which they start; those of a kind that run already come first
 */
export function forecast(jobs: readonly ForecastJob[], machine: Machine): Map<string, number> {
  const done = new Map<string, number>();
  const queues = kinds.map((kind) => {
    const own = jobs.filter((job) => job.kind === kind);
    // Those that run do so, even if there are more of them than slots.
    return [...own.filter(({ running }) => running), ...own.filter(({ running }) => !running)];
  });
  const taken = queues.map(() => 0);
  const running: Running[] = [];
  const begin = (queue: number): void => {
    const waiting = queues[queue]!;
    for (;;) {
      const job = waiting[taken[queue]!];
      if (!job) return;
      const busy = running.filter((one) => one.job.kind === job.kind).length;
      if (!job.running && busy >= Math.max(1, machine.slots[job.kind])) return;
      taken[queue]! += 1;
      running.push({ job, idle: Math.max(0, job.idle), cpu: Math.max(0, job.cpu) });
    }
  };
  queues.forEach((_, queue) => begin(queue));
  let now = 0;
  while (running.length > 0) {
    const cores = coresEach(machine, running.filter(({ idle }) => idle <= 0).length);
    const step = Math.min(...running.map(({ idle, cpu }) => (idle > 0 ? idle : cpu / cores)));
    now += step;
    for (const one of running) {
      if (one.idle > 0) one.idle = one.idle - step < 1e-9 ? 0 : one.idle - step;
      else one.cpu = one.cpu - step * cores < 1e-9 ? 0 : one.cpu - step * cores;
    }
    for (let index = running.length - 1; index >= 0; index -= 1) {
      const one = running[index]!;
      if (one.idle > 0 || one.cpu > 0) continue;
      running.splice(index, 1);
      done.set(one.job.id, now);
    }
    queues.forEach((_, queue) => begin(queue));
  }
  return done;
}

/**
 * Processor seconds that a running job still needs: first by its estimate, later by its own pace.
 * An encoder looks ahead, so its first frames are late, and early shares say little of its pace.
 * @param estimated processor seconds of the whole job
 * @param share of the job that is done, 0 to 1
 * @param spent processor seconds that it can have used so far
 */
export function remainingCost(estimated: number, share: number, spent: number): number {
  const done = Math.min(1, Math.max(0, share));
  const left = 1 - done;
  const expected = Math.max(estimated - spent, 0.4 * left * estimated);
  if (done === 0) return expected;
  const trust = done ** 2 / (done ** 2 + 0.06);
  return trust * (left / done) * spent + (1 - trust) * expected;
}
