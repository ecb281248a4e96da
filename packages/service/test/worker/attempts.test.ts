import assert from 'node:assert/strict';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, mock } from 'node:test';
import { DatabaseUnavailable } from '../../src/db/connections.ts';
import { findLiveFile } from '../../src/storage/queries.ts';
import {
  AttemptLost,
  beginAttempt,
  failAttempt,
  reconcile,
  writeProgress,
} from '../../src/queue/attempt-queries.ts';
import { previewRows } from '../../src/worker/previews.ts';
import { scanRows } from '../../src/worker/scan.ts';
import { exportClip, exportRows } from '../../src/worker/exports.ts';
import type { WorkKind } from '../../src/queue/queue.ts';
import { removeLeft, makeRowJob } from '../../src/worker/run-job.ts';
import { RowProgress } from '../../src/worker/progress.ts';
import { deleteExport, deleteClip, deleteTask } from '../../src/tasks/deletion-queries.ts';
import { removeFiles } from '../../src/operations/garbage-collection.ts';
import { Changes } from '../../src/operations/changes.ts';
import { sql } from 'kysely';
import { startExport } from '../../src/exports/start-export.ts';
import { type Storage, StorageUnavailable } from '../../src/storage/storage.ts';
import { makeImage } from 'clip-testkit/footage';
import { jobWorld } from '../support/job-world.ts';
import { spanEdit } from 'clip-testkit/span-edit';
import { startSourceServer } from 'clip-testkit/source-server';

