import { availableParallelism } from 'node:os';
import type { ServiceConfig } from '../config/config.ts';
import type { MachineHealth } from '../operations/machine-health.ts';
import { reconcile } from '../queue/attempt-queries.ts';
import type { Queue } from '../queue/queue.ts';
import { exportClip, exportRows } from './exports.ts';
import { fetchTaskSource, ingestRows } from './ingest.ts';
import { makePreview, previewRows } from './previews.ts';
import { makeProxy, proxyRows } from './proxies.ts';
import { exportReadyTasks } from './ready-exports.ts';
import { retain } from './retention.ts';
import { type JobDependencies, makeRowJob } from './run-job.ts';
import { scanRows, scanSource } from './scan.ts';

type Dependencies = { queue: Queue; machine: MachineHealth } & JobDependencies &
  Parameters<typeof fetchTaskSource>[0] &
  Parameters<typeof scanSource>[0] &
  Parameters<typeof makePreview>[0] &
  Parameters<typeof exportClip>[0] &
  Parameters<typeof makeProxy>[0] &
  Parameters<typeof exportReadyTasks>[0];

/** Slow servers keep no slot from the work of others, nor from the downloads of other users. */
const downloadSlots = { concurrency: 4, perUser: 2, slotMs: 30_000 };

/** Works on jobs from now on, and does what is due by the clock. */
export async function startJobs(
  service: Dependencies,
  config: Pick<ServiceConfig, 'concurrency' | 'retention'>,
): Promise<void> {
  const { queue, closing } = service;
  await service.machine.check();
  await queue.work('ingest', downloadSlots, makeRowJob(service, ingestRows, fetchTaskSource));
  const concurrency = config.concurrency ?? Math.max(1, Math.floor(availableParallelism() / 2));
  const scan = makeRowJob(service, scanRows, scanSource);
  const preview = makeRowJob(service, previewRows, makePreview);
  const exported = makeRowJob(service, exportRows, exportClip);
  await queue.work('scan', { concurrency }, async (id, ...more) => {
    await scan(id, ...more);
    await exportReadyTasks(service, { taskId: id });
  });
  await queue.work('preview', { concurrency, urgent: 2 }, async (id, ...more) => {
    await preview(id, ...more);
    await exportReadyTasks(service, { clipId: id });
  });
  await queue.work('export', { concurrency }, async (id, ...more) => {
    await exported(id, ...more);
    await exportReadyTasks(service, { exportId: id });
  });
  await queue.work('proxy', { concurrency }, makeRowJob(service, proxyRows, makeProxy));
  // Left to the processes of the newer version.
  const every = (cron: string, name: string, work: () => Promise<void>) =>
    queue.every(cron, name, async () => {
      if (!service.machine.isOutdated) await work();
    });
  await every('* * * * *', 'reconcile', () => reconcile(service));
  await every('* * * * *', 'ready-exports', () => exportReadyTasks(service));
  await every('0 * * * *', 'retention', () => retain(service, config.retention ?? {}, closing));
}
