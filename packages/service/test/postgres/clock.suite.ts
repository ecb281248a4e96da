import assert from 'node:assert/strict';
import { it, mock } from 'node:test';
import { finishExport } from '../../src/exports/queries.ts';
import { openDatabase } from '../../src/db/open.ts';
import { beginAttempt } from '../../src/queue/attempt-queries.ts';
import { insertExports, insertLibrary } from 'clip-testkit/rows';
import { testDatabase } from '../support/test-database.ts';

it('an export is finished after it was created, on a machine whose clock is a year behind', async () => {
  const database = await testDatabase();
  const { db, close } = await openDatabase({ dataDir: '', databaseUrl: database.url });
  try {
    const [id = ''] = await insertExports(db, await insertLibrary(db), 1);
    const begun = await beginAttempt(db, 'export', id);
    assert.ok(begun);
    mock.timers.enable({ apis: ['Date'], now: Date.now() - 365 * 24 * 3_600_000 });
    await finishExport(db, begun.attempt, { fileKey: `exports/${id}/1-a.mp4`, notes: [] });
    mock.timers.reset();
    const row = await db
      .selectFrom('exports')
      .select(['created_at', 'finished_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    assert.ok(row.finished_at! >= row.created_at, `${row.finished_at} after ${row.created_at}`);
  } finally {
    await close();
    await database.close();
  }
});
