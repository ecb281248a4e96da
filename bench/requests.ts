import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../packages/service/src/db/open.ts';
import { insertExports, insertLibrary, settleExport } from 'clip-testkit/rows';
import { markdownTable, median, ratios } from './figures.ts';
import { type MeasuredServer, startServer } from './servers.ts';

const rounds = 5;
const seconds = 1.5;
const connections = 16;
/** Exports of a list. */
const listed = 20;

interface Target {
  name: string;
  server: MeasuredServer;
  path: string;
  headers: Record<string, string>;
}

/** Asks a server for a time, and returns the microseconds of its processor time a request. */
async function measureCpu({ server, path, headers }: Target, seconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const until = performance.now() + 1000 * seconds;
  let requests = 0;
  const ask = async (): Promise<void> => {
    while (performance.now() < until) {
      const [response] = (await once(get(server.url + path, { agent, headers }), 'response')) as [
        IncomingMessage,
      ];
      if (response.statusCode !== 200) throw new Error(`${path} answers ${response.statusCode}.`);
      await once(response.resume(), 'end');
      requests += 1;
    }
  };
  const before = await server.readCpu();
  await Promise.all(Array.from({ length: connections }, ask));
  agent.destroy();
  return ((await server.readCpu()) - before) / requests;
}

/** A row: the processor time of an answer, and of its floor, in turns. */
async function compare(target: Target, floor: MeasuredServer): Promise<string[]> {
  const bare: Target = { ...target, server: floor };
  // Until both are compiled.
  for (const one of [bare, target]) await measureCpu(one, 2);
  const [under, over]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    under.push(await measureCpu(bare, seconds));
    over.push(await measureCpu(target, seconds));
  }
  const figures = [median(over).toFixed(0), median(under).toFixed(0)];
  return [target.name, ...figures, median(ratios(over, under)).toFixed(2)];
}

/** Answers of the service beside the same bytes from a server that does nothing else. */
async function compareService(directory: string): Promise<string[][]> {
  const opened = await openDatabase({ dataDir: directory });
  const library = await insertLibrary(opened.db);
  const exports = await insertExports(opened.db, library, listed);
  for (const id of exports) await settleExport(opened.db, id);
  await opened.close();
  const apiKey = `bench-${randomUUID()}`;
  const server = await startServer('service', { dataDir: directory, apiKey });
  const headers = { Authorization: `Bearer ${apiKey}` };
  const rows: string[][] = [];
  try {
    for (const [name, path] of [
      ['service: `GET /livez`', '/livez'],
      ['a ready task', `/v2/tasks/${library.taskId}`],
      ['a ready export', `/v2/projects/${library.projectId}/exports/${exports[0]}`],
      [`a list of ${listed} exports`, `/v2/exports?limit=${listed}`],
    ] as const) {
      const body = await (await fetch(server.url + path, { headers })).text();
      const floor = await startServer('floor', { body });
      rows.push(await compare({ name, server, path, headers }, floor));
      await floor.stop();
    }
    return rows;
  } finally {
    await server.stop();
  }
}

/** The host's route beside the same by hand, with the same call to the service. */
async function compareHost(): Promise<string[]> {
  const managedUser = randomUUID();
  const time = '2026-01-01T12:00:30.000Z';
  const found = {
    ...{ id: randomUUID(), project_id: randomUUID(), folder_id: randomUUID(), status: 'ready' },
    ...{ src_url: `http://127.0.0.1/files/${randomUUID()}/clip.mp4`, estimated_ready_at: time },
    ...{ created_at: time, finished_at: time, name: 'What does your brain do all night?' },
    ...{ author_id: managedUser, descriptions: null, watermarked: false },
  };
  const service = await startServer('floor', { body: JSON.stringify(found) });
  const settings = { serviceUrl: service.url, managedUser };
  const server = await startServer('host', settings);
  const byHand = await startServer('byHand', settings);
  try {
    const path = `/clips/exports/${found.id}?project_id=${found.project_id}`;
    return await compare({ name: 'host: an export, by hand', server, path, headers: {} }, byHand);
  } finally {
    for (const one of [server, byHand, service]) await one.stop();
  }
}

/** Microseconds of processor time that an answer costs its server, beside a floor. */
export async function measure(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'clip-bench-'));
  try {
    const rows = [...(await compareService(directory)), await compareHost()];
    return markdownTable(['answer', 'CPU µs', 'floor µs', 'ratio'], rows);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
