import type { ServiceContext } from '../context.ts';
import { AttemptLost, isOwn, tables, type Attempt } from '../db/worked-rows.ts';

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
