import { randomUUID } from 'node:crypto';
import { fromKysely, fromPglite, PgBoss, type Job, type JobWithMetadata } from 'pg-boss';
import {
  getRequestContext,
  runInSpan,
  traceCarrier,
  type TraceCarrier,
  withRequestContext,
} from '../telemetry/tracing.ts';
import type { LogEntry } from '../config/config.ts';
import type { OpenDatabase } from '../db/open.ts';
import { workKinds, type Group, type JobHandler, type Queue, type WorkKind } from './queue.ts';

const alive: readonly string[] = ['created', 'retry', 'active'];

/** The row counts its attempts, so the queue's own limit is out of reach. */
const retries = { retryLimit: 1_000_000, retryDelay: 1 };

/**
 * The time until another process takes over the job of a worker that died: its last sign of life is
 * this old, then comes the next check of all jobs, then the next poll of an idle worker. Together
 * less than 60 seconds.
 */
const lease = { heartbeatSeconds: 20, lookSeconds: 10, pollSeconds: 10 };

/** Intervals at which an idle worker polls for a job: rarely, as it is notified of new ones. */
const polls = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: lease.pollSeconds };

/** The row is what lasts: its job waits as long as it has to, and is removed when it is done. */
const retention = { retentionSeconds: 10 * 365 * 24 * 60 * 60, deleteAfterSeconds: 60 * 60 };

/** The time for which a process that died during scheduled work keeps it from the others. */
const lasting = { expireInSeconds: 15 * 60, heartbeatSeconds: lease.heartbeatSeconds };

/** Minimum time between two log lines of the same error. */
const quietMs = 30_000;

/** Postgres integers. */
const maxPriority = 2 ** 31 - 1;

/** Added to the priority of an urgent job. Without it, a priority is 0 or less. */
const urgency = 2 ** 30;

/** Passes the time of the slots: a test has one that it moves by hand. */
export type Clock = Pick<typeof globalThis, 'setTimeout' | 'clearTimeout'>;

interface JobData {
  /** The id of the row. */
  id: string;
  /** The request for which the job was made. */
  request?: string;
  trace?: TraceCarrier;
}

interface Slots extends Group {
  readonly isResting: () => boolean;
  readonly clock: Clock;
}

type Work = (job: Job<JobData>, isUrgent: boolean) => Promise<void>;

/** Works on one job after the other: on any, or on urgent ones alone. */
async function startWorker(
  boss: PgBoss,
  kind: WorkKind,
  work: Work,
  urgentAlone = false,
): Promise<void> {
  let worker: string | null = null;
  // An idle worker is woken by a notification, but one that has just been busy has missed those of
  // the jobs that wait, and would sleep until its next poll.
  const lookAgain = () => worker !== null && boss.notifyWorker(worker);
  // There is no notification when a delayed job is due.
  const options = {
    ...polls,
    ...(kind === 'preview' && { notifyPollingIntervalSeconds: 2 }),
    ...(urgentAlone && { minPriority: 1 }),
    includeMetadata: true as const,
  };
  worker = await boss.work(kind, options, async ([job]: JobWithMetadata<JobData>[]) => {
    if (!job) return;
    try {
      await work(job, job.priority > 0);
      lookAgain();
    } catch (error) {
      setTimeout(lookAgain, retries.retryDelay * 1000 + 100).unref();
      throw error;
    }
  });
}

/**
 * Several at the same time, of which some may wait for others of the same user: these poll. A job
 * that takes longer than `slotMs` continues outside the slots, and another one begins in its place:
 * slow jobs of one user delay no other user.
 */
