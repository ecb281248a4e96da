import { randomUUID } from 'node:crypto';
import type { ServiceContext } from '../context.ts';
import { ping } from '../db/open.ts';
import { storageMarkerKey } from '../storage/identity.ts';

/** How long each part may take to answer. */
const checkTimeoutMs = 3000;

/** What a request needs. */
const readinessParts = ['database', 'storage', 'queue'] as const;
type ReadinessPart = (typeof readinessParts)[number];

type Needs = Pick<ServiceContext, 'db' | 'storage' | 'queue'>;

const checks: Record<ReadinessPart, (service: Needs) => Promise<unknown>> = {
  database: ({ db }) => ping(db),
  storage: async ({ storage }) => {
    if (!(await storage.stat(storageMarkerKey))) throw new Error('The storage has lost its id.');
  },
  queue: ({ queue }) => queue.isAlive('scan', randomUUID()),
};

/** The parts that do not answer; asked at the same time. */
export async function notReady(service: Needs): Promise<ReadinessPart[]> {
  const late = AbortSignal.timeout(checkTimeoutMs);
  const timeout = new Promise<never>((_, reject) => {
    late.addEventListener('abort', () => reject(late.reason as Error));
  });
  const asked = readinessParts.map((part) => Promise.race([checks[part](service), timeout]));
  const answers = await Promise.allSettled(asked);
  return readinessParts.filter((_, at) => answers[at]?.status === 'rejected');
}
