import { fromKysely, PgBoss } from 'pg-boss';
import type { LogEntry } from '../config/config.ts';
import type { OpenDatabase } from '../db/open.ts';
import { workKinds, type Queue } from '../db/queue.ts';

const alive: readonly string[] = ['created', 'retry', 'active'];

/** The row counts its attempts, so the queue's own limit is out of reach. */
const retries = { retryLimit: 1000, retryDelay: 1 };

export async function openQueue(
  database: OpenDatabase,
  log: (entry: LogEntry) => void,
): Promise<Queue> {
  const boss = new PgBoss({ ...database.boss, schedule: false, useListenNotify: true });
  boss.on('error', (error) => log({ event: 'queue-error', message: error.message }));
  await boss.start();
  for (const name of workKinds) {
    await boss.createQueue(name, {
      ...retries,
      notify: true,
      expireInSeconds: 23 * 60 * 60,
      // Finds the jobs of a worker that died elsewhere. Without others, the start finds them.
      ...(!database.exclusive && { heartbeatSeconds: 60 }),
    });
  }
  return {
    async send(name, id, trx) {
      const sent = await boss.send(name, { id }, { id, db: fromKysely(trx) });
      if (sent === null) throw new Error(`A ${name} job of ${id} is there already.`);
    },
    async isAlive(name, id, trx) {
      const jobs = await boss.findJobs(name, { id, ...(trx && { db: fromKysely(trx) }) });
      return jobs.some((job) => alive.includes(job.state));
    },
    async forget(name, id, trx) {
      await boss.deleteJob(name, id, { db: fromKysely(trx) });
    },
    forgetAll: (name) => boss.deleteAllJobs(name),
    async work(name, concurrency, handler) {
      await boss.work<{ id: string }>(
        name,
        {
          localConcurrency: concurrency,
          // A notification wakes an idle worker, but not one that has just finished.
          pollingIntervalSeconds: 0.5,
          notifyPollingIntervalSeconds: 0.5,
        },
        async ([job]) => {
          if (job) await handler(job.data.id, job.signal);
        },
      );
    },
    stop: () => boss.stop({ graceful: true, timeout: 20_000, close: true }),
  };
}