function startGroup(
  boss: PgBoss,
  kind: WorkKind,
  { concurrency, perUser, slotMs, isResting, clock }: Slots,
  work: Work,
): Promise<unknown> {
  let late = 0;
  /** More slots, each so many that one user may have all of them: pg-boss takes no less. */
  const more: Promise<string>[] = [];
  const enough = () => more.length * perUser >= late || isResting();
  const start = (slots: number): Promise<string> =>
    boss.work<JobData>(
      kind,
      {
        ...polls,
        notifyPollingIntervalSeconds: polls.pollingIntervalSeconds,
        localConcurrency: slots,
        localGroupConcurrency: perUser,
      },
      async ([job]: Job<JobData>[]) => {
        if (!job) return;
        let isLate = false;
        const timer = clock
          .setTimeout(() => {
            isLate = true;
            late += 1;
            if (enough()) return;
            const slots = start(perUser);
            // If the queue is stopping.
            slots.catch(() => {});
            more.push(slots);
          }, slotMs)
          .unref();
        try {
          await work(job, false);
        } finally {
          clock.clearTimeout(timer);
          if (isLate) late -= 1;
          const unneeded = (more.length - 1) * perUser >= late ? more.pop() : undefined;
          unneeded?.then((id) => boss.offWork(kind, { id, wait: false })).catch(() => {});
        }
      },
    );
  return start(concurrency);
}

/** Starts the slots of a kind of work; some may be for urgent jobs alone. */
async function startSlots(
  boss: PgBoss,
  kind: WorkKind,
  slots: Parameters<Queue['work']>[1] & Pick<Slots, 'clock' | 'isResting'>,
  work: Work,
): Promise<void> {
  if ('perUser' in slots) {
    await startGroup(boss, kind, slots, work);
    return;
  }
  const { concurrency, urgent = 0 } = slots;
  for (let count = 0; count < concurrency + urgent; count += 1)
    await startWorker(boss, kind, work, count >= concurrency);
}

/**
 * Returns the connection of the queue, which listens for jobs too. Its statements are short, and
 * those that add jobs are not among them: one connection is enough, and an idle process holds few.
 * If it goes silent, a statement that fails has it replaced.
 */
const openConnection = ({ at }: Pick<OpenDatabase, 'at'>) =>
  'pglite' in at
    ? { db: fromPglite(at.pglite), backend: 'pglite' as const }
    : { connectionString: at.listenUrl, max: 1, keepAlive: true, query_timeout: 20_000 };

/** Starts pg-boss, with a queue for each kind of work. */
async function startBoss(
  database: OpenDatabase,
  log: (entry: LogEntry) => void,
  schedule: boolean,
): Promise<PgBoss> {
  const boss = new PgBoss({
    ...openConnection(database),
    schedule,
    cronWorkerIntervalSeconds: 20,
    useListenNotify: true,
    superviseIntervalSeconds: lease.lookSeconds,
    monitorIntervalSeconds: lease.lookSeconds,
    maintenanceIntervalSeconds: 10 * 60,
  });
  // While the database is unavailable, each worker fails at each poll.
  let last = { message: '', at: -Infinity };
  boss.on('error', ({ message }) => {
    const now = performance.now();
    if (message === last.message && now - last.at < quietMs) return;
    last = { message, at: now };
    log({ event: 'queue-error', level: 'warn', message });
  });
  await boss.start();
  for (const name of workKinds) {
    const options = {
      ...retries,
      expireInSeconds: 23 * 60 * 60,
      ...retention,
      notify: true,
      // Finds the jobs of a worker that died elsewhere. Without others, the start forgets them.
      ...(!database.exclusive && { heartbeatSeconds: lease.heartbeatSeconds }),
    };
    // An earlier version may have made it with other options.
    if (await boss.getQueue(name)) await boss.updateQueue(name, options);
    else await boss.createQueue(name, options);
    // Has pg-boss read the options now. If the first job were sent in a transaction, it would read
    // them beside it, which the one connection of the built-in database cannot do.
    await boss.findJobs(name, { id: randomUUID() });
  }
  return boss;
}

