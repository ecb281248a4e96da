import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { createApp } from './app.ts';
import { Changes } from './changes.ts';
import type { ServiceConfig } from './config.ts';
import type { ServiceContext } from './context.ts';
import { lockDataDirectory } from './data-lock.ts';
import { ensureFirstOrganization } from './db/accounts.ts';
import { openDatabase } from './db/open.ts';
import { exportClip } from './jobs/export-job.ts';
import { openQueue } from './jobs/queue.ts';
import { recover } from './jobs/recover.ts';
import { openRenderRate } from './jobs/render-rate.ts';
import { rowJob } from './jobs/run-job.ts';
import { workTask } from './jobs/task-job.ts';
import { diskStorage } from './storage/disk.ts';
import { operatorOf, type Operator } from './operator.ts';
import { openTokens } from './tokens.ts';

export interface RunningService {
  /** Public address, no slash at the end; the API is below `/v2`. */
  url: string;
  /** The port that it listens on. */
  port: number;
  /** The first organization's key where it was made just now: it cannot be shown again. Null otherwise. */
  apiKey: string | null;
  operator: Operator;
  /** Stops: no new requests, running jobs put back for the next start, everything closed. */
  close(): Promise<void>;
}

/** How long open requests are given to end when the service stops, in milliseconds. */
const closeGrace = 2000;

const listen = async (server: Server, port: number, host: string | undefined): Promise<number> => {
  server.listen(port, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

const stopListening = async (server: Server): Promise<void> => {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), closeGrace);
  await closed;
  clearTimeout(timer);
};

/** Undoes, last first; every step is taken even where one fails. */
class Cleanup {
  readonly #steps: (() => unknown)[] = [];

  add(step: () => unknown): void {
    this.#steps.push(step);
  }

  async run(): Promise<void> {
    let failure: { error: unknown } | null = null;
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      try {
        await step();
      } catch (error) {
        failure ??= { error };
      }
    }
    if (failure) throw failure.error;
  }
}

/**
 * Starts API, pages and worker in this process. Resolves once requests are answered.
 * Rejects where the data directory is in use (`DataDirectoryInUse`), the database cannot be opened or the port is taken;
 * nothing is left open then.
 */
export const startService = async (config: ServiceConfig): Promise<RunningService> => {
  const dataDir = resolve(config.dataDir);
  const log = config.log ?? (() => {});
  const cleanup = new Cleanup();
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    // A database server may be shared, and the files with it; the built-in database may not.
    if (config.databaseUrl === undefined) cleanup.add(lockDataDirectory(dataDir));
    const workDirectory = join(dataDir, 'work');
    if (config.databaseUrl === undefined) {
      await rm(workDirectory, { recursive: true, force: true });
    }
    await mkdir(workDirectory, { recursive: true });
    const database = await openDatabase({ dataDir, databaseUrl: config.databaseUrl });
    cleanup.add(() => database.close());
    const { db } = database;
    const apiKey = await ensureFirstOrganization(db, config.apiKey);
    const operator = operatorOf(db);
    if (config.plan) await operator.setPlan(config.plan);
    const queue = await openQueue(database, log);
    cleanup.add(() => queue.stop());

    const closing = new AbortController();
    cleanup.add(() => closing.abort(new Error('The service is stopping.')));
    let publicUrl = config.publicUrl ?? '';
    const concurrency = config.concurrency ?? Math.max(1, Math.floor(availableParallelism() / 2));
    const service: ServiceContext = {
      db,
      storage: diskStorage(join(dataDir, 'files')),
      queue,
      changes: new Changes(),
      tokens: await openTokens(db, config.tokenSeconds ?? 3600),
      rate: await openRenderRate(db),
      log,
      closing: closing.signal,
      publicUrl: () => publicUrl,
      workDirectory,
      allowPrivateSources: config.allowPrivateSources,
      ingestWaitMs: config.ingestWaitMs ?? 20_000,
      downloadWaitMs: config.downloadWaitMs ?? 600_000,
      maxSourceSeconds: config.maxSourceSeconds ?? Infinity,
      concurrency,
    };
    await recover(service, database.exclusive);

    const app = createApp(service);
    const server = createAdaptorServer({ fetch: app.fetch }) as Server;
    // Jobs are told to stop and the port is closed at the same time, in the one step that runs first.
    cleanup.add(() => {
      closing.abort(new Error('The service is stopping.'));
      return stopListening(server);
    });
    const port = await listen(server, config.port, config.host);
    publicUrl ||= `http://localhost:${port}`;
    await queue.work('task', concurrency, rowJob(service, 'task', workTask));
    await queue.work('export', concurrency, rowJob(service, 'export', exportClip));
    let closed: Promise<void> | null = null;
    return { url: publicUrl, port, apiKey, operator, close: () => (closed ??= cleanup.run()) };
  } catch (error) {
    await cleanup.run().catch(() => {});
    throw error;
  }
};
