import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findProxy, startProxy } from '../../src/edits/queries.ts';
import { findOrphans, removeFiles } from '../../src/operations/garbage-collection.ts';
import { retain as retainRows } from '../../src/worker/retention.ts';
import type { Retention } from '../../src/config/config.ts';
import type { Service } from '../../src/service.ts';
import { askForWords } from '../../src/tasks/words-queries.ts';
import { startExport } from '../../src/exports/start-export.ts';
import { jobWorld } from '../support/job-world.ts';
import { spanEdit } from 'clip-testkit/span-edit';

const { signal } = new AbortController();
async function retain(service: Service, retention: Retention): Promise<void> {
  await retainRows(service, retention, signal);
  await removeFiles(service);
}
const day = 24 * 60 * 60 * 1000;

describe('what is kept', () => {
  const world = jobWorld();

  const put = (key: string): Promise<string> => world().put(key);
  const orphans = async (now: number): Promise<string[]> => {
    const found: string[] = [];
    for await (const { key } of findOrphans(world().service, now)) found.push(key);
    return found.toSorted();
  };
  /** A task that is ready, with a clip that has a preview, and its files. */
  const readyTask = async () => {
    const { id, source, projects } = await world().addTask([spanEdit(0, 1)]);
    const { db } = world().service;
    const [clip] = projects;
    const [preview, poster] = [`previews/${clip!.id}/1-a.mp4`, `previews/${clip!.id}/1-a.jpg`];
    await put(preview);
    await put(poster);
    await db
      .updateTable('projects')
      .set({ preview: 'ready', preview_key: preview, poster_key: poster })
      .where('id', '=', clip!.id)
      .execute();
    await db
      .updateTable('tasks')
      .set({ status: 'ready', finished_at: new Date(Date.now() - 10 * day) })
      .where('id', '=', id)
      .execute();
    return { id, source, clip: clip!, preview };
  };

  it('files that no row names are orphans after a day, also beside those of a row', async () => {
    const { id, clip } = await readyTask();
    const lost = [
      await put('exports/gone/1-a.mp4'),
      await put(`previews/${clip.id}/0-lost.mp4`),
      await put(`sources/${id}/0-source.mp4`),
    ];
    assert.deepEqual(await orphans(Date.now()), []);
    assert.deepEqual(await orphans(Date.now() + 2 * day), lost.toSorted());
    for (const key of lost) await world().service.storage.remove(key);
  });

  it('a row that is at work keeps all of its files', async () => {
    const { id } = await world().addTask([]);
    await put(`sources/${id}/2-source.mp4`);
    assert.deepEqual(await orphans(Date.now() + 2 * day), []);
  });

  it('what the operator does not want to keep is deleted when it is old enough', async () => {
    const { id, source, clip, preview } = await readyTask();
    const { service } = world();
    const taskOf = () =>
      service.db.selectFrom('tasks').select('source').where('id', '=', id).executeTakeFirst();
    const proxy = await put(`proxies/${clip.id}/1-a.mp4`);
    const span = { start: 0, end: 1 };
    await startProxy(service.db, service.queue, clip, span);
    const made = { videoKey: proxy, stripKey: proxy };
    await service.db
      .updateTable('proxies')
      .set({ status: 'ready', made: JSON.stringify(made) })
      .where('id', '=', clip.id)
      .execute();
    assert.deepEqual(await orphans(Date.now() + 2 * day), []);
    await retain(service, { taskDays: 11, sourceDays: 11 });
    assert.ok((await taskOf())?.source);
    assert.ok(await service.storage.stat(proxy));
    await retain(service, { taskDays: 11, sourceDays: 9 });
    assert.deepEqual(await taskOf(), { source: null });
    assert.equal(await service.storage.stat(source.key), null);
    assert.equal(await service.storage.stat(proxy), null);
    assert.equal(await findProxy(service.db, clip.id), undefined);
    assert.ok(await service.storage.stat(preview));
    await assert.rejects(
      startExport(service, world().user, { ...clip, source: null }, { signal }),
      {
        reason: 'source-gone',
      },
    );
    const task = { id, author_id: world().user.id };
    await assert.rejects(
      askForWords(service.db, service.queue, task, {}, [], async () => {}),
      {
        reason: 'source-gone',
      },
    );
    await retain(service, { taskDays: 9 });
    assert.equal(await taskOf(), undefined);
    assert.equal(await service.storage.stat(preview), null);
    assert.deepEqual(await service.storage.list(`previews/${clip.id}`), []);
    assert.ok(world().log.some(({ event }) => event === 'retention'));
  });

  it('what a preview, a proxy or an export is about to be made from is not old', async () => {
    const { id, clip } = await readyTask();
    const { db } = world().service;
    const source = async () => {
      await retain(world().service, { sourceDays: 9, taskDays: 9 });
      const task = db.selectFrom('tasks').select('source').where('id', '=', id);
      return (await task.executeTakeFirst())?.source;
    };
    const setPreview = (preview: 'preparing' | 'ready') =>
      db.updateTable('projects').set({ preview }).where('id', '=', clip.id).execute();
    await setPreview('preparing');
    assert.ok(await source());
    await setPreview('ready');
    await startProxy(db, world().service.queue, clip, { start: 0, end: 1 });
    assert.ok(await source());
    await db.updateTable('proxies').set({ status: 'error' }).where('id', '=', clip.id).execute();
    assert.equal(await source(), undefined);
  });

  it('the segment of a clip is kept as long as the operator wants', async () => {
    const { clip } = await readyTask();
    const { db, storage } = world().service;
    const key = await put(`segments/${clip.task_id}/1-a.video`);
    const segment = JSON.stringify({ key, offset: 0 });
    await db.updateTable('projects').set({ segment }).where('id', '=', clip.id).execute();
    assert.deepEqual(await orphans(Date.now() + 2 * day), []);
    await retain(world().service, { segmentDays: 11 });
    assert.ok(await storage.stat(key));
    await retain(world().service, { segmentDays: 9 });
    assert.equal(await storage.stat(key), null);
    const kept = await db
      .selectFrom('projects')
      .select('segment')
      .where('id', '=', clip.id)
      .executeTakeFirstOrThrow();
    assert.equal(kept.segment, null);
  });

  it('a task with an export at work is not deleted', async () => {
    const { id, clip } = await readyTask();
    const exported = await world().addExport(clip);
    await retain(world().service, { taskDays: 1, sourceDays: 1, exportDays: 1 });
    const row = await world()
      .service.db.selectFrom('tasks')
      .select('source')
      .where('id', '=', id)
      .executeTakeFirst();
    assert.ok(row?.source);
    assert.equal((await world().exportRow(exported)).status, 'processing');
  });
});
