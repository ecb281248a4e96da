import assert from 'node:assert/strict';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { type EditChanges, exportSchema } from 'clip-kit/contract';
import { makeEdit } from 'clip-engine';
import { makeClipInputs } from '../../../engine/src/editing/make-inputs.ts';
import { quietAnalysis } from 'clip-testkit/media-analysis';
import { describeFile, ffmpeg, makeVideo } from 'clip-testkit/media-footage';
import { editingWith } from 'clip-testkit/plain-edit';
import { changeEdit, findEdit, readRevisions, type EditedClip } from '../../src/edits/queries.ts';
import { findClip } from '../../src/clips/queries.ts';
import { AttemptLost, beginAttempt, reconcile } from '../../src/queue/attempt-queries.ts';
import { startExport } from '../../src/exports/start-export.ts';
import { exportClip, exportRows } from '../../src/worker/exports.ts';
import { exportObject } from '../../src/exports/rules.ts';
import { findNeededFiles } from '../../src/storage/queries.ts';
import { makeRowJob } from '../../src/worker/run-job.ts';
import { makePreview, previewRows } from '../../src/worker/previews.ts';
import { makeEditInputs, applyChanges } from '../../src/edits/rules.ts';
import { probe } from 'clip-testkit/footage';
import { JobWorld } from '../support/job-world.ts';

const signal = () => new AbortController().signal;