describe('the attempts at a row', () => {
  const world = jobWorld();

  const put = (key: string): Promise<string> => world().put(key);
  const kept = async (prefix: string): Promise<string[]> =>
    (await world().service.storage.list(prefix)).toSorted();
  const addTask = () => world().addTask([spanEdit(0, 1)]);
  const addExport = async () => {
    const task = await addTask();
    return world().addExport(task.projects[0]!);
  };
  const settle = (id: string, values: object) =>
    world().service.db.updateTable('exports').set(values).where('id', '=', id).execute();
  const failure = { code: 'render-failed', message: 'It failed.' };
  const { signal } = new AbortController();

  it('cannot fail a row that a later one has finished, and nothing of it is removed', async () => {
    const id = await addExport();
    const first = await world().begin('export', id);
    await world().begin('export', id);
    const key = await put(`exports/${id}/2-file.mp4`);
    await settle(id, { status: 'ready', file_key: key, finished_at: new Date() });
    await assert.rejects(failAttempt(world().service.db, first, failure), AttemptLost);
    assert.equal((await world().exportRow(id)).status, 'ready');
    assert.deepEqual(await kept(`exports/${id}`), [key]);
  });

  it('does not count while the storage is away, and the row waits for another one', async () => {
    const id = await addExport();
    const away: Storage = {
      ...world().service.storage,
      openLocal: () => Promise.reject(new StorageUnavailable('It does not answer.')),
    };
    const service = { ...world().service, storage: away };
    for (let round = 1; round <= 5; round += 1) {
      await assert.rejects(makeRowJob(service, exportRows, exportClip)(id, signal), /put back/);
    }
    const { status, attempts, uncounted_attempts: uncounted, stage } = await world().exportRow(id);
    assert.deepEqual([status, attempts, uncounted, stage], ['processing', 5, 5, 'queued']);
  });

  it('cannot fail a preview that a later one works on, and its task, clip and source stay', async () => {
    const task = await addTask();
    const [clip] = task.projects;
    const first = await world().begin('preview', clip!.id);
    await world().begin('preview', clip!.id);
    await assert.rejects(previewRows.fail(world().service, first, failure), AttemptLost);
    const { db } = world().service;
    const clips = await db
      .selectFrom('projects')
      .where('task_id', '=', task.id)
      .select('id')
      .execute();
    assert.equal(clips.length, 1);
    assert.ok(await world().service.storage.stat(task.source.key));
  });

  it('cannot fail a task that a later one scans', async () => {
    const task = await world().addTask([]);
    const first = await world().begin('scan', task.id);
    await world().begin('scan', task.id);
    await assert.rejects(failAttempt(world().service.db, first, failure), AttemptLost);
    assert.ok(await world().service.storage.stat(task.source.key));
  });

  it('begin only where the row waits for them: a job that comes late takes nothing over', async () => {
    const { db } = world().service;
    const scanned = await addTask();
    for (const kind of ['ingest', 'scan'] as const) {
      assert.equal(await beginAttempt(db, kind, scanned.id), null);
    }
    const fetched = await world().addTask([]);
    assert.equal(await beginAttempt(db, 'ingest', fetched.id), null);
    assert.ok(await beginAttempt(db, 'scan', fetched.id));
  });

  it('tell no progress of a row that is a later one’s', async () => {
    const id = await addExport();
    const progress = new RowProgress(
      world().service.db,
      await world().begin('export', id),
      writeProgress,
    );
    await world().begin('export', id);
    progress.report('render', 0.7);
    await progress.settled();
    assert.equal((await world().exportRow(id)).share, 0);
  });

  it('have numbers of their own, also after the service was stopped in order', async () => {
    const id = await addExport();
    const numbers: number[] = [];
    for (let stops = 0; stops < 4; stops += 1) {
      const stop = new AbortController();
      const service = { ...world().service, closing: stop.signal };
      const job = makeRowJob(service, exportRows, async (_service, { attempt }) => {
        numbers.push(attempt.number);
        stop.abort(new Error('The service is stopping.'));
        throw new Error('stopped');
      });
      await assert.rejects(job(id, signal), /put back/);
    }
    assert.deepEqual(numbers, [1, 2, 3, 4]);
    assert.equal(
      (await world().exportRow(id)).status,
      'processing',
      'none counts towards the limit',
    );
  });

  it('do not count where the database was away for a moment, and no preview fails for it', async () => {
    const id = (await addTask()).projects[0]!.id;
    for (const number of [1, 2, 3, 4]) {
      const job = makeRowJob(world().service, previewRows, async (_service, { attempt }) => {
        assert.equal(attempt.number, number);
        throw new DatabaseUnavailable('No database connection is available.');
      });
      await assert.rejects(job(id, signal), /put back/);
    }
    const clip = await world()
      .service.db.selectFrom('projects')
      .select(['preview', 'uncounted_attempts'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    assert.deepEqual(clip, { preview: 'preparing', uncounted_attempts: 4 });
  });

  it('whose job the queue takes from the process fail no preview: it is made by the next one', async () => {
    const id = (await addTask()).projects[0]!.id;
    const taken = new AbortController();
    const job = makeRowJob(world().service, previewRows, async () => {
      const reason = new Error('The job is no longer active.');
      taken.abort(reason);
      throw reason;
    });
    await assert.rejects(job(id, taken.signal), /no longer active/);
    const clip = await world()
      .service.db.selectFrom('projects')
      .select(['preview', 'stage'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    assert.deepEqual(clip, { preview: 'preparing', stage: 'queued' });
  });

  it('leave nothing: when the row is ready, what dead ones have left is gone', async () => {
    const id = await addExport();
    await world().begin('export', id);
    await put(`exports/${id}/1-left.mp4`);
    const left = join(world().service.workDirectory, `export-${id}-1`);
    await mkdir(left);
    const later = join(world().service.workDirectory, `export-${id}-3`);
    await mkdir(later);
    const key = `exports/${id}/2-file.mp4`;
    await makeRowJob(world().service, exportRows, async () => {
      await put(key);
      await settle(id, { status: 'ready', file_key: key, finished_at: new Date() });
    })(id, signal);
    await removeFiles(world().service);
    assert.deepEqual(await kept(`exports/${id}`), [key]);
    assert.equal((await findLiveFile(world().service.db, key)) === null, false);
    assert.deepEqual(await readdir(world().service.workDirectory), [`export-${id}-3`]);
    await rm(later, { recursive: true });
  });

  it('that lose their rows leave files of theirs only until the store obeys', async () => {
    const id = await addExport();
    const left = `exports/${id}/1-left.mp4`;
    const job = makeRowJob(world().service, exportRows, async (service, { attempt }) => {
      await put(left);
      await service.db.deleteFrom('exports').where('id', '=', id).execute();
      throw new AttemptLost(attempt);
    });
    await job(id, signal);
    await removeFiles(world().service);
    assert.equal(await world().service.storage.stat(left), null);
  });

  it('keep the files of a row that another one works on', async () => {
    const id = await addExport();
    const key = await put(`exports/${id}/2-file.mp4`);
    await world().begin('export', id);
    await removeLeft(world().service, { kind: 'export', id, number: 1 });
    await removeFiles(world().service);
    assert.deepEqual(await kept(`exports/${id}`), [key]);
  });

  it('end within a moment when their row is deleted by any process', async () => {
    const { db } = world().service;
    const changes = new Changes(db);
    const stop = world().database.listen(changes);
    const service = { ...world().service, changes };
    try {
      const task = await addTask();
      const clip = task.projects[0]!.id;
      const exported = await world().addExport(task.projects[0]!);
      const fetched = await world().addTask([]);
      for (const [rows, id, remove] of [
        [
          exportRows,
          exported,
          () => deleteExport(db, world().user.id, { projectId: clip, exportId: exported }),
        ],
        [previewRows, clip, () => deleteClip(db, world().user.id, clip)],
        [scanRows, fetched.id, () => deleteTask(db, world().user.id, fetched.id)],
      ] as const) {
        await makeRowJob<WorkKind, typeof service>(
          service,
          rows,
          async (_service, _attempt, _progress, ended) => {
            assert.equal(await remove(), true, rows.kind);
            await new Promise((resolve) => ended.addEventListener('abort', resolve));
            throw ended.reason;
          },
        )(id, signal);
        assert.ok(
          world().log.some((entry) => entry['id'] === id && /superseded/.test(entry.event)),
        );
      }
    } finally {
      await stop();
    }
  });

  it('get a new job where theirs is lost, within the next look, and only then', async () => {
    const { db, queue } = world().service;
    const lost = await addExport();
    const alive = await addExport();
    const settled = await addExport();
    const scan = await world().addTask([]);
    await settle(settled, { status: 'ready', finished_at: new Date() });
    await settle(lost, { stage: 'render', share: 0.7, turn: 60 });
    const { turn, author_id } = await world().exportRow(alive);
    await db
      .transaction()
      .execute((trx) => queue.send('export', { id: alive, turn, author_id }, trx));
    await settle(alive, { stage: 'render', share: 0.5 });
    // Its last job has ended, and is remembered for an hour.
    await db
      .transaction()
      .execute((trx) => queue.send('scan', { id: scan.id, turn, author_id }, trx));
    await sql`update pgboss.job set state = 'completed' where id::text = ${scan.id}`.execute(db);
    await reconcile(world().service);
    const recovered = world()
      .log.filter(({ event }) => event === 'recovered')
      .map((entry) => entry['id']);
    assert.ok(recovered.includes(lost) && recovered.includes(scan.id));
    assert.ok(!recovered.includes(alive) && !recovered.includes(settled));
    assert.equal(await queue.isAlive('export', lost), true);
    assert.equal(await queue.isAlive('scan', scan.id), true);
    const row = await world().exportRow(lost);
    assert.deepEqual([row.stage, row.share], ['queued', 0]);
    assert.equal((await world().exportRow(alive)).share, 0.5);
    const before = world().log.length;
    await reconcile(world().service);
    assert.equal(world().log.length, before, 'each gets one');
  });

  it('have their watermark also where the answer to the commit of the row was lost', async () => {
    const directory = join(world().directory, 'site');
    await mkdir(directory);
    await makeImage(join(directory, 'logo.png'));
    const site = await startSourceServer(directory);
    try {
      const task = await addTask();
      const { db } = world().service;
      const begin = db.transaction.bind(db);
      const transaction = mock.method(db, 'transaction', () => {
        const begun = begin();
        const execute = begun.execute.bind(begun);
        mock.method(begun, 'execute', async (work: Parameters<typeof execute>[0]) => {
          // Of a trial, which comes first, nothing is committed.
          await execute(work);
          transaction.mock.restore();
          throw new Error('Connection terminated unexpectedly');
        });
        return begun;
      });
      const watermark = { src_url: site.at('logo.png'), pos_x: 0, pos_y: 0, scale: 1 };
      const started = startExport(world().service, world().user, task.projects[0]!, {
        watermark,
        signal,
      });
      await assert.rejects(started, /Connection terminated/);
      const row = await db
        .selectFrom('exports')
        .selectAll()
        .where('project_id', '=', task.projects[0]!.id)
        .executeTakeFirstOrThrow();
      assert.ok(await world().service.storage.stat(row.watermark!.key));
    } finally {
      await site.close();
    }
  });
});
