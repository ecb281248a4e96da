import { SourceError } from 'clip-engine';
import type { LiveRows } from '../db/live-rows.ts';
import type { ShownTask } from './shown-queries.ts';
import type { Db } from '../db/schema.ts';
import { readIngest } from './queries.ts';

/** How long a change may stay unnoticed if the database cannot send notices. */
const maxUnheardMs = 2000;

/**
 * Waits while a job fetches the source of a task that was just created, so that a bad source is
 * refused at once with a SourceError. Ends when the source is here, after `ms`, or when `closing`
 * is aborted; throws the reason of `gone` if the client goes away, and what `requireHope` throws
 * while no job can fetch it.
 */
export async function awaitSource(
  service: {
    db: Db;
    changes: { tasks: Pick<LiveRows<ShownTask>, 'watch'> };
    closing: AbortSignal;
  },
  id: string,
  { ms, gone, requireHope }: { ms: number; gone: AbortSignal; requireHope: () => void },
): Promise<void> {
  const end = performance.now() + ms;
  const signal = AbortSignal.any([gone, service.closing]);
  const watcher = service.changes.tasks.watch(id);
  try {
    for (;;) {
      const ingest = await readIngest(service.db, id);
      if (!ingest || ingest.fetched) return;
      const { status, failure_code: code, failure_message: message } = ingest;
      if (status === 'error') {
        if (!/^(?:source|subtitles)-/.test(code ?? '')) return;
        throw new SourceError(code as SourceError['code'], message ?? '');
      }
      gone.throwIfAborted();
      requireHope();
      const left = end - performance.now();
      if (left <= 0 || service.closing.aborted) return;
      await watcher.next(Math.min(left, maxUnheardMs), signal);
    }
  } finally {
    watcher.close();
  }
}
