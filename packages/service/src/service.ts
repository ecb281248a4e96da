import { mkdir } from 'node:fs/promises';
import { BlockList } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  makeFinders,
  startProgramsByHelper,
  createSpeechServer,
  subtitleFile,
  createLibreTranslate,
  hasModel,
  loadPresets,
  type Presets,
} from 'clip-engine';
import { UsageLimits } from './users/limits.ts';
import { openTokens } from './users/tokens.ts';
import { CollectedViews } from './views/collected.ts';
import { Links } from './links/links.ts';
import { hasPrivateClips, openLinkKeys } from './links/queries.ts';
import { addPastSpan, getRequestContext, startTracing } from './telemetry/tracing.ts';
import { Changes } from './operations/changes.ts';
import { EnvironmentError, openBucket } from './config/environment.ts';
import type { Log, Role, ServiceConfig } from './config/config.ts';
import { changePlan, ensureFirstOrganization } from './users/queries.ts';
import { isDrained, MachineHealth } from './operations/machine-health.ts';
import type { SchemaVersion } from './db/migrate.ts';
import { measureClockSkewMs, openDatabase, type OpenDatabase } from './db/open.ts';
import { deleteRunningJobs } from './queue/queries.ts';
import { reconcile } from './queue/attempt-queries.ts';
import { releaseUploadLocks } from './uploads/queries.ts';
import { configureWebhook } from './webhooks/queries.ts';
import { removeFilesUntilClosed } from './operations/garbage-collection.ts';
import { Estimates } from './exports/forecast.ts';
import { createApp } from './api/app.ts';
import { createMetricsApp } from './api/health.ts';
import { takePort } from './api/server.ts';
import { openQueue } from './queue/open.ts';
import type { Queue } from './queue/queue.ts';
import { startJobs } from './worker/jobs.ts';
import { watchModel } from './worker/speech-model.ts';
import type { Metrics } from './telemetry/metrics.ts';
import { lockDataDirectory } from './storage/data-lock.ts';
import { matchStorage, openStorage, type OpenStorage } from './storage/open.ts';
import { prepareWorkDirectory } from './storage/work-directory.ts';
import { sendDeliveries } from './webhooks/deliveries.ts';
import { completeUploadLimits } from './uploads/rules.ts';

