import { readQueue, type QueuedExport, type QueuedTask } from '../db/estimates.ts';
import type { Db } from '../db/schema.ts';
import { previewsLeft } from '../tasks/task-stages.ts';
import { coresEach, forecast, remainingCost, type ForecastJob, type Machine } from './forecast.ts';
import type { RenderRate } from './render-rate.ts';

/**
 * Seconds before and after a render: the source is looked at, the result checked, synced and put in its place. By measurement on two
 * processors and a local disk: a render of five small frames takes 0.25 s, rows and files are the rest; a task has a poster more.
 */
const around = { export: 0.35, task: 0.5 } as const;

/** Seconds that a copy takes. Measured there too: 0.5 s for 2 and for 30 seconds of 720p alike, with as much again for rows, files and the queue. */
const copySeconds = 0.9;

interface Needs {
  db: Db;
  rate: RenderRate;
  concurrency: number;
}

const exportJob = (one: QueuedExport, { rate }: Needs, cores: number, now: number): ForecastJob => {
  const running = one.stage !== 'queued' && one.started_at !== null;
  const since = (at: Date | null): number => (at ? Math.max(0, (now - at.getTime()) / 1000) : 0);
  const job = { id: one.id, kind: 'export' as const, running, idle: around.export, cpu: 0 };
  if (one.copied) return { ...job, idle: Math.max(0.1, copySeconds - since(one.started_at)) };
  const whole = rate.cpu(one.work, { source: one.task_id, quality: 'export' });
  if (!running) return { ...job, cpu: whole };
  // What was told of it is a little old: what has been done since is not left any more.
  const told = one.share_at ?? one.started_at;
  const spent = Math.max(0, since(one.started_at) - since(told) - around.export / 2) * cores;
  const left = remainingCost(whole, one.share, spent) - since(told) * cores;
  return { ...job, idle: around.export / 2, cpu: Math.max(whole * 0.02, left) };
};

const taskJob = (one: QueuedTask, { rate }: Needs): ForecastJob => ({
  id: one.id,
  kind: 'task',
  running: one.stage !== 'queued',
  idle: around.task,
  cpu: rate.cpu(one.work, { source: one.id, quality: 'preview' }) * previewsLeft(one.share),
});

/**
 * When each export and task that is being processed will be ready, by id, as it looks now: by what is left of it, what is before it and
 * what runs beside it. A second from now at the least. What a task has to do is known once its clips are; before, its figure is a guess.
 * `KeptEstimates` has it for those who ask often.
 * @param more an export that is about to be queued, behind all others
 */
export const readEstimates = async (
  service: Needs,
  more?: QueuedExport,
): Promise<Map<string, Date>> => {
  const queue = await readQueue(service.db);
  const now = Date.now();
  const machine: Machine = { slots: service.concurrency, ...service.rate.cores() };
  const exports = more ? [...queue.exports, more] : queue.exports;
  const busy = [...exports, ...queue.tasks].filter(({ stage }) => stage !== 'queued').length;
  const cores = coresEach(machine, Math.max(1, busy));
  const jobs = [
    ...queue.tasks.map((one) => taskJob(one, service)),
    ...exports.map((one) => exportJob(one, service, cores, now)),
  ];
  const seconds = forecast(jobs, machine);
  return new Map([...seconds].map(([id, left]) => [id, new Date(now + Math.max(1, left) * 1000)]));
};
