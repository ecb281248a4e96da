import { SourceError } from 'clip-engine';
import type { LiveRows } from '../changes/live-rows.ts';
import type { ShownTask } from '../db/changes.ts';
import { readIngest, removeSourceless } from '../db/ingest.ts';
import type { Db } from '../db/schema.ts';

/** How long a change may stay unheard of, if the database cannot tell of it. */
const maxUnheardMs = 2000;

/**
 * Waits while a worker fetches the source of a task that was just created, so that a bad source is
 * refused at once with a SourceError. Ends when the source is here, or after `ms`. If the client
 * goes away before, the signal's reason is thrown. In both cases the task is removed if the call
 * has `made` it.
 */
export async function awaitFetch(
  service: { db: Db; changes: { tasks: Pick<LiveRows<ShownTask>, 'watch'> } },
  id: string,
  { made, ms, signal }: { made: boolean; ms: number; signal: AbortSignal },
): Promise<void> {
  const end = performance.now() + ms;
  const watcher = service.changes.tasks.watch(id);
  try {
    for (;;) {
      const ingest = await readIngest(service.db, id);
      if (!ingest || ingest.fetched) return;
      const { status, failure_code: code, failure_message: message } = ingest;
      if (status === 'error' && !code?.startsWith('source-')) return;
      if (status === 'error' || signal.aborted) {
        const fetched = made && !(await removeSourceless(service.db, id));
        signal.throwIfAborted();
        if (fetched) return;
        throw new SourceError(code as SourceError['code'], message ?? '');
      }
      const left = end - performance.now();
      if (left <= 0) return;
      await watcher.next(Math.min(left, maxUnheardMs), signal);
    }
  } finally {
    watcher.close();
  }
}
