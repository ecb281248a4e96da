import { fork } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Export } from 'clip-kit/contract';
import type { LoadResult, LoadSettings } from './load.ts';
import { startServer, type MeasuredServer } from './measured-server.ts';
import { median } from './statistics.ts';

const rounds = 3;
const seconds = 1.5;
const connections = 16;

export interface ApiFigures {
  name: string;
  /** Bytes of the answer's body. */
  bytes: number;
  /** Medians. */
  perSecond: number;
  /** Microseconds of the server's processor time, user and system. */
  cpuPerRequest: number;
  /** Resident memory after the load, bytes. */
  memory: number;
}

export interface Target {
  name: string;
  server: MeasuredServer;
  path: string;
  headers: Record<string, string>;
}

async function load(settings: LoadSettings): Promise<LoadResult> {
  const child = fork(fileURLToPath(new URL('load.ts', import.meta.url)), [
    JSON.stringify(settings),
  ]);
  const ended = once(child, 'exit');
  const [answer] = await Promise.race([
    once(child, 'message'),
    ended.then(() => Promise.reject(new Error('The load generator of the bench failed.'))),
  ]);
  await ended;
  return answer as LoadResult;
}

export async function measure({ server, path, headers }: Target, time: number) {
  const before = await server.usage();
  const result = await load({ url: server.url + path, headers, connections, seconds: time });
  const after = await server.usage();
  return {
    perSecond: result.requests / result.seconds,
    cpuPerRequest: (after.cpu - before.cpu) / result.requests,
    memory: after.memory,
  };
}

async function bodyOf({ server, path, headers }: Target): Promise<string> {
  const response = await fetch(server.url + path, { headers });
  if (!response.ok) throw new Error(`${path} answers ${response.status}.`);
  return response.text();
}

export const anExport = (author: string): Export => ({
  id: randomUUID(),
  status: 'ready',
  src_url: `http://127.0.0.1/files/exports/${randomUUID()}/clip.mp4`,
  estimated_ready_at: '2026-01-01T12:00:30.000Z',
  project_id: randomUUID(),
  created_at: '2026-01-01T12:00:00.000Z',
  finished_at: '2026-01-01T12:00:29.000Z',
  name: 'What does your brain do all night?',
  author_id: author,
  folder_id: randomUUID(),
  descriptions: null,
  watermarked: false,
  progress: null,
  failure: null,
});

/**
 * The service's and the host's answers, each beside the floor: Node's own server with a body of the
 * same size. One after another, in rounds.
 * @param service a running service with a ready task
 */
export async function benchApi(
  service: MeasuredServer,
  taskId: string,
): Promise<{ figures: ApiFigures; floor: ApiFigures }[]> {
  const servers: MeasuredServer[] = [];
  const start = async (...args: Parameters<typeof startServer>): Promise<MeasuredServer> => {
    const server = await startServer(...args);
    servers.push(server);
    return server;
  };
  try {
    const managedUser = randomUUID();
    const found = anExport(managedUser);
    const upstream = await start('floor', { body: JSON.stringify(found) });
    const host = await start('host', { serviceUrl: upstream.url, managedUser });
    const authorized = { Authorization: `Bearer ${service.facts['apiKey']}` };
    const measured: Target[] = [
      { name: 'service `GET /healthz`', server: service, path: '/healthz', headers: {} },
      {
        name: 'service `GET /v2/tasks/{id}`',
        server: service,
        path: `/v2/tasks/${taskId}`,
        headers: authorized,
      },
      {
        name: 'host `GET /clips/exports/{id}`',
        server: host,
        path: `/clips/exports/${found.id}?project_id=${found.project_id}`,
        headers: {},
      },
    ];
    const pairs = await Promise.all(
      measured.map(async (target) => {
        const body = await bodyOf(target);
        const floor: Target = {
          ...target,
          name: 'floor: bare `node:http`, the same body',
          server: await start('floor', { body }),
        };
        return { target, floor, bytes: Buffer.byteLength(body) };
      }),
    );
    const targets = pairs.flatMap(({ target, floor }) => [floor, target]);
    const figures = new Map(
      targets.map((target) => [target, [] as Awaited<ReturnType<typeof measure>>[]]),
    );
    for (const target of targets) await measure(target, 1); // Until it is compiled.
    for (let round = 0; round < rounds; round += 1) {
      for (const [target, seen] of figures) seen.push(await measure(target, seconds));
    }
    const summed = (target: Target, bytes: number): ApiFigures => {
      const seen = figures.get(target) ?? [];
      return {
        name: target.name,
        bytes,
        perSecond: median(seen.map((one) => one.perSecond)),
        cpuPerRequest: median(seen.map((one) => one.cpuPerRequest)),
        memory: median(seen.map((one) => one.memory)),
      };
    };
    return pairs.map(({ target, floor, bytes }) => ({
      figures: summed(target, bytes),
      floor: summed(floor, bytes),
    }));
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}
