import { listRunningWork, readQueueState } from '../../queue/queries.ts';
import { listFailedWork, retryWork } from '../queries.ts';
import { type Command, UsageError } from './command.ts';
import { setDrained } from '../machine-health.ts';

export const jobs: Command = {
  forms: [
    ['jobs', 'counts what waits and runs, by kind'],
    ['jobs running', 'lists what workers are at'],
    ['jobs failed', 'lists the last 100 tasks and exports that ended in an error'],
  ],
  async run(db, { words: [verb, ...more] }) {
    if (more.length > 0) throw new UsageError();
    if (verb === 'running') return listRunningWork(db);
    if (verb === 'failed') return listFailedWork(db);
    if (verb !== undefined) throw new UsageError();
    return (await readQueueState(db)).map(({ kind, waiting, running, oldestSeconds }) => ({
      kind,
      waiting,
      running,
      oldest_seconds: Math.round(oldestSeconds),
    }));
  },
};

const outcomes = {
  retried: 'begins again within a minute',
  'not-failed': 'did not end in an error',
  'needs-new':
    'cannot begin again: its watermark or its clips are of the first time. Start a new one',
} as const;

export const retry: Command = {
  forms: [['retry ID…', 'begins again with tasks and exports that ended in an error']],
  async run(db, { words }) {
    if (words.length === 0) throw new UsageError();
    const rows = [];
    for (const id of words) rows.push({ id, outcome: outcomes[await retryWork(db, id)] });
    return rows;
  },
};

export const drain: Command = {
  forms: [
    ['drain', 'lets all workers of the installation end what they do, and take no new jobs'],
    ['drain --end', 'lets them work again'],
  ],
  options: { end: { type: 'boolean' } },
  async run(db, { words, options }) {
    if (words.length > 0) throw new UsageError();
    const drained = options['end'] !== true;
    await setDrained(db, drained);
    return drained
      ? 'In 10 seconds no worker takes new jobs. What still runs: clip-service jobs running'
      : 'In 10 seconds all workers take jobs again.';
  },
};
