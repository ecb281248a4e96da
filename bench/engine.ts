import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { projectListSchema, taskSchema, type Task } from 'clip-kit/contract';
import { analyse } from '../engine/src/scan/analyse.ts';
import { type Analysis, type IngestedSource } from '../engine/src/facts.ts';
import { pickCandidates } from '../engine/src/moments/candidates.ts';
import { familyOf, sumOf } from './family.ts';
import { tenMinutes } from './footage.ts';
import type { MeasuredServer } from './measured-server.ts';
import { median } from './statistics.ts';

const repeats = 3;
/** Milliseconds between two looks. */
const pace = 25;

/** How many seconds of the video are scanned in a second of the clock: the median. */
export async function benchAnalyse(
  source: IngestedSource,
): Promise<{ speed: number; analysis: Analysis }> {
  const speeds: number[] = [];
  let analysis: Analysis | undefined;
  for (let round = 0; round < repeats; round += 1) {
    const began = performance.now();
    analysis = await analyse(source, { signal: new AbortController().signal });
    speeds.push(source.media.duration / ((performance.now() - began) / 1000));
  }
  if (!analysis) throw new RangeError('Nothing was analysed.');
  return { speed: median(speeds), analysis };
}

export interface CandidateFigures {
  /** Seconds of the video. */
  duration: number;
  /**
   * Processor seconds of this process and its ffmpeg from the file to the chosen clips: the median.
   */
  cpu: number;
  clips: number;
}

/** Ten minutes of 1080p, from the file on disk to its chosen clips. */
export async function benchCandidates(
  sample: IngestedSource,
  directory: string,
): Promise<CandidateFigures> {
  const source = await tenMinutes(sample, directory);
  const spent = async () => sumOf(await familyOf(process.pid), 'cpu');
  const seconds: number[] = [];
  let clips = 0;
  for (let round = 0; round < repeats; round += 1) {
    const before = await spent();
    const analysis = await analyse(source, { signal: new AbortController().signal });
    const wanted = { count: 10, min: 1, max: 180, target: 60 };
    clips = pickCandidates(analysis, wanted).length;
    seconds.push((await spent()) - before);
  }
  return { duration: source.media.duration, cpu: median(seconds), clips };
}

/** Seconds of the clock from the moment that a task is asked for. */
export interface TaskFigures {
  task: Task;
  /** The task is accepted, its source fetched and checked. */
  accepted: number;
  /** The clips are listed, with score and explanation. */
  listed: number;
  /** The first of them has its preview. */
  firstPreview: number;
  /** All of them have, and the task is ready. */
  ready: number;
  clips: number;
}

async function serveSource(source: IngestedSource) {
  const server = createServer((request, response) => {
    const extension = extname(new URL(request.url ?? '', 'http://localhost').pathname);
    const path = extension === '.vtt' ? source.transcriptPath : extension === '.mp4' && source.path;
    if (!path) {
      response.writeHead(404).end();
      return;
    }
    void stat(path).then(({ size }) => {
      response.writeHead(200, { 'Content-Length': size });
      createReadStream(path).pipe(response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sample.mp4` };
}

/**
 * Shorts of the sample through the real service: five clips of about 25 s, all other options at
 * their defaults.
 */
export async function benchTask(
  service: MeasuredServer,
  source: IngestedSource,
): Promise<TaskFigures> {
  const headers = { Authorization: `Bearer ${service.facts['apiKey']}` };
  const ask = async (path: string, more: RequestInit = {}): Promise<unknown> => {
    const response = await fetch(`${service.url}${path}`, {
      ...more,
      headers: { ...headers, 'Content-Type': 'application/json', ...more.headers },
    });
    if (!response.ok) throw new Error(`${path} answers ${response.status}.`);
    return response.json();
  };
  const { server, url } = await serveSource(source);
  try {
    const began = performance.now();
    const since = (): number => (performance.now() - began) / 1000;
    const body = { source_video_url: url, target_clip_count: 5, target_duration: 25 };
    let task = taskSchema.parse(
      await ask('/v2/tasks/video-to-shorts', { method: 'POST', body: JSON.stringify(body) }),
    );
    const accepted = since();
    let clips = projectListSchema.parse([]);
    while (!clips.length) {
      await setTimeout(pace);
      clips = projectListSchema.parse(await ask(`/v2/projects/${task.output_id}`));
    }
    const listed = since();
    // A poster is published together with the preview.
    const shown = (id: string): Promise<boolean> =>
      fetch(`${service.url}/player/${id}/poster.jpg`, { method: 'HEAD' }).then(({ ok }) => ok);
    while (!(await Promise.all(clips.map(({ id }) => shown(id)))).includes(true)) {
      await setTimeout(pace);
    }
    const firstPreview = since();
    while (task.status === 'processing') {
      task = taskSchema.parse(
        await ask(`/v2/tasks/${task.id}`, { headers: { Prefer: 'wait=25' } }),
      );
    }
    if (task.status !== 'ready') throw new Error(`The task failed: ${task.failure?.message}`);
    return { task, accepted, listed, firstPreview, ready: since(), clips: clips.length };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
