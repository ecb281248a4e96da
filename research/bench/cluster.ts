/**
 * What queue and database carry when renders cost nothing, by the number of workers, and what
 * 10,000 held requests cost an API process. Needs Postgres. Only this: `node
 * research/bench/cluster.ts`.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { makePostgresCluster } from '../../tools/postgres-server.ts';
import { openDatabase } from '../../packages/service/src/db/open.ts';
import { openQueue } from '../../packages/service/src/queue/open.ts';
import { databaseProxy } from '../../packages/service/test/support/database-proxy.ts';
import {
  insertExports,
  insertLibrary,
  settleExport,
} from '../../packages/service/test/support/rows.ts';
import { startServer } from './measured-server.ts';
import { median } from './statistics.ts';
import { markdownTable } from './table.ts';

const workerCounts = [1, 5, 16] as const;
const jobsEach = 600;
const watchers = 10_000;
/** Exports that are watched; each is waited for by as many. */
const watchedExports = 1000;
/** Connections that are opened at a time. */
const atOnce = 200;

export interface QueueFigures {
  workers: number;
  jobsPerSecond: number;
  /** Statements that the workers send for each job, those of waiting included. */
  statementsPerJob: number;
}

export interface WaitingFigures {
  watchers: number;
  /** Resident bytes of the API process: before, and while it holds them all. */
  memory: { before: number; held: number };
  /** Milliseconds until `/healthz` answers, median. */
  healthMs: { before: number; held: number };
  /** Seconds until holds of 25 s ended that nothing changed: median and longest. */
  heldSeconds: { median: number; longest: number };
  /** Statements of the API process from a change until all who wait for it have their answer. */
  statementsPerChange: number;
}

/** Exports in the database of a server of its own, that nobody works on. */
async function openRows() {
  const directory = await mkdtemp(join(tmpdir(), 'clip-bench-postgres-'));
  const cluster = await makePostgresCluster(directory);
  const stop = await cluster.start();
  const database = await openDatabase({ dataDir: '', databaseUrl: cluster.url });
  const proxy = await databaseProxy(cluster.url);
  return {
    database,
    proxy,
    library: await insertLibrary(database.db),
    close: async () => {
      await proxy.close();
      await database.close();
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function benchQueue(workers: number): Promise<QueueFigures> {
  const { database, proxy, library, close } = await openRows();
  const queue = await openQueue(database, () => {});
  const ids = await insertExports(database.db, library, jobsEach);
  const settings = { databaseUrl: proxy.url };
  const servers = await Promise.all(
    Array.from({ length: workers }, () => startServer('no-op-worker', settings)),
  );
  await database.db.transaction().execute(async (trx) => {
    for (const [turn, id] of ids.entries()) {
      await queue.send('export', { id, turn, author_id: library.userId }, trx);
    }
  });
  const before = proxy.statements.length;
  const began = performance.now();
  const doneOf = async (): Promise<number> => {
    const { count } = await database.db
      .selectFrom('exports')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('status', '=', 'ready')
      .executeTakeFirstOrThrow();
    return Number(count);
  };
  while ((await doneOf()) < jobsEach) await setTimeout(50);
  const seconds = (performance.now() - began) / 1000;
  const statements = proxy.statements.length - before;
  await Promise.all(servers.map((server) => server.stop()));
  await queue.stop();
  await close();
  return {
    workers,
    jobsPerSecond: jobsEach / seconds,
    statementsPerJob: statements / jobsEach,
  };
}

async function benchWaiting(): Promise<WaitingFigures> {
  const { database, proxy, library, close } = await openRows();
  const dataDir = await mkdtemp(join(tmpdir(), 'clip-bench-'));
  const apiKey = 'bench-key-0123456789';
  const server = await startServer('service', { dataDir, databaseUrl: proxy.url, apiKey });
  try {
    const ids = await insertExports(database.db, library, watchedExports);
    const { host, hostname, port } = new URL(server.url);
    const before = (await server.usage()).memory;
    const healthMs = async (): Promise<number> => {
      const times: number[] = [];
      for (let count = 0; count < 20; count += 1) {
        const began = performance.now();
        await (await fetch(`${server.url}/healthz`)).text();
        times.push(performance.now() - began);
      }
      return median(times);
    };
    const healthBefore = await healthMs();
    let answered = 0;
    const changes = ids.slice(0, 20);
    const heldSeconds: number[] = [];
    const hold = async (id: string): Promise<void> => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      await once(socket, 'connect');
      // At the end the server closes those that still wait.
      socket.on('error', () => {});
      const began = performance.now();
      socket.once('data', () => {
        answered += 1;
        if (!changes.includes(id)) heldSeconds.push((performance.now() - began) / 1000);
        socket.destroy();
      });
      socket.write(
        `GET /v2/projects/${library.projectId}/exports/${id} HTTP/1.1\r\nHost: ${host}\r\n` +
          `Authorization: Bearer ${apiKey}\r\nPrefer: wait=25\r\n\r\n`,
      );
    };
    for (let at = 0; at < watchers; at += atOnce) {
      await Promise.all(
        Array.from({ length: atOnce }, (_, n) => hold(ids[(at + n) % watchedExports]!)),
      );
    }
    const healthHeld = await healthMs();
    const { memory: held } = await server.usage();
    const statements = proxy.statements.length;
    const soFar = answered;
    for (const id of changes) await settleExport(database.db, id);
    const expected = soFar + (changes.length * watchers) / watchedExports;
    while (answered < expected) await setTimeout(20);
    const statementsPerChange = (proxy.statements.length - statements) / changes.length;
    while (answered < watchers) await setTimeout(20);
    return {
      watchers,
      memory: { before, held },
      statementsPerChange,
      healthMs: { before: healthBefore, held: healthHeld },
      heldSeconds: { median: median(heldSeconds), longest: Math.max(...heldSeconds) },
    };
  } finally {
    await server.stop();
    await close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

export async function benchCluster(
  say: (line: string) => void = () => {},
): Promise<{ queue: QueueFigures[]; waiting: WaitingFigures }> {
  const queue: QueueFigures[] = [];
  for (const workers of workerCounts) {
    say(`${workers} workers`);
    queue.push(await benchQueue(workers));
  }
  say(`${watchers} held requests`);
  return { queue, waiting: await benchWaiting() };
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

export const clusterTables = ({
  queue,
  waiting,
}: {
  queue: readonly QueueFigures[];
  waiting: WaitingFigures;
}): string =>
  [
    markdownTable(
      ['workers, one job each at a time', 'jobs a second', 'statements a job'],
      queue.map(({ workers, jobsPerSecond, statementsPerJob }) => [
        String(workers),
        jobsPerSecond.toFixed(0),
        statementsPerJob.toFixed(1),
      ]),
    ),
    markdownTable(
      [
        ...['held requests', 'memory before', 'memory while held', 'statements a change'],
        ...['`/healthz` before', '`/healthz` while held', 'holds of 25 s end after (longest)'],
      ],
      [
        [
          waiting.watchers.toLocaleString('en'),
          megabytes(waiting.memory.before),
          megabytes(waiting.memory.held),
          waiting.statementsPerChange.toFixed(1),
          `${waiting.healthMs.before.toFixed(1)} ms`,
          `${waiting.healthMs.held.toFixed(1)} ms`,
          `${waiting.heldSeconds.median.toFixed(1)} s (${waiting.heldSeconds.longest.toFixed(1)} s)`,
        ],
      ],
    ),
  ].join('\n\n');

if (import.meta.main) console.log(clusterTables(await benchCluster((line) => console.log(line))));
