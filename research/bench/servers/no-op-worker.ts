/** A worker whose renders take no time: what is left is what the queue and the database carry. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Changes } from '../../../packages/service/src/operations/changes.ts';
import type { ServiceContext } from '../../../packages/service/src/context.ts';
import { exportRows } from '../../../packages/service/src/exports/job.ts';
import { finishExport } from '../../../packages/service/src/exports/queries.ts';
import { openDatabase } from '../../../packages/service/src/db/open.ts';
import { openQueue } from '../../../packages/service/src/queue/open.ts';
import { rowJob } from '../../../packages/service/src/queue/run-job.ts';
import { diskStorage } from '../../../packages/service/src/storage/disk.ts';
import { serve } from './child.ts';

await serve<{ databaseUrl: string }>(async ({ databaseUrl }) => {
  const workDirectory = await mkdtemp(join(tmpdir(), 'clip-no-op-'));
  const database = await openDatabase({ dataDir: workDirectory, databaseUrl });
  const { db } = database;
  const queue = await openQueue(database, () => {});
  const storage = diskStorage(join(workDirectory, 'files'));
  const closing = new AbortController();
  // What a job of an export uses when nothing is rendered.
  const service = {
    ...{ db, queue, storage, workDirectory, closing: closing.signal },
    changes: new Changes(db, () => {}),
    log: () => {},
  } as unknown as ServiceContext;
  const work = rowJob(service, exportRows, async (_, { attempt }) => {
    await finishExport(db, attempt, { fileKey: `exports/${attempt.id}/1-a.mp4`, notes: [] });
  });
  await queue.work('export', { concurrency: 1 }, work);
  return {
    url: '',
    facts: {},
    close: async () => {
      closing.abort();
      await service.changes.close();
      await queue.stop();
      await database.close();
      await rm(workDirectory, { recursive: true, force: true });
    },
  };
});
