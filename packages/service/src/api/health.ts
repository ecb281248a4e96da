import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import type { Log } from '../config/config.ts';
import type { Db } from '../db/schema.ts';
import type { MachineHealth } from '../operations/machine-health.ts';
import type { Queue } from '../queue/queue.ts';
import type { Storage } from '../storage/storage.ts';
import { ping } from '../db/open.ts';
import { type AppEnv, addMethods } from './methods.ts';
import { ApiError } from '../api-error.ts';
import { makeDatabaseGoneError } from './problem.ts';
import { storageMarkerKey } from '../storage/open.ts';
import type { InstallationMetrics } from '../operations/installation-metrics.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { answerError } from './answer-error.ts';

/** Makes the app for an operator's tools, on a port that is not public. */
export function createMetricsApp(
  service: Dependencies & { log: Log },
  metrics: Metrics,
  installation: InstallationMetrics,
): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.onError(answerError(service.log));
  addLiveRoute(app);
  addReadyRoute(app, service);
  for (const [path, source] of [
    ['/metrics', metrics],
    ['/metrics/installation', installation],
  ] as const) {
    app.get(path, async (c) =>
      c.body(await source.text(), 200, { 'Content-Type': source.contentType }),
    );
  }
  return app;
}

const noStore = { 'Cache-Control': 'no-store' };

/** `/livez`: 200 while the process answers at all. Asks nothing else. */
export function addLiveRoute(app: Hono<AppEnv>): void {
  app.get('/livez', (c) => c.json({ status: 'ok' }));
}

/** Throws while this process cannot do its work, or stops. */
export function refuseUnfit({ machine: { refusal } }: Pick<Dependencies, 'machine'>): void {
  if (!refusal) return;
  throw new ApiError('service-unavailable', refusal.message, {
    reason: refusal.code,
    headers: { 'Retry-After': '10' },
  });
}

interface Dependencies {
  db: Db;
  machine: Pick<MachineHealth, 'refusal'>;
  queue: Pick<Queue, 'isAlive'>;
  /** Describes the speech model to the operator; null if this process takes no jobs. */
  speechModelState: (() => Promise<string>) | null;
  storage: Storage;
}

/**
 * `/readyz`: 200 while database, storage and queue answer, and the machine can do its work. How the
 * speech model is does not count: clips are made without words, too.
 */
export function addReadyRoute(app: Hono<AppEnv>, service: Dependencies): void {
  addMethods(app, '/readyz', {
    GET: async (c) => {
      refuseUnfit(service);
      const parts = await findNotReady(service);
      const [first] = parts;
      if (first === undefined) {
        const model = await service.speechModelState?.();
        return c.json({ status: 'ok', ...(model && { speech_model: model }) }, 200, noStore);
      }
      const detail = `No answer from: ${parts.join(', ')}.`;
      throw new ApiError('service-unavailable', detail, {
        reason: `${first}-unavailable`,
        headers: { 'Retry-After': '5' },
      });
    },
  });
}

/** `/healthz`: 200 while the service takes requests and its database answers. */
export function addHealthRoute(
  app: Hono<AppEnv>,
  service: Pick<Dependencies, 'db' | 'machine'> & { closing: AbortSignal },
): void {
  addMethods(app, '/healthz', {
    GET: async (c) => {
      if (service.closing.aborted) refuseUnfit(service);
      try {
        await ping(service.db);
      } catch {
        throw makeDatabaseGoneError();
      }
      return c.json({ status: 'ok' }, 200, noStore);
    },
  });
}

/** The time limit for the answer of each part. */
const checkTimeoutMs = 3000;

/** Parts that a request needs. */
const readinessParts = ['database', 'storage', 'queue'] as const;
type ReadinessPart = (typeof readinessParts)[number];

const checks: Record<ReadinessPart, (service: Dependencies) => Promise<unknown>> = {
  database: ({ db }) => ping(db),
  storage: async ({ storage }) => {
    if (!(await storage.stat(storageMarkerKey))) throw new Error('The storage has lost its id.');
  },
  queue: ({ queue }) => queue.isAlive('scan', randomUUID()),
};

/** The parts that do not answer; asked at the same time. */
async function findNotReady(service: Dependencies): Promise<ReadinessPart[]> {
  const late = AbortSignal.timeout(checkTimeoutMs);
  const timeout = new Promise<never>((_, reject) => {
    late.addEventListener('abort', () => reject(late.reason as Error));
  });
  const asked = readinessParts.map((part) => Promise.race([checks[part](service), timeout]));
  const answers = await Promise.allSettled(asked);
  return readinessParts.filter((_, at) => answers[at]?.status === 'rejected');
}
