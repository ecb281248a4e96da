import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { deleteTask, undoTask } from '../../src/tasks/deletion-queries.ts';
import { createUpload, readUpload, takeUploads } from '../../src/uploads/queries.ts';
import { findOrphans, removeFiles } from '../../src/operations/garbage-collection.ts';
import { retain } from '../../src/worker/retention.ts';
import { jobWorld } from '../support/job-world.ts';
import { insertLibrary } from 'clip-testkit/rows';

describe('uploads that are kept, and for how long', () => {
  const world = jobWorld();

  const db = () => world().service.db;
  const never = new AbortController().signal;
  /** An upload with its file. */
  const made = async ({ finished = false } = {}): Promise<string> => {
    const id = randomUUID();
    const key = `uploads/${id}/file`;
    const row = { id, author_id: world().user.id, name: 'a.mp4', kind: 'video', size: 4 } as const;
    await createUpload(db(), { ...row, sha256: null, file_key: key }, async () => {});
    const path = join(world().directory, 'files', key);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, 'video');
    if (finished) await sql`update uploads set finished_at = now() where id = ${id}`.execute(db());
    return id;
  };
  const expire = (id: string) =>
    sql`update uploads set expires_at = now() - interval '1 minute' where id = ${id}`.execute(db());
  const task = async (...uploads: string[]): Promise<string> => {
    const { taskId } = await insertLibrary(db(), { userId: world().user.id, renderable: true });
    const [video] = uploads;
    const asked = video ? [{ field: 'source_video_url', id: video } as const] : [];
    await db()
      .transaction()
      .execute((trx) => takeUploads(trx, { id: taskId, authorId: world().user.id }, asked));
    return taskId;
  };
  const isThere = async (id: string): Promise<[row: boolean, file: boolean]> => {
    await removeFiles(world().service);
    const file = await world().service.storage.stat(`uploads/${id}/file`);
    return [(await readUpload(db(), id)) !== undefined, file !== null];
  };
  const hour = (sourceDays?: number) =>
    retain(world().service, sourceDays === undefined ? {} : { sourceDays }, never);

  it('go when their time is over, unless a task has taken them or somebody writes', async () => {
    const ids = await Promise.all([
      made(),
      made({ finished: true }),
      made({ finished: true }),
      made(),
    ]);
    const [open, finished, taken, written] = ids as [string, string, string, string];
    await task(taken);
    await hour();
    for (const id of ids) assert.deepEqual(await isThere(id), [true, true], 'it is not time yet');
    for (const id of ids) await expire(id);
    await sql`update uploads set holder = 'x', held_until = now() + interval '5 seconds'
      where id = ${written}`.execute(db());
    await hour();
    assert.deepEqual(await isThere(open), [false, false]);
    assert.deepEqual(await isThere(finished), [false, false]);
    assert.deepEqual(await isThere(taken), [true, true]);
    assert.deepEqual(await isThere(written), [true, true]);
  });

  it('go with the last task that has them, or with its source', async () => {
    const [one, other] = [await made({ finished: true }), await made({ finished: true })];
    const [first, second] = [await task(one), await task(one)];
    await deleteTask(db(), world().user.id, first);
    assert.deepEqual(await isThere(one), [true, true]);
    await deleteTask(db(), world().user.id, second);
    assert.deepEqual(await isThere(one), [false, false]);
    const old = await task(other);
    await sql`update tasks set finished_at = now() - interval '3 days' where id = ${old}`.execute(
      db(),
    );
    await hour(2);
    assert.deepEqual(await isThere(other), [false, false]);
  });

  it('stay when the call that took them is refused', async () => {
    const id = await made({ finished: true });
    await undoTask(db(), world().user.id, await task(id));
    assert.deepEqual(await isThere(id), [true, true]);
  });

  it('cannot be taken once they are gone, or by somebody else', async () => {
    const id = await made({ finished: true });
    await deleteTask(db(), world().user.id, await task(id));
    await assert.rejects(task(id), { reason: 'upload-unknown' });
  });

  it('are no orphans, but what is left of one without a row is', async () => {
    const id = await made();
    await removeFiles(world().service);
    const lost = join(world().directory, 'files/uploads/lost');
    await mkdir(lost, { recursive: true });
    await writeFile(join(lost, 'file'), 'video');
    const tomorrow = Date.now() + 2 * 24 * 60 * 60 * 1000;
    const found: string[] = [];
    for await (const { key } of findOrphans(world().service, tomorrow)) found.push(key);
    assert.deepEqual(found, ['uploads/lost/file']);
    assert.deepEqual(await isThere(id), [true, true]);
  });
});
