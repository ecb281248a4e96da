/**
 * What a request costs the service: processor time over that of the same answer on bare Hono, in
 * turns. Only this: `node research/bench/requests.ts`, after `npm run build`; as root on Debian, or
 * with Postgres installed.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../tools/postgres-server.ts';
import { openDatabase } from '../../packages/service/src/db/open.ts';
import {
  insertExports,
  insertLibrary,
  settleExport,
} from '../../packages/service/test/support/rows.ts';
import { measure, type Target } from './api.ts';
import { startServer, type MeasuredServer } from './measured-server.ts';
import { median } from './statistics.ts';
import { markdownTable } from './table.ts';

const rounds = 5;
const seconds = 1.5;
/** Tasks, and exports, of a list. */
const listed = 20;

export interface RequestFigures {
  name: string;
  /** Microseconds of processor time, medians. */
  cpu: number;
  floor: number;
  /** Median of the rounds' ratios. */
  ratio: number;
  goal: number;
}

interface Row {
  name: string;
  path: string;
  goal: number;
}

/** A source of which the first byte never comes: its task is processed until the end. */
async function silentSource() {
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.mp4`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function measureRow(
  service: MeasuredServer,
  { name, path, goal }: Row,
  headers: Record<string, string>,
): Promise<RequestFigures> {
  const response = await fetch(service.url + path, { headers });
  if (!response.ok) throw new Error(`${path} answers ${response.status}.`);
  const floor = await startServer('bare-hono', { body: await response.text() });
  try {
    const target: Target = { name, server: service, path, headers };
    const bare: Target = { ...target, server: floor };
    for (const one of [bare, target]) await measure(one, 2); // Until it is compiled.
    const seen: { own: number; floor: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const under = await measure(bare, seconds);
      const over = await measure(target, seconds);
      seen.push({ own: over.cpuPerRequest, floor: under.cpuPerRequest });
    }
    return {
      name,
      goal,
      cpu: median(seen.map(({ own }) => own)),
      floor: median(seen.map((one) => one.floor)),
      ratio: median(seen.map((one) => one.own / one.floor)),
    };
  } finally {
    await floor.stop();
  }
}

async function benchOn(
  database: 'embedded' | 'Postgres',
  directory: string,
  databaseUrl?: string,
): Promise<RequestFigures[]> {
  const dataDir = join(directory, 'data');
  const opened = await openDatabase({ dataDir, databaseUrl });
  const library = await insertLibrary(opened.db);
  for (let more = 1; more < listed; more += 1) await insertLibrary(opened.db);
  const exports = await insertExports(opened.db, library, listed);
  for (const id of exports) await settleExport(opened.db, id);
  const [settled = ''] = exports;
  if (!databaseUrl) await opened.close();
  const apiKey = `bench-${randomUUID()}`;
  const source = await silentSource();
  const service = await startServer('service', { dataDir, databaseUrl, apiKey, ingestWaitMs: 1 });
  try {
    const headers = { Authorization: `Bearer ${apiKey}` };
    const created = await fetch(`${service.url}/v2/tasks/video-to-shorts`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ source_video_url: source.url }),
    });
    const { id } = (await created.json()) as { id: string };
    const exportsOf = `/v2/projects/${library.projectId}/exports`;
    const running = database === 'embedded' ? 12 : 6;
    const rows: Row[] = [
      { name: '`/livez`', path: '/livez', goal: 1.5 },
      { name: 'a ready task', path: `/v2/tasks/${library.taskId}`, goal: 3 },
      { name: 'a ready export', path: `${exportsOf}/${settled}`, goal: 3 },
      { name: `a list of ${listed} tasks`, path: `/v2/tasks?limit=${listed}`, goal: 4 },
      { name: `a list of ${listed} exports`, path: `/v2/exports?limit=${listed}`, goal: 4 },
      { name: 'a running task', path: `/v2/tasks/${id}`, goal: running },
    ];
    if (databaseUrl) {
      // Without a job: nobody works on it.
      const [export_ = ''] = await insertExports(opened.db, library, 1);
      rows.push({ name: 'a running export', path: `${exportsOf}/${export_}`, goal: running });
    }
    const figures: RequestFigures[] = [];
    for (const row of rows) {
      figures.push(
        await measureRow(service, { ...row, name: `${row.name}, ${database}` }, headers),
      );
    }
    return figures;
  } finally {
    source.close();
    await service.stop();
    if (databaseUrl) await opened.close();
  }
}

export async function benchRequests(): Promise<RequestFigures[]> {
  const directories = await Promise.all(
    ['embedded', 'server', 'files'].map((name) => mkdtemp(join(tmpdir(), `clip-bench-${name}-`))),
  );
  const [embedded = '', server = '', files = ''] = directories;
  const postgres = await startPostgres(server);
  try {
    return [
      ...(await benchOn('embedded', embedded)),
      ...(await benchOn('Postgres', files, postgres.env['TEST_DATABASE_URL'])),
    ];
  } finally {
    await postgres.stop();
    for (const path of directories) await rm(path, { recursive: true, force: true });
  }
}

export const requestsTable = (figures: readonly RequestFigures[]): string =>
  markdownTable(
    ['request', 'CPU', 'bare Hono', 'ratio', 'goal'],
    figures.map(({ name, cpu, floor, ratio, goal }) => [
      name,
      `${cpu.toFixed(0)} µs`,
      `${floor.toFixed(0)} µs`,
      ratio.toFixed(1),
      String(goal),
    ]),
  );

if (import.meta.main) console.log(requestsTable(await benchRequests()));
