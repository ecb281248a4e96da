import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  findersWith,
  setProgramMemory,
  speechServer,
  subtitleFile,
  libreTranslate,
  whisper,
  loadPresets,
} from 'clip-engine';
import { operatorOf, type Operator } from './operations/operator.ts';
import { UsageLimits } from './users/limits.ts';
import { openTokens } from './users/tokens.ts';
import { addPastSpan, currentCause, startTracing } from './operations/tracing.ts';
import { Changes } from './operations/changes.ts';
import type { Log, Role, ServiceConfig } from './config/config.ts';
import type { ServiceContext } from './context.ts';
import { ensureFirstOrganization } from './users/queries.ts';
import { isDrained, MachineHealth } from './operations/machine-health.ts';
import type { SchemaVersion } from './db/migrate.ts';
import { openDatabase } from './db/open.ts';
import { forgetRunning } from './queue/queries.ts';
import { reconcile } from './queue/attempt-queries.ts';
import { forgetHolders } from './uploads/queries.ts';
import { configureWebhook } from './webhooks/queries.ts';
import { keepRemovingFiles } from './operations/garbage-collection.ts';
import { retain } from './operations/retention.ts';
import { Estimates } from './exports/forecast.ts';
import { createApp } from './http/app.ts';
import { createMetricsApp } from './operations/routes.ts';
import { takePort } from './http/server.ts';
import { exportClip } from './exports/job.ts';
import { ingestSource } from './tasks/ingest-job.ts';
import { makeFilm } from './edits/job.ts';
import { makePreview } from './clips/job.ts';
import { openQueue } from './queue/open.ts';
import { rowJob } from './queue/run-job.ts';
import { scanSource } from './tasks/scan-job.ts';
import type { Metrics } from './operations/metrics.ts';
import { storedBytes } from './operations/installation-metrics.ts';
import { lockDataDirectory } from './storage/data-lock.ts';
import { matchStorage, openStorage } from './storage/open.ts';
import { readyWorkDirectory } from './storage/work-directory.ts';
import { sendDeliveries } from './webhooks/deliveries.ts';
import { downloadLog } from './tasks/providers.ts';
import { defaultUploadLimits } from './uploads/rules.ts';

export interface RunningService {
  /** Public address, no slash at the end; the API is below `/v2`. */
  url: string;
  /** The port that it listens on. */
  port: number;
  /** The port of the metrics; null if none was asked for. */
  metricsPort: number | null;
  /** The first organization's key if it was made now: it cannot be shown again. Otherwise null. */
  apiKey: string | null;
  operator: Operator;
  /**
   * Says at `/readyz` that it stops, takes no new jobs, and waits as `drainMs` and `drainJobsMs`
   * say, or until the signal aborts. `close` comes next.
   */
  drain(signal: AbortSignal): Promise<void>;
  /** Stops: no new requests, running jobs put back for the next start, everything closed. */
  close(): Promise<void>;
}

/** Undoes, last first; every step is taken even if one fails. */
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
 * Starts API, pages and worker in this process, or what its role says; not for a worker. Resolves
 * once requests are answered.
 * Rejects, with nothing left open, if the data directory is in use (`DataDirectoryInUse`) or
 * belongs to another database (`StorageMismatch`), if a style preset does not fit (`PresetError`),
 * if the database cannot be opened, or if the port is taken.
 */
export async function startService(
  config: ServiceConfig,
  schema?: SchemaVersion,
): Promise<RunningService> {
  const { door, url, ...running } = await start({ role: 'all', ...config }, schema);
  if (!door) throw new Error('A worker answers no requests: use startWorker.');
  return { ...running, url, port: door.port };
}

/** Starts a worker, which opens no port. Rejects as {@link startService} does. */
export async function startWorker(
  config: Omit<ServiceConfig, 'port' | 'role'>,
  schema?: SchemaVersion,
): Promise<Pick<RunningService, 'drain' | 'close'>> {
  return start({ ...config, port: 0, role: 'worker' }, schema);
}

