import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Basis } from 'clip-engine';
import { createManagedUser, lockPlan } from '../../src/db/accounts.ts';
import { eraseUser } from '../../src/db/deletion.ts';
import { openDatabase, type OpenDatabase } from '../../src/db/open.ts';
import type { TaskRow } from '../../src/db/schema.ts';
import { addClips } from '../../src/db/tasks.ts';
import { writeWebhook } from '../../src/db/webhooks.ts';
import { AttemptLost } from '../../src/db/worked-rows.ts';
import { stretchEdit } from '../support/job-world.ts';
import { insertExports, insertLibrary, settleExport, type Library } from '../support/rows.ts';
import { testDatabase } from '../support/test-database.ts';

const queue = { send: () => Promise.resolve() };

describe('transactions that meet', () => {
  let server: Awaited<ReturnType<typeof testDatabase>>;
  let database: OpenDatabase;
  let library: Library;
  before(async () => {
    server = await testDatabase();
    database = await openDatabase({ dataDir: '', databaseUrl: server.url });
    library = await insertLibrary(database.db);
  });
  after(async () => {
    await database?.close();
    await server.close();
  });

  const scannedTask = async (userId: string): Promise<TaskRow> =>
    database.db
      .insertInto('tasks')
      .values({
        id: randomUUID(),
        type: 'video-to-video',
        author_id: userId,
        request: JSON.stringify({ type: 'video-to-video', source_video_url: 'https://a.example' }),
        output_type: 'project',
        output_id: randomUUID(),
        source: JSON.stringify({}),
        status: 'processing',
        stage: 'scan',
        share: 0,
      })
      .returningAll()
      .executeTakeFirstOrThrow();

  it('do not lock each other out: the end of a scan, and the erasure of its user', async () => {
    const { db } = database;
    for (let round = 0; round < 40; round += 1) {
      const { id: userId } = await createManagedUser(db, library.organizationId);
      const task = await scannedTask(userId);
      const clip = {
        ...{ id: task.output_id, name: 'clip', score: null, explanation: null, notes: [] },
        ...{
          edit: stretchEdit(0, 1),
          basis: {} as Basis,
          work: 0,
          stretch: null,
          posterKey: 'posters/a/b.jpg',
        },
      };
      const attempt = { kind: 'scan', id: task.id, number: 0 } as const;
      const [added, erased] = await Promise.allSettled([
        addClips(db, queue, attempt, task, { projects: [clip], notes: [], analysis: null }),
        eraseUser(db, library.organizationId, userId),
      ]);
      assert.deepEqual(erased, { status: 'fulfilled', value: true });
      if (added.status === 'rejected') assert.ok(added.reason instanceof AttemptLost, added.reason);
    }
  });

  it('let exports finish while others of the organization are counted', async () => {
    const { db } = database;
    const secrets = [`whsec_${Buffer.alloc(32, 1).toString('base64')}`];
    await writeWebhook(db, { url: 'https://a.example', secrets }, { origin: 'made' });
    const [id = ''] = await insertExports(db, library, 1);
    const { userId, organizationId: organization_id } = library;
    await db.transaction().execute(async (trx) => {
      await lockPlan(trx, { id: userId, organization_id });
      await settleExport(db, id);
    });
    const { status } = await db
      .selectFrom('exports')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    assert.equal(status, 'ready');
  });
});
