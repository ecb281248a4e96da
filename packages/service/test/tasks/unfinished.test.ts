import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { deleteClip, deleteTask, eraseOrganization } from '../../src/tasks/deletion-queries.ts';
import { removeFiles } from '../../src/operations/garbage-collection.ts';
import { removeLeft } from '../../src/worker/run-job.ts';
import { jobWorld } from '../support/job-world.ts';
import { spanEdit } from 'clip-testkit/span-edit';

describe('deletion while a task is at work', () => {
  const world = jobWorld();

  const task = async (clips: number) => {
    const edits = Array.from({ length: clips }, (_, at) => spanEdit(at, at + 1));
    const { id, projects } = await world().addTask(edits);
    const remove = (at: number) =>
      deleteClip(world().service.db, world().user.id, projects[at]!.id);
    const state = () =>
      world()
        .service.db.selectFrom('tasks')
        .select(['status', 'failure_code'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
    return { projects, remove, state };
  };
  const ready = (id: string) =>
    world()
      .service.db.updateTable('projects')
      .set({ preview: 'ready' })
      .where('id', '=', id)
      .execute();

  it('of the clip that its task waits for settles the task', async () => {
    const { projects, remove, state } = await task(3);
    await ready(projects[0]!.id);
    await remove(1);
    assert.equal((await state()).status, 'processing', 'a preview is still being made');
    await remove(2);
    assert.equal((await state()).status, 'ready');
    // The last clip of a settled task takes nothing else with it.
    await remove(0);
    assert.equal((await state()).status, 'ready');
  });

  it('of all of its clips ends the task with a reason', async () => {
    const { remove, state } = await task(1);
    await remove(0);
    assert.deepEqual(await state(), { status: 'error', failure_code: 'clips-deleted' });
  });

  it('of what is being made leaves no file, however late one is published', async () => {
    const { projects } = await task(1);
    const [project] = projects;
    const { db, storage } = world().service;
    const exportId = await world().addExport(project!);
    const file = join(world().directory, 'late');
    const kept = {
      export: { id: exportId, key: `exports/${exportId}/1-late.mp4` },
      preview: { id: project!.id, key: `previews/${project!.id}/1-late.mp4` },
      scan: { id: project!.task_id, key: `segments/${project!.task_id}/1-late.mp4` },
    };
    await deleteTask(db, world().user.id, project!.task_id);
    for (const [kind, { id, key }] of Object.entries(kept)) {
      await writeFile(file, 'late');
      await storage.put(key, file);
      await removeLeft(world().service, { kind: kind as keyof typeof kept, id, number: 1 });
      await removeFiles(world().service);
      assert.equal(await storage.stat(key), null, kind);
    }
  });

  it('of an organization leaves no row of it', async () => {
    const { projects } = await task(1);
    await world().addExport(projects[0]!);
    const { db } = world().service;
    const { organization_id: id } = world().user;
    assert.equal(await eraseOrganization(db, 'nobody'), false);
    assert.equal(await eraseOrganization(db, id), true);
    assert.equal(await eraseOrganization(db, id), false);
    for (const table of ['organizations', 'users', 'api_keys', 'tasks', 'exports'] as const) {
      const rows = await db.selectFrom(table).select('id').execute();
      assert.deepEqual(rows, [], table);
    }
  });
});
