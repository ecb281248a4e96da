import { setTimeout } from 'node:timers/promises';
import type { ServiceContext } from '../context.ts';
import { AttemptLost, isOwn, tables, type Attempt } from './attempt-queries.ts';

/** How long the end of an attempt takes that has settled its row. */
const settleMs = 500;

/** A notice may be missed. */
const lookIntervalMs = 60_000;

/** Tells an attempt that its row is another's, settled or deleted, until the function is called. */
export function watchRow(
  { db, changes }: Pick<ServiceContext, 'db' | 'changes'>,
  attempt: Attempt,
  onLost: (reason: AttemptLost) => void,
): () => void {
  const ended = new AbortController();
  const watcher = changes.watchRow(tables[attempt.kind], attempt.id);
  const watch = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await watcher.next(lookIntervalMs, ended.signal);
      // The attempt has settled the row by itself, more often than not: then it ends in a moment.
      await setTimeout(settleMs, null, { signal: ended.signal }).catch(() => {});
      // A database that is away says nothing about the row.
      const own = ended.signal.aborted || (await isOwn(db, attempt).catch(() => true));
      if (!own) return onLost(new AttemptLost(attempt));
    }
  };
  void watch();
  return () => {
    ended.abort();
    watcher.close();
  };
}
