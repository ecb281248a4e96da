import { listRunningWork, readQueueState } from '../../queue/queries.ts';
import { listFailedWork } from '../work-queries.ts';
import { UsageError, type Command } from './command.ts';

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