async function start(config: ServiceConfig & { role: Role }, schema?: SchemaVersion) {
  const { role } = config;
  const dataDir = resolve(config.dataDir);
  let metrics: Metrics | null = null;
  const log: Log = (entry) => {
    const line = { ...currentCause(), ...entry };
    metrics?.hear(line);
    if (entry.event === 'stage') addPastSpan(String(entry['stage']), Number(entry['ms']));
    config.log?.(line);
  };
  const cleanup = new Cleanup();
  try {
    await startTracing();
    setProgramMemory(config.programMemory ?? null);
    const presets = await loadPresets(config.presetsDir);
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    // A database server may be shared, and with it the files on a disk. The built-in database and
    // the copies of a bucket's files may not.
    const own = config.databaseUrl === undefined || config.s3 !== undefined;
    if (own) cleanup.add(lockDataDirectory(dataDir));
    const door =
      role === 'worker'
        ? null
        : await takePort(config.port, config.host, config.requestWaitMs ?? 10_000);
    const url = config.publicUrl ?? `http://localhost:${door?.port ?? config.port}`;
    cleanup.add(() => door?.close());
    const workDirectory = join(dataDir, 'work');
    await readyWorkDirectory(workDirectory, { own });
    const database = await openDatabase({
      dataDir,
      databaseUrl: config.databaseUrl,
      databaseListenUrl: config.databaseListenUrl,
      databaseConnections: config.databaseConnections,
      ...(schema && { schema }),
    });
    cleanup.add(() => database.close());
    const { db } = database;
    const closing = new AbortController();
    const opened = await openStorage(config, { dataDir, workDirectory, closing: closing.signal });
    const { storage, arrivals, files } = opened;
    await matchStorage(db, storage, opened.name);
    // A worker would print a new key where nobody looks for it.
    const keys = [config.apiKey, config.previousApiKey].filter((key) => key !== undefined);
    const tell = (settings: string) =>
      database.exclusive ? null : () => log({ event: 'older-settings', level: 'warn', settings });
    const apiKey =
      role === 'worker'
        ? null
        : await ensureFirstOrganization(db, keys, tell('CLIP_API_KEY, CLIP_PREVIOUS_API_KEY'));
    const operator = operatorOf(db);
    if (role !== 'worker') {
      if (config.plan) await operator.setPlan(config.plan);
      await configureWebhook(db, config.webhook ?? null, tell('WEBHOOK_URL, WEBHOOK_SECRETS'));
    }
    const queue = await openQueue(database, log, role !== 'api');
    cleanup.add(() => queue.stop());
    if (config.metricsPort !== undefined) {
      // Loaded only where it is used: it takes memory and time.
      const { Metrics: Measured } = await import('./operations/metrics.ts');
      metrics = new Measured({
        slots: () => queue.slots(),
        connections: () => database.connections(),
      });
    }

    const concurrency = config.concurrency ?? Math.max(1, Math.floor(availableParallelism() / 2));
    const changes = new Changes(db, log);
    cleanup.add(() => changes.close());
    cleanup.add(database.listen(changes));
    const service: ServiceContext = {
      db,
      storage,
      arrivals,
      limits: new UsageLimits(config.limits),
      files,
      queue,
      machine: new MachineHealth({
        queue,
        log,
        workDirectory: role === 'api' ? null : workDirectory,
        isOutdated: () => database.isOutdated(),
        isDrained: () => isDrained(db),
      }),
      changes,
      tokens: await openTokens(db, config.tokenSeconds ?? 3600),
      estimates: new Estimates(db),
      presets,
      log,
      metrics,
      pages: config.pages ?? {},
      hostSite: config.hostSite ?? null,
      closing: closing.signal,
      publicUrl: () => url,
      indexPlayerPages: config.indexPlayerPages ?? false,
      workDirectory,
      allowPrivateSources: config.allowPrivateSources,
      ingestWaitMs: config.ingestWaitMs ?? 20_000,
      editQuietSeconds: config.editQuietSeconds ?? 3,
      stretches: config.stretches ?? config.s3 !== undefined,
      downloadMs: config.downloadMs ?? 7_200_000,
      downloadWaitMs: config.downloadWaitMs ?? 600_000,
      maxSourceSeconds: config.maxSourceSeconds ?? Infinity,
      uploadLimits: { ...defaultUploadLimits, ...config.uploadLimits },
      untakenUploadDays: config.retention?.sourceDays ?? 7,
      transcribers: [
        subtitleFile,
        ...(config.speech ? [speechServer(config.speech)] : []),
        ...(config.speechModel ? [whisper(config.speechModel, downloadLog(log))] : []),
      ],
      translator: config.translation ? libreTranslate(config.translation) : null,
      ranking: config.ranking ?? null,
      exportQuality: config.exportQuality ?? 'standard',
      finders: findersWith({ faces: config.faces !== 'off' }),
    };
    let metricsPort: number | null = null;
    if (config.metricsPort !== undefined && metrics) {
      const host = config.metricsHost ?? '127.0.0.1';
      const metricsDoor = await takePort(config.metricsPort, host, 10_000);
      cleanup.add(() => metricsDoor.close());
      const { InstallationMetrics } = await import('./operations/installation-metrics.ts');
      const stored = config.s3 ? null : storedBytes(join(dataDir, 'files'));
      const installation = new InstallationMetrics(db, stored);
      metricsDoor.open(createMetricsApp(service, metrics, installation).fetch);
      metricsPort = metricsDoor.port;
    }
    if (database.exclusive) {
      await forgetRunning(db);
      await forgetHolders(db);
      await reconcile(service);
    }

    // The first step of the cleanup: running jobs are told to stop, and the port is closed.
    cleanup.add(() => {
      service.machine.stop();
      closing.abort(new Error('The service is stopping.'));
      return door?.close();
    });
    door?.open(createApp(service).fetch);
    cleanup.add(service.machine.watch());
    if (role !== 'api') {
      await service.machine.check();
      // Slow servers keep no slot from the work of others, nor from the downloads of other users.
      const downloads = config.downloads ?? 4;
      await queue.work(
        'ingest',
        { concurrency: downloads, perUser: Math.ceil(downloads / 2), slotMs: 30_000 },
        rowJob(service, 'ingest', ingestSource),
      );
      await queue.work('scan', { concurrency }, rowJob(service, 'scan', scanSource));
      await queue.work('preview', { concurrency }, rowJob(service, 'preview', makePreview));
      await queue.work('export', { concurrency }, rowJob(service, 'export', exportClip));
      await queue.work('film', { concurrency }, rowJob(service, 'film', makeFilm));
      // Left to the processes of the newer version.
      const every = (cron: string, name: string, work: () => Promise<void>) =>
        queue.every(cron, name, async () => {
          if (!service.machine.isOutdated) await work();
        });
      await every('* * * * *', 'reconcile', () => reconcile(service));
      await every('0 * * * *', 'retention', () =>
        retain(service, config.retention ?? {}, closing.signal),
      );
    }
    const kept = door ? [keepRemovingFiles(service), sendDeliveries(service)] : [];
    cleanup.add(() => {
      closing.abort();
      return Promise.all(kept);
    });
    async function drain(signal: AbortSignal): Promise<void> {
      service.machine.stop();
      const pause = (ms = 0) => setTimeout(ms, undefined, { signal });
      const { drainMs, drainJobsMs = 0 } = config;
      const jobs = drainJobsMs > 0 ? Promise.race([queue.drain(), pause(drainJobsMs)]) : null;
      await Promise.all([pause(drainMs), jobs]).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    }
    let closed: Promise<void> | null = null;
    return {
      url,
      door,
      metricsPort,
      apiKey,
      operator,
      drain,
      close: (): Promise<void> => (closed ??= cleanup.run()),
    };
  } catch (error) {
    await cleanup.run().catch(() => {});
    throw error;
  }
}