describe('a clip that is changed', () => {
  let world: JobWorld;
  let directory: string;
  let footage: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'clip-edited-'));
    footage = await makeVideo(join(directory, 'video.mp4'));
    world = await JobWorld.open();
  });
  after(async () => {
    await world?.close();
    await rm(directory, { recursive: true, force: true });
  });

  const words = [
    { text: 'One', start: 1.1, end: 1.4 },
    { text: 'two', start: 1.5, end: 1.9 },
  ];
  const media = { duration: 4, width: 320, height: 180, frameRate: 25, hasAudio: true };
  const analysis = quietAnalysis(4, {
    media: { ...media, videoCodec: 'h264', audioCodec: 'aac' },
    transcript: {
      language: 'en',
      words,
      sentences: [{ text: 'One two', start: 1.1, end: 1.9, firstWord: 0, lastWord: 1 }],
    },
  });
  const inputs = makeClipInputs(
    analysis,
    { start: 1, end: 3, title: 'Numbers' },
    { editing: editingWith('captions', 'intro_title'), dimensions: { width: 108, height: 192 } },
  );
  const edit = makeEdit(inputs);
  const addClip = async (): Promise<string> => {
    const copy = join(directory, 'copy.mp4');
    await copyFile(footage, copy);
    const task = await world.addTask([edit], copy);
    const { id } = task.projects[0]!;
    await world.service.db
      .updateTable('edits')
      .set({ inputs: JSON.stringify(inputs) })
      .where('project_id', '=', id)
      .execute();
    return id;
  };
  const userId = () => world.user.id;
  const read = async (id: string): Promise<EditedClip> =>
    (await findEdit(world.service.db, userId(), id))!;
  const change = (id: string, changes: EditChanges, expected: number | null = null) =>
    changeEdit(
      world.service.db,
      world.service.queue,
      { userId: userId(), id, expected, quietSeconds: world.service.editQuietSeconds },
      async (clip) => {
        const inputs = makeEditInputs(clip);
        const changed = applyChanges(inputs, changes, {
          presets: new Map(),
          analysis: clip.analysis,
        });
        assert.ok('edit' in changed, JSON.stringify(changed));
        return { inputs, changes, edit: changed.edit, work: 1 };
      },
    );
  const jobs = async (id: string) =>
    (
      await sql<{ state: string; start_after: Date }>`
        select state, start_after from pgboss.job
          where name = 'preview' and id = ${id}::uuid`.execute(world.service.db)
    ).rows;
  /** The time of the last change has passed. */
  const wait = (id: string) =>
    world.service.db
      .updateTable('projects')
      .set({ preview_due_at: new Date(0) })
      .where('id', '=', id)
      .execute();
  const preview = (id: string) => makeRowJob(world.service, previewRows, makePreview)(id, signal());
  const taskStatus = async (id: string): Promise<string> =>
    (
      await world.service.db
        .selectFrom('tasks')
        .innerJoin('projects', 'projects.task_id', 'tasks.id')
        .select('tasks.status')
        .where('projects.id', '=', id)
        .executeTakeFirstOrThrow()
    ).status;

  it('has one job for its preview, which begins three seconds after the last change', async () => {
    const id = await addClip();
    await preview(id);
    assert.equal(await taskStatus(id), 'ready');
    for (const title of ['A', 'B']) {
      const from = Date.now();
      await change(id, { title });
      const to = Date.now();
      const [job, ...others] = await jobs(id);
      assert.equal(others.length, 0);
      const begins = Number(job!.start_after) - 3000;
      assert.ok(begins >= from && begins <= to, `${title}: ${begins - from} ms`);
      await sql`update pgboss.job set start_after = now() where id = ${id}::uuid`.execute(
        world.service.db,
      );
    }
    await assert.rejects(preview(id), /put back/, 'too early');
    const waiting = await read(id);
    assert.deepEqual([waiting.status, waiting.stage], ['processing', 'queued']);
    await wait(id);
    await preview(id);
    assert.equal((await read(id)).preview, 'ready');
  });

  it('publishes no preview of an earlier revision, and its job goes on with the newer one', async () => {
    const id = await addClip();
    await preview(id);
    await change(id, { title: 'A' });
    await wait(id);
    const { preview_key: before } = await read(id);
    let isChanged = false;
    const work: typeof makePreview = async (service, begun, progress, stop) => {
      if (!isChanged) await change(id, { title: 'B' });
      isChanged = true;
      return makePreview(service, begun, progress, stop);
    };
    await assert.rejects(makeRowJob(world.service, previewRows, work)(id, signal()), AttemptLost);
    const waiting = await read(id);
    assert.deepEqual(
      [
        waiting.preview_key,
        waiting.preview,
        waiting.stage,
        waiting.attempts - waiting.uncounted_attempts,
      ],
      [before, 'preparing', 'queued', 0],
    );
    await wait(id);
    await preview(id);
    const done = await read(id);
    assert.equal(done.preview, 'ready');
    assert.notEqual(done.preview_key, before);
    const files = await world.service.storage.list(`previews/${id}`);
    assert.ok(files.includes(done.preview_key!));
  });

  it('keeps its preview and its task if the next preview fails', async () => {
    const id = await addClip();
    await preview(id);
    const { preview_key: before } = await read(id);
    await change(id, { title: 'A' });
    await wait(id);
    const begun = await beginAttempt(world.service.db, 'preview', id);
    await previewRows.fail(world.service, begun!.attempt, {
      code: 'render-failed',
      message: 'It failed.',
    });
    const clip = await read(id);
    assert.deepEqual([clip.preview, clip.preview_key], ['failed', before]);
    assert.equal(await taskStatus(id), 'ready');
  });

  it('gets a new job for its preview if that was lost', async () => {
    const id = await addClip();
    await preview(id);
    await change(id, { title: 'A' });
    await sql`delete from pgboss.job where id = ${id}::uuid`.execute(world.service.db);
    await reconcile(world.service);
    assert.equal((await jobs(id)).length, 1);
  });

  it('is exported as it was at the start, also by a job that runs after a restart', async () => {
    for (const seen of [true, false]) {
      const id = await addClip();
      if (seen) await preview(id);
      const clip = (await findClip(world.service.db, userId(), id))!;
      const { id: started } = await startExport(world.service, world.user, clip, {
        signal: signal(),
      });
      await change(id, { dimensions: { width: 64, height: 64 }, end: 2 });
      // A process that died: its job comes again.
      await world.begin('export', started);
      await makeRowJob(world.service, exportRows, exportClip)(started, signal());
      const row = await world.exportRow(started);
      assert.deepEqual([row.status, row.revision], ['ready', 1]);
      const file = await world.service.storage.openLocal(row.file_key!, signal());
      const { width, height, seconds } = await probe(file.path);
      assert.deepEqual([width, height], [108, 192]);
      assert.ok(Math.abs(seconds - 2) < 0.1, String(seconds));
    }
  });

  it('has the cover that a person chose as its poster, beside its export and in it', async () => {
    const id = await addClip();
    await preview(id);
    const storedFile = async (key: string) =>
      (await world.service.storage.openLocal(key, signal())).path;
    const before = await readFile(await storedFile((await read(id)).poster_key!));
    const changed = await change(id, { title: 'Bees', cover: { time: 2.5, title: true } });
    assert.deepEqual(changed!.edit.cover, { time: 1.48, title: 'Bees' });
    await wait(id);
    await preview(id);
    const poster = await readFile(await storedFile((await read(id)).poster_key!));
    assert.ok(!poster.equals(before));

    const clip = (await findClip(world.service.db, userId(), id))!;
    const started = await startExport(world.service, world.user, clip, { signal: signal() });
    await makeRowJob(world.service, exportRows, exportClip)(started.id, signal());
    const row = await world.exportRow(started.id);
    const [file, cover] = [await storedFile(row.file_key!), await storedFile(row.cover_key!)];
    const { streams } = await describeFile(file);
    assert.deepEqual(
      streams.map(({ codec_name, disposition }) => [codec_name, disposition?.attached_pic]),
      [
        ['h264', 0],
        ['aac', 0],
        ['mjpeg', 1],
      ],
    );
    const attached = join(directory, 'attached.jpg');
    await ffmpeg(['-i', file, '-map', '0:v:1', '-c', 'copy', '-f', 'image2', attached]);
    const picture = await readFile(cover);
    assert.ok((await readFile(attached)).equals(picture), 'the same picture');
    const { width, height } = (await describeFile(cover)).streams[0]!;
    assert.deepEqual({ width, height }, clip.edit.dimensions);
    const shown = exportObject(row, { file: (key) => `https://clips.example/${key}` });
    assert.equal(shown.cover_url, `https://clips.example/${row.cover_key}`);
    assert.equal(exportSchema.parse(shown).cover_url, shown.cover_url);
    const kept = await findNeededFiles(world.service.db, 'exports', [row.id]);
    assert.deepEqual([...kept.get(row.id)!], [row.file_key, row.cover_key]);

    await change(id, {});
    assert.equal((await read(id)).edit.cover, undefined);
  });

  it('gives a start without an id no export of another revision', async () => {
    const id = await addClip();
    const start = async () => {
      const clip = (await findClip(world.service.db, userId(), id))!;
      return startExport(world.service, world.user, clip, { reuse: true, signal: signal() });
    };
    const first = await start();
    assert.equal((await start()).id, first.id);
    await change(id, { title: 'A' });
    const second = await start();
    assert.notEqual(second.id, first.id);
    assert.equal(second.revision, 2);
  });

  it('has other words, a title and another length, and again what it had', async () => {
    const id = await addClip();
    assert.deepEqual((await read(id)).edit, edit);
    const corrected = await change(id, { words: { 1: 'zwei' }, title: 'Zahlen' });
    const said = corrected!.edit.captions.flatMap((line) => line.words.map(({ text }) => text));
    assert.deepEqual([said, corrected!.edit.title?.text], [['One', 'zwei'], 'Zahlen']);
    assert.deepEqual(corrected!.edit.ranges, edit.ranges);
    const untitled = await change(id, { editing_options: { intro_title: false } });
    assert.equal(untitled!.edit.title, null);
    const cut = await change(id, { removed: [{ start: 1, end: 1.8 }] });
    assert.ok(Math.abs(cut!.edit.duration - 1.2) < 0.05);
    const back = await change(id, {});
    assert.deepEqual(back!.edit.ranges, edit.ranges);
    const [line] = back!.edit.captions;
    assert.deepEqual(
      line!.words.map(({ text, start }) => [text, Math.round(start * 100) / 100]),
      [
        ['One', 0.1],
        ['two', 0.5],
      ],
    );
  });

  it('keeps fifty revisions', async () => {
    const id = await addClip();
    for (let round = 0; round < 55; round += 1) await change(id, { title: String(round) });
    const kept = (await readRevisions(world.service.db, id)).map(({ revision }) => revision);
    assert.deepEqual([kept.length, kept[0], kept.at(-1)], [49, 55, 7]);
    assert.equal((await read(id)).revision, 56);
  });
});