export interface RunningService {
  /** Public address, no slash at the end; the API is below `/v2`. */
  url: string;
  /** The port that it listens on. */
  port: number;
  /** The port of the metrics; null without one. */
  metricsPort: number | null;
  /** The first organization's key if it was made now: it cannot be shown again. Otherwise null. */
  apiKey: string | null;
  /**
   * Says at `/readyz` that it stops, takes no new jobs, and waits as `drainMs` says, or until the
   * signal aborts. `close` comes next.
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
 * if the folder of the speech model cannot be used (`SpeechModelError`),
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

type Config = ServiceConfig & { role: Role };

async function start(config: Config, schema?: SchemaVersion) {
  const cleanup = new Cleanup();
  try {
    const { log, measureWith } = createLog(config);
    await startTracing();
    startProgramsByHelper();
    const presets = await loadPresets(config.presetsDir);
    // The folder of a model may be on the machines of the workers only.
    if (config.speechModel && config.role !== 'api') await hasModel(config.speechModel);
    const { dataDir, workDirectory, door, url } = await occupy(config, cleanup);
    const database = await openDatabase({ ...config, dataDir, ...(schema && { schema }) });
    cleanup.add(() => database.close());
    const closing = new AbortController();
    const opened = await openStorage(config, { dataDir, workDirectory, closing: closing.signal });
    await matchStorage(database.db, opened.storage, opened.name);
    await refuseOpenBucket(config, database, opened);
    const apiKey = await configureOrganization(config, database, log);
    const queue = await openQueue(database, log, config.role !== 'api');
    cleanup.add(() => queue.stop());
    const metrics = await createMetrics(config, queue, database);
    if (metrics) measureWith(metrics);
    const changes = new Changes(database.db, log);
    cleanup.add(() => changes.close());
    cleanup.add(database.listen(changes));
    const parts = { database, opened, queue, changes, presets, log, metrics, url, workDirectory };
    const service = await openParts(config, { ...parts, closing: closing.signal });
    const metricsPort = await serveMetrics(config, service, cleanup);
    if (database.exclusive) await takeUpWork(service);
    cleanup.add(() => service.views.write());
    // The first step of the cleanup: running jobs are told to stop, and the port is closed.
    cleanup.add(() => {
      service.machine.stop();
      closing.abort(new Error('The service is stopping.'));
      return door?.close();
    });
    door?.open(createApp(service).fetch);
    cleanup.add(service.machine.watch());
    if (config.role !== 'api') await startJobs(service, config);
    const loops = door ? [removeFilesUntilClosed(service), sendDeliveries(service)] : [];
    cleanup.add(() => {
      closing.abort();
      return Promise.all(loops);
    });
    let closed: Promise<void> | null = null;
    return {
      url,
      door,
      metricsPort,
      apiKey,
      drain: (signal: AbortSignal): Promise<void> => drain(config, service, signal),
      close: (): Promise<void> => (closed ??= cleanup.run()),
    };
  } catch (error) {
    await cleanup.run().catch(() => {});
    throw error;
  }
}

/** The log whose lines say what they are for, and which metrics and traces are read off. */
function createLog(config: Config): { log: Log; measureWith: (metrics: Metrics) => void } {
  let metrics: Metrics | null = null;
  return {
    log: (entry) => {
      const line = Object.assign({}, getRequestContext(), entry);
      metrics?.record(line);
      if (entry.event === 'stage') addPastSpan(String(entry['stage']), Number(entry['ms']));
      config.log?.(line);
    },
    measureWith: (own) => {
      metrics = own;
    },
  };
}

/** Locks the data directory and opens the port, which no other process may have. */
async function occupy(config: Config, cleanup: Cleanup) {
  const dataDir = resolve(config.dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  // A database server may be shared, and with it the files on a disk. The built-in database and
  // the copies of a bucket's files may not.
  const own = config.databaseUrl === undefined || config.s3 !== undefined;
  if (own) cleanup.add(lockDataDirectory(dataDir));
  const door =
    config.role === 'worker'
      ? null
      : await takePort(config.port, config.host, config.requestWaitMs ?? 10_000);
  const url = config.publicUrl ?? `http://localhost:${door?.port ?? config.port}`;
  cleanup.add(() => door?.close());
  const workDirectory = join(dataDir, 'work');
  await prepareWorkDirectory(workDirectory, { own });
  return { dataDir, workDirectory, door, url };
}

/** Everyone may read the files of an open bucket: no clip of it is private. */
async function refuseOpenBucket(
  { privateClips = false }: Config,
  { db }: OpenDatabase,
  { files }: OpenStorage,
): Promise<void> {
  if (files.direct && (privateClips || (await hasPrivateClips(db)))) {
    throw new EnvironmentError(openBucket);
  }
}

/** Applies the keys, the plan and the webhook of the configuration to the first organization. */
async function configureOrganization(
  config: Config,
  { db, exclusive }: OpenDatabase,
  log: Log,
): Promise<string | null> {
  // A worker would print a new key where no one would find it.
  if (config.role === 'worker') return null;
  const keys = [config.apiKey, config.previousApiKey].filter((key) => key !== undefined);
  const tell = (settings: string) =>
    exclusive ? null : () => log({ event: 'older-settings', level: 'warn', settings });
  const replaced = tell('CLIP_API_KEY, CLIP_PREVIOUS_API_KEY');
  const apiKey = await ensureFirstOrganization(db, keys, replaced);
  if (config.plan) await changePlan(db, config.plan);
  await configureWebhook(db, config.webhook ?? null, tell('WEBHOOK_URL, WEBHOOK_SECRETS'));
  return apiKey;
}

async function createMetrics(
  config: Config,
  queue: Queue,
  database: OpenDatabase,
): Promise<Metrics | null> {
  if (config.metricsPort === undefined) return null;
  // Loaded only where it is used: it takes memory and time.
  const { Metrics: Measured } = await import('./telemetry/metrics.ts');
  return new Measured({
    slots: () => queue.slots(),
    connections: () => database.connections(),
  });
}

/** All that routes and jobs work with: each function names what it uses of it. */
export type Service = Awaited<ReturnType<typeof openParts>>;

async function openParts(
  config: Config,
  {
    database,
    opened,
    url,
    ...parts
  }: {
    database: OpenDatabase;
    opened: OpenStorage;
    queue: Queue;
    changes: Changes;
    presets: Presets;
    log: Log;
    metrics: Metrics | null;
    url: string;
    workDirectory: string;
    closing: AbortSignal;
  },
) {
  const { db } = database;
  const { queue, log, workDirectory } = parts;
  const model = config.speechModel ? watchModel(config.speechModel, log) : null;
  return {
    ...parts,
    db,
    storage: opened.storage,
    incomingFiles: opened.incomingFiles,
    files: opened.files,
    limits: new UsageLimits(config.limits),
    machine: new MachineHealth({
      queue,
      log,
      workDirectory: config.role === 'api' ? null : workDirectory,
      isOutdated: () => database.isOutdated(),
      isDrained: () => isDrained(db),
      clockSkewMs: () =>
        config.databaseUrl === undefined ? Promise.resolve(0) : measureClockSkewMs(db),
    }),
    tokens: await openTokens(db, config.tokenSeconds ?? 3600),
    links: new Links({
      byDefault: config.privateClips ?? false,
      keys: await openLinkKeys(db),
      settingOf: (organizationId) => parts.changes.accounts.privateClips(organizationId),
      files: opened.files,
      publicUrl: () => url,
    }),
    estimates: new Estimates(db),
    views: new CollectedViews(db, log),
    publicUrl: () => url,
    ...completeSettings(config),
    transcribers: [
      subtitleFile,
      ...(config.speech ? [createSpeechServer(config.speech)] : []),
      ...(model ? [model.transcriber] : []),
    ],
    recognisesSpeech: config.speech !== undefined || model !== null,
    speechModelState: config.role === 'api' ? null : (model?.state ?? (async () => 'off')),
    translator: config.translation ? createLibreTranslate(config.translation) : null,
    ranking: config.ranking ?? null,
    finders: makeFinders({ faces: config.faces !== 'off' }),
  };
}

/** Returns the settings that routes and jobs read, with their defaults. */
const completeSettings = (config: Config) => ({
  pages: config.pages ?? {},
  hostSite: config.hostSite ?? null,
  proxies: config.trustedProxies ?? new BlockList(),
  indexPlayerPages: config.indexPlayerPages ?? false,
  allowPrivateSources: config.allowPrivateSources,
  ingestWaitMs: config.ingestWaitMs ?? 20_000,
  editQuietSeconds: config.editQuietSeconds ?? 3,
  segments: config.segments ?? config.s3 !== undefined,
  downloadWaitMs: config.downloadWaitMs ?? 600_000,
  maxSourceSeconds: config.maxSourceSeconds ?? Infinity,
  uploadLimits: completeUploadLimits(config.uploadLimits),
  untakenUploadDays: config.retention?.sourceDays ?? 7,
  exportQuality: config.exportQuality ?? 'standard',
});

/** Serves metrics and health to the operator's tools, if a port is set. Returns the port. */
async function serveMetrics(
  config: Config,
  service: Service,
  cleanup: Cleanup,
): Promise<number | null> {
  if (config.metricsPort === undefined || !service.metrics) return null;
  const door = await takePort(config.metricsPort, config.metricsHost ?? '127.0.0.1', 10_000);
  cleanup.add(() => door.close());
  const { InstallationMetrics, watchStoredBytes: storedBytes } =
    await import('./operations/installation-metrics.ts');
  const stored = config.s3 ? null : storedBytes(join(resolve(config.dataDir), 'files'));
  const installation = new InstallationMetrics(service.db, stored);
  door.open(createMetricsApp(service, service.metrics, installation).fetch);
  return door.port;
}

/** Takes up what the process before has left, in a database that only this one has. */
async function takeUpWork(service: Service): Promise<void> {
  await deleteRunningJobs(service.db);
  await releaseUploadLocks(service.db);
  await reconcile(service);
}

/** See {@link RunningService.drain}. */
async function drain(
  { drainMs = 0, role }: Config,
  { machine, queue }: Service,
  signal: AbortSignal,
): Promise<void> {
  machine.stop();
  if (drainMs === 0) return;
  const pause = setTimeout(drainMs, undefined, { signal });
  // Without jobs, the load balancer is what it waits for.
  await (role === 'api' ? pause : Promise.race([queue.drain(), pause])).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
