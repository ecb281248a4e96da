import { setDrained } from '../drained-queries.ts';
import { UsageError, type Command } from './command.ts';

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
