import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { deleteClip, deleteTask } from '../../src/tasks/deletion-queries.ts';
import { findLiveFile } from '../../src/storage/queries.ts';
import { removeFiles } from '../../src/operations/garbage-collection.ts';
import { longRun } from 'clip-testkit/long-run';
import { jobWorld } from '../support/job-world.ts';
import { spanEdit } from 'clip-testkit/span-edit';
import { insertLibrary } from 'clip-testkit/rows';

describe('the files of what is deleted', () => {
  const world = jobWorld();

  const put = (key: string): Promise<string> => world().put(key);
  const task = () => world().addTask([spanEdit(0, 1)]);
  const left = async (): Promise<number> =>
    (await sql`select from files_to_remove`.execute(world().service.db)).rows.length;

  it('are nobody’s from then on, and go when the store obeys', async () => {
    const { db, storage } = world().service;
    const { id, source, projects } = await task();
    const exported = await world().addExport(projects[0]!);
    const keys = [source.key, await put(`exports/${exported}/1-a.mp4`)];
    const other = await put('exports/other/1-a.mp4');
    assert.equal(await deleteTask(db, world().user.id, id), true);
    for (const key of keys) assert.equal((await findLiveFile(db, key)) === null, true, key);
    assert.equal((await findLiveFile(db, other)) === null, false);
    const away = {
      list: storage.list.bind(storage),
      remove: () => Promise.reject(new Error('away')),
    };
    const service = { db, storage: { ...storage, ...away } };
    for (const _ of [1, 2]) await assert.rejects(removeFiles(service), /away/);
    assert.ok(await storage.stat(keys[1]!), 'it is still there');
    await removeFiles(world().service);
    for (const key of keys) assert.equal(await storage.stat(key), null, key);
    assert.ok(await storage.stat(other));
    assert.equal(await left(), 0);
  });

  it('include the source of a task whose only clip goes during its preview', async () => {
    const { source, projects } = await task();
    assert.equal(await deleteClip(world().service.db, world().user.id, projects[0]!.id), true);
    await removeFiles(world().service);
    assert.equal(await world().service.storage.stat(source.key), null);
  });

  it(
    'may be those of more exports than a statement has parameters',
    { skip: !longRun },
    async () => {
      const { db } = world().service;
      const library = await insertLibrary(db);
      await sql`insert into exports (id, organization_id, author_id, project_id, name, duration,
        edit, status, stage, share, estimated_ready_at)
      select gen_random_uuid()::text, ${library.organizationId}, ${library.userId},
          ${library.projectId}, 'clip', 5, '{}', 'ready', 'render', 1, now()
        from generate_series(1, 66000)`.execute(db);
      assert.equal(await deleteTask(db, library.userId, library.taskId), true);
      const { rows } =
        await sql`select from exports where project_id = ${library.projectId}`.execute(db);
      assert.equal(rows.length, 0);
      assert.ok((await left()) >= 2 * 66_000);
    },
  );
});
