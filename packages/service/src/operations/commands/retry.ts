import { retryWork } from '../retry-queries.ts';
import { UsageError, type Command } from './command.ts';

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
