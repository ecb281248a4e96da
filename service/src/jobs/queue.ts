import { randomUUID } from 'node:crypto';
import { fromKysely, PgBoss, type Job } from 'pg-boss';
import type { LogEntry } from '../config/config.ts';
import type { OpenDatabase } from '../db/open.ts';
import { workKinds, type JobHandler, type Queue, type WorkKind } from '../db/queue.ts';

const alive: readonly string[] = ['created', 'retry', 'active'];

/** The row counts its attempts, so the queue's own limit is out of reach. */
const retries = { retryLimit: 1_000_000, retryDelay: 1 };

/**
 * How soon another process takes over the job of a worker that died: its last sign of life is this
 * old, then comes the next look at all jobs, then the next poll of an idle worker. Together less
 * than 60 seconds.
 */
const lease = { heartbeatSeconds: 20, lookSeconds: 10, pollSeconds: 10 };

/** How often an idle worker looks for a job: rarely, as it is notified of new ones. */
const polls = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: lease.pollSeconds };

/** The row is what lasts: its job waits as long as it has to, and is removed when it is done. */
const retention = { retentionSeconds: 10 * 365 * 24 * 60 * 60, deleteAfterSeconds: 60 * 60 };

/** The same error is logged at most once in so long. */
const quietMs = 30_000;

/** Postgres integers. */
const maxPriority = 2 ** 31 - 1;

/** Works on one job after the other. */
async function startWorker(boss: PgBoss, kind: WorkKind, handler: JobHandler): Promise<void> {
  let worker: string | null = null;
  // An idle worker is woken by a notification, but one that has just been busy has missed those of
  // the jobs that wait, and would sleep until its next poll.
  const lookAgain = () => worker !== null && boss.notifyWorker(worker);
  worker = await boss.work<{ id: string }>(kind, polls, async ([job]: Job<{ id: string }>[]) => {
    if (!job) return;
    try {
      await handler(job.data.id, job.signal);
      lookAgain();
    } catch (error) {
      setTimeout(lookAgain, retries.retryDelay * 1000 + 100).unref();
      throw error;
    }
  });
}

/** Several at the same time, of which some may wait for others of the same user: these poll. */
const startGroup = (
  boss: PgBoss,
  kind: WorkKind,
  { concurrency, perUser }: { concurrency: number; perUser: number },
  handler: JobHandler,
): Promise<unknown> =>
  boss.work<{ id: string }>(
    kind,
    {
      ...polls,
      notifyPollingIntervalSeconds: polls.pollingIntervalSeconds,
      localConcurrency: concurrency,
      localGroupConcurrency: perUser,
    },
    async ([job]: Job<{ id: string }>[]) => {
      if (job) await handler(job.data.id, job.signal);
    },
  );

export async function openQueue(
  database: OpenDatabase,
  log: (entry: LogEntry) => void,
): Promise<Queue> {
  const boss = new PgBoss({
    ...database.boss,
    schedule: false,
    useListenNotify: true,
    superviseIntervalSeconds: lease.lookSeconds,
    monitorIntervalSeconds: lease.lookSeconds,
    maintenanceIntervalSeconds: 10 * 60,
  });
  // While the database is away, each worker fails at each look.
  let last = { message: '', at: -Infinity };
  boss.on('error', ({ message }) => {
    const now = performance.now();
    if (message === last.message && now - last.at < quietMs) return;
    last = { message, at: now };
    log({ event: 'queue-error', level: 'warn', message });
  });
  await boss.start();
  // Of earlier versions: the start gives its rows new jobs.
  for (const old of ['task', 'webhook']) {
    if (await boss.getQueue(old)) await boss.deleteQueue(old);
  }
  for (const name of workKinds) {
    const options = {
      ...retries,
      expireInSeconds: 23 * 60 * 60,
      ...retention,
      notify: true,
      // Finds the jobs of a worker that died elsewhere. Without others, the start finds them.
      ...(!database.exclusive && { heartbeatSeconds: lease.heartbeatSeconds }),
    };
    // An earlier version may have made it with other options.
    if (await boss.getQueue(name)) await boss.updateQueue(name, options);
    else await boss.createQueue(name, options);
    // Has pg-boss read the options now. If the first job were sent in a transaction, it would read
    // them beside it, which the one connection of the built-in database cannot do.
    await boss.findJobs(name, { id: randomUUID() });
  }
  /** What this process works on, to begin again after a rest. */
  const begin: (() => Promise<void>)[] = [];
  let rest: NodeJS.Timeout | null = null;
  return {
    async send(name, { id, turn, author_id: userId }, trx) {
      const sent = await boss.send(
        name,
        { id },
        {
          id,
          priority: -Math.min(Math.round(turn), maxPriority),
          group: { id: userId },
          db: fromKysely(trx),
        },
      );
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
    async work(name, { concurrency, perUser }, handler) {
      const start = async (): Promise<void> => {
        if (perUser !== undefined) await startGroup(boss, name, { concurrency, perUser }, handler);
        else
          for (let count = 0; count < concurrency; count += 1)
            await startWorker(boss, name, handler);
      };
      begin.push(start);
      if (!rest) await start();
    },
    async rest(ms, isOver) {
      if (rest) return;
      const again = async (): Promise<void> => {
        const over = await isOver().catch((error: Error) => {
          log({ event: 'queue-error', level: 'warn', message: error.message });
          return false;
        });
        // Stopped meanwhile.
        if (!rest) return;
        rest = over ? null : setTimeout(again, ms).unref();
        if (over) for (const start of begin) await start();
      };
      rest = setTimeout(again, ms).unref();
      for (const kind of workKinds) await boss.offWork(kind, { wait: false });
    },
    stop: () => {
      if (rest) clearTimeout(rest);
      rest = null;
      return boss.stop({ graceful: true, timeout: 20_000, close: true });
    },
  };
}
