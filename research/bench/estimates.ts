/**
 * How true the estimates of exports are: a mix through the real service. Only this: `node
 * research/bench/estimates.ts`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { exportSchema, projectListSchema, taskSchema, type Export } from 'clip-kit/contract';
import type { IngestedSource } from '../../packages/engine/src/facts.ts';
import { grainFootage, sampleFootage } from './footage.ts';
import { startServer } from './measured-server.ts';
import { callerOf, serveFiles, type Call } from './service-caller.ts';
import { median } from './statistics.ts';
import { markdownTable } from './table.ts';

/** Milliseconds between two looks. */
const pace = 200;

/** Clips of the mix: sizes, lengths and options that differ. */
const mix = [
  { footage: 'sample', count: 3, length: 6, size: [1080, 1920], editing: {} },
  { footage: 'sample', count: 3, length: 14, size: [1080, 1920], editing: { reframe: false } },
  { footage: 'sample', count: 3, length: 20, size: [540, 960], editing: { remove_silences: true } },
  { footage: 'sample', count: 3, length: 9, size: [1280, 720], editing: { captions: false } },
  { footage: 'grain', count: 2, length: 3, size: [540, 960], editing: {} },
] as const;

/** How many exports are asked for at once, one burst when the one before is done: 34 in all. */
const bursts = [1, 1, 6, 1, 1, 10, 3, 1, 8, 2] as const;

/** One export: seconds of the clock. */
interface Waited {
  /** From the answer to the start until it was ready. */
  real: number;
  /** What the answer estimated. */
  estimated: number;
  /** What was estimated when half of the real time had gone, and what was then left. */
  half: { estimated: number; real: number } | null;
  queued: boolean;
}

export interface EstimateFigures {
  exports: number;
  queued: number;
  /** Seconds: the median of the real waits, and the longest. */
  wait: { median: number; longest: number };
  /** Errors as shares of the real wait, at the start and when half of it had gone. */
  start: { median: number; within: number };
  half: { median: number; within: number };
}

/** The clips of one kind of the mix. */
async function makeClips(call: Call, url: string, one: (typeof mix)[number]): Promise<string[]> {
  let task = taskSchema.parse(
    await call('/tasks/video-to-shorts', {
      source_video_url: url,
      target_clip_count: one.count,
      min_clip_count: one.count,
      min_duration: Math.max(1, one.length - 2),
      max_duration: one.length + 2,
      target_duration: one.length,
      editing_options: one.editing,
      dimensions: { width: one.size[0], height: one.size[1] },
    }),
  );
  while (task.status === 'processing') {
    await setTimeout(pace);
    task = taskSchema.parse(await call(`/tasks/${task.id}`));
  }
  if (task.status !== 'ready') throw new Error(`The task failed: ${task.failure?.message}`);
  return projectListSchema.parse(await call(`/projects/${task.output_id}`)).map(({ id }) => id);
}

const estimateOf = (one: Export): number => Date.parse(one.estimated_ready_at ?? '');

/** Starts a burst of exports and watches them until all are done. */
async function burst(call: Call, clips: readonly string[]): Promise<Waited[]> {
  const waiting = new Map<string, { began: number; seen: [at: number, estimate: number][] }>();
  for (const clip of clips) {
    const started = exportSchema.parse(await call(`/projects/${clip}/exports`, {}));
    const now = Date.now();
    waiting.set(started.id, { began: now, seen: [[now, estimateOf(started)]] });
  }
  const done: Waited[] = [];
  while (waiting.size > 0) {
    await setTimeout(pace);
    for (const one of exportSchemaList(await call('/exports'))) {
      const watched = waiting.get(one.id);
      if (!watched) continue;
      if (one.status === 'error') throw new Error(`An export failed: ${one.failure?.message}`);
      if (one.status === 'processing') {
        watched.seen.push([Date.now(), estimateOf(one)]);
        continue;
      }
      waiting.delete(one.id);
      const ready = Date.parse(one.finished_at ?? '');
      const { began, seen } = watched;
      const middle = seen.find(([at]) => at >= (began + ready) / 2);
      done.push({
        real: (ready - began) / 1000,
        estimated: (seen[0]![1] - began) / 1000,
        half: middle
          ? { estimated: (middle[1] - middle[0]) / 1000, real: (ready - middle[0]) / 1000 }
          : null,
        queued: clips.length > 1,
      });
    }
  }
  return done;
}

const exportSchemaList = (body: unknown): Export[] =>
  (body as unknown[]).map((one) => exportSchema.parse(one));

/** Median of the errors and the share of those within 30 %; each is of the whole wait. */
const errorsOf = (errors: readonly number[]) => ({
  median: median(errors),
  within: errors.filter((error) => error <= 0.3).length / errors.length,
});

/** Exports of all kinds, one at a time and in bursts; first two that nothing is known for yet. */
export async function benchEstimates(
  sample: IngestedSource,
  parent: string,
  say: (line: string) => void = () => {},
): Promise<EstimateFigures> {
  const directory = await mkdtemp(join(parent, 'estimates-'));
  const grain = await grainFootage(sample, { start: 20, seconds: 12 }, directory);
  const files = await serveFiles([sample.path, sample.transcriptPath!, grain.path]);
  const service = await startServer('service', { dataDir: join(directory, 'data') });
  try {
    const call = callerOf(service);
    const clips: string[][] = [];
    for (const one of mix) {
      clips.push(await makeClips(call, `${files.url}/${one.footage}.mp4`, one));
      say(`${clips.at(-1)!.length} clips of ${one.footage}, ${one.size.join('x')}`);
    }
    // The kinds take turns, so that neighbours differ.
    const turns = Array.from({ length: 3 }, (_, turn) => clips.flatMap((own) => own[turn] ?? []));
    const order = turns.flat();
    const waited: Waited[] = [];
    let next = 0;
    for (const size of bursts) {
      const picked = Array.from({ length: size }, () => order[next++ % order.length]!);
      for (const one of await burst(call, picked)) {
        waited.push(one);
        say(
          `${one.real.toFixed(1)} s real, ${one.estimated.toFixed(1)} s estimated` +
            (one.half
              ? `; at half ${one.half.real.toFixed(1)} and ${one.half.estimated.toFixed(1)}`
              : ''),
        );
      }
    }
    return {
      exports: waited.length,
      queued: waited.filter(({ queued }) => queued).length,
      wait: {
        median: median(waited.map(({ real }) => real)),
        longest: Math.max(...waited.map(({ real }) => real)),
      },
      start: errorsOf(waited.map(({ real, estimated }) => Math.abs(estimated - real) / real)),
      half: errorsOf(
        waited.flatMap(({ real, half }) =>
          half ? [Math.abs(half.estimated - half.real) / real] : [],
        ),
      ),
    };
  } finally {
    await service.stop();
    files.close();
    await rm(directory, { recursive: true, force: true });
  }
}

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;

export const estimatesTable = (figures: EstimateFigures): string =>
  markdownTable(
    ['`estimated_ready_at`', 'median error', 'within 30 %'],
    [
      ['as the export is started', percent(figures.start.median), percent(figures.start.within)],
      ['when half of the wait is over', percent(figures.half.median), percent(figures.half.within)],
    ],
  );

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const parent = await mkdtemp(join(tmpdir(), 'clip-bench-'));
  try {
    const sample = await sampleFootage();
    const figures = await benchEstimates(sample, parent, (line) => console.log(line));
    console.log(figures);
    console.log(estimatesTable(figures));
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
}