/** Adds the job of a row, with the request for which it is made. */
async function sendJob(
  boss: PgBoss,
  ...[kind, { id, turn, author_id: userId }, trx, afterSeconds = 0]: Parameters<Queue['send']>
): Promise<void> {
  const { request } = getRequestContext();
  const trace = traceCarrier();
  const data: JobData = { id, ...(request !== undefined && { request }), ...(trace && { trace }) };
  const sent = await boss.send(kind, data, {
    id,
    priority: -Math.min(Math.round(turn), maxPriority),
    group: { id: userId },
    ...(afterSeconds > 0 && { startAfter: afterSeconds }),
    db: fromKysely(trx),
  });
  if (sent === null) throw new Error(`A ${kind} job of ${id} is there already.`);
}

/** Puts a job that waits before all that are not urgent. */
async function setUrgent(boss: PgBoss, kind: WorkKind, id: string): Promise<void> {
  const [job] = await boss.findJobs(kind, { id });
  if (job?.state !== 'created' || job.priority > 0) return;
  await boss.update(kind, undefined, { id, priority: job.priority + urgency });
}

/** Does work by the clock, in one process at a time. */
async function startSchedule(
  boss: PgBoss,
  ...[cron, name, work]: Parameters<Queue['every']>
): Promise<void> {
  // What was due while no process ran is done once.
  await boss.createQueue(name, { policy: 'exclusive', notify: true, ...lasting });
  await boss.schedule(name, cron);
  await boss.work(name, { ...polls, notifyPollingIntervalSeconds: 30 }, work);
}

/** Does the work of jobs, each in a span of its own, and counts those that are worked on. */
const countJobs =
  (slots: ReturnType<Queue['slots']>[number], handler: JobHandler): Work =>
  async ({ data: { id, request, trace }, signal }, isUrgent) => {
    slots.inUse += 1;
    const options = { kind: 'CONSUMER', parent: () => trace, attributes: { job: id } } as const;
    try {
      await withRequestContext({ request, job: id }, () =>
        runInSpan(`job ${slots.kind}`, options, () => handler(id, signal, isUrgent)),
      );
    } finally {
      slots.inUse -= 1;
    }
  };

export async function openQueue(
  database: OpenDatabase,
  log: (entry: LogEntry) => void,
  /** Whether this process runs the schedules. */
  schedule = false,
  clock: Clock = globalThis,
): Promise<Queue> {
  const boss = await startBoss(database, log, schedule);
  /** Starts of the work of this process, to begin it again after a rest. */
  const begin: (() => Promise<void>)[] = [];
  const worked: ReturnType<Queue['slots']> = [];
  let rest: NodeJS.Timeout | null = null;
  let draining = false;
  return {
    send: (...job) => sendJob(boss, ...job),
    prioritize: (kind, id) => setUrgent(boss, kind, id),
    async isAlive(name, id) {
      const jobs = await boss.findJobs(name, { id });
      return jobs.some((job) => alive.includes(job.state));
    },
    async work(name, slots, handler) {
      const urgent = 'urgent' in slots ? (slots.urgent ?? 0) : 0;
      const slotsOfKind = { kind: name, all: slots.concurrency + urgent, inUse: 0 };
      worked.push(slotsOfKind);
      const work = countJobs(slotsOfKind, handler);
      const isResting = () => draining || rest !== null;
      const start = () => startSlots(boss, name, { ...slots, clock, isResting }, work);
      begin.push(start);
      if (!draining && !rest) await start();
    },
    slots: () => worked,
    every: (...schedule) => startSchedule(boss, ...schedule),
    async backOff(ms, isOver) {
      if (draining || rest) return;
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
    async drain() {
      draining = true;
      if (rest) clearTimeout(rest);
      rest = null;
      await Promise.all(workKinds.map((kind) => boss.offWork(kind)));
    },
    stop: () => {
      if (rest) clearTimeout(rest);
      rest = null;
      return boss.stop({ graceful: true, timeout: 20_000, close: true });
    },
  };
}
