import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { projectListSchema, taskSchema, type Task } from 'clip-kit/contract';
import { type IngestedSource } from '../../packages/engine/src/facts.ts';
import { familyOf, sumOf } from './family.ts';
import { sampleFootage } from './footage.ts';
import { startServer, type MeasuredServer } from './measured-server.ts';

/** Milliseconds between two looks. */
const pace = 25;

/** Seconds of the clock from the moment that a task is asked for. */
export interface TaskFigures {
  task: Task;
  /** The task is accepted, its source fetched and checked. */
  accepted: number;
  /** The clips are listed, with score and explanation. */
  listed: number;
  /** The first of them has answered with its poster, and all have. */
  firstPoster: number;
  allPosters: number;
  /** The first of them has its preview. */
  firstPreview: number;
  /** All of them have, and the task is ready. */
  ready: number;
  clips: number;
}

/** Serves a source and its words, as a site does. */
export async function serveSource(source: IngestedSource) {
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

/** Asks the service for five shorts, and waits until they are listed. None has a preview then. */
export async function listShorts(service: MeasuredServer, url: string, user?: string) {
  const headers = {
    Authorization: `Bearer ${service.facts['apiKey']}`,
    ...(user !== undefined && { 'X-On-Behalf-Of': user }),
  };
  const ask = async (path: string, more: RequestInit = {}): Promise<unknown> => {
    const response = await fetch(`${service.url}${path}`, {
      ...more,
      headers: { ...headers, 'Content-Type': 'application/json', ...more.headers },
    });
    if (!response.ok) throw new Error(`${path} answers ${response.status}.`);
    return response.json();
  };
  const body = {
    source_video_url: url,
    target_clip_count: 5,
    min_clip_count: 5,
    target_duration: 25,
  };
  const task = taskSchema.parse(
    await ask('/v2/tasks/video-to-shorts', { method: 'POST', body: JSON.stringify(body) }),
  );
  const acceptedAt = performance.now();
  let listed = projectListSchema.parse([]);
  while (!listed.length) {
    await setTimeout(pace);
    listed = projectListSchema.parse(await ask(`/v2/projects/${task.output_id}`));
  }
  return { ask, task, acceptedAt, listed };
}

/**
 * Shorts of the sample through the real service: five clips of about 25 s, all other options at
 * their defaults.
 */
export async function benchTask(
  service: MeasuredServer,
  source: IngestedSource,
): Promise<TaskFigures> {
  const { server, url } = await serveSource(source);
  try {
    const began = performance.now();
    const since = (): number => (performance.now() - began) / 1000;
    const { ask, listed: clips, ...made } = await listShorts(service, url);
    const accepted = (made.acceptedAt - began) / 1000;
    let { task } = made;
    const listed = since();
    const page = (id: string): string => `${service.url}/player/${id}`;
    const posters = await Promise.all(
      clips.map(async ({ id }) => {
        const { status } = await fetch(`${page(id)}/poster.jpg`);
        if (status !== 200) throw new Error(`A poster answers ${status}.`);
        return since();
      }),
    );
    const shown = async ({ id }: { id: string }): Promise<boolean> => {
      const { state } = (await (await fetch(`${page(id)}/state`)).json()) as { state: string };
      return state === 'ready';
    };
    while (!(await Promise.all(clips.map(shown))).includes(true)) await setTimeout(4 * pace);
    const firstPreview = since();
    while (task.status === 'processing') {
      task = taskSchema.parse(
        await ask(`/v2/tasks/${task.id}`, { headers: { Prefer: 'wait=25' } }),
      );
    }
    if (task.status !== 'ready') throw new Error(`The task failed: ${task.failure?.message}`);
    return {
      ...{ task, accepted, listed, firstPreview, ready: since(), clips: clips.length },
      ...{ firstPoster: Math.min(...posters), allPosters: Math.max(...posters) },
    };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const directory = await mkdtemp(join(tmpdir(), 'clip-bench-'));
  const sample = await sampleFootage();
  const service = await startServer('service', { dataDir: join(directory, 'service') });
  try {
    console.log(`load before: ${loadavg()[0]?.toFixed(2)}`);
    const spent = async (): Promise<number> => sumOf(await familyOf(process.pid), 'cpu');
    const before = await spent();
    const { task: _, ...figures } = await benchTask(service, sample);
    console.log({ ...figures, processorSeconds: (await spent()) - before });
  } finally {
    await service.stop();
    await rm(directory, { recursive: true, force: true });
  }
}
