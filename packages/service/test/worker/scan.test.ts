import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { Transcriber } from 'clip-engine';
import { videoToShortsRequestSchema } from 'clip-kit/contract';
import { sql } from 'kysely';
import type { Transcription } from '../../../engine/src/transcribers/transcriber.ts';
import { keptResult } from 'clip-testkit/kept-result';
import { type ProjectRow } from '../../src/db/schema.ts';
import { settlePreview, writePreviewProgress } from '../../src/clips/preview-queries.ts';
import { makeRowJob } from '../../src/worker/run-job.ts';
import { reconcile } from '../../src/queue/attempt-queries.ts';
import { scanRows, scanSource } from '../../src/worker/scan.ts';
import { askForWords } from '../../src/tasks/words-queries.ts';
import { JobWorld } from '../support/job-world.ts';
import { eventually } from 'clip-testkit/world';

const seconds = 960;

/** A source of 16 minutes, with a picture each second and a pause every four. */
async function longSource(): Promise<string> {
  const made = await keptResult(
    'long-source',
    ['packages/service/test/worker/scan.test.ts'],
    async (directory) => {
      // prettier-ignore
      await promisify(execFile)('ffmpeg', [
        '-v', 'error', '-y', '-f', 'lavfi', '-i', `testsrc2=s=96x54:r=2:d=${seconds}`,
        '-f', 'lavfi', '-i', `sine=frequency=330:sample_rate=16000:d=${seconds}`,
        '-af', "volume='if(lt(mod(t,4),3.4),0.5,0)':eval=frame", '-c:a', 'aac', '-b:a', '16k',
        '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '20',
        join(directory, 'long.mp4'),
      ]);
    },
  );
  return join(made, 'long.mp4');
}

/** What is said up to a time: a sentence every four seconds. */
const wordsUntil = (end: number): Transcription => ({
  language: 'en',
  cues: Array.from({ length: Math.floor(end / 4) }, (_, at) => {
    const words = `Why do ${at} people never finish a race?`.split(' ').map((text, index) => ({
      ...{ text, start: at * 4 + 0.1 + index * 0.4 },
      end: at * 4 + 0.4 + index * 0.4,
    }));
    const text = words.map((word) => word.text).join(' ');
    return { text, start: at * 4 + 0.1, end: at * 4 + 3.3, words, timed: true };
  }),
});

describe('the scan of a source whose words are recognised', () => {
  let world: JobWorld;
  let source: string;
  /** What the recogniser does. */
  let recognise: Transcriber['transcribe'];
  before(async () => {
    source = await longSource();
    world = await JobWorld.open();
    const transcriber: Transcriber = { name: 'held', transcribe: (job) => recognise(job) };
    Object.assign(world.service, { transcribers: [transcriber] });
  });
  after(() => world.close());

  async function addTask(count: number): Promise<string> {
    const { db } = world.service;
    const file = join(world.directory, 'long.mp4');
    await copyFile(source, file);
    const task = await world.addTask([], file);
    const source_video_url = 'https://site.example/long.mp4';
    const dimensions = { width: 96, height: 54 };
    const body = { source_video_url, dimensions, target_clip_count: count, min_clip_count: count };
    const request = { type: 'video-to-shorts', ...videoToShortsRequestSchema.parse(body) };
    await db
      .updateTable('tasks')
      .set({
        request: JSON.stringify(request),
        output_type: 'folder',
        source: JSON.stringify({
          ...task.source,
          media: { ...task.source.media, duration: seconds, width: 96, height: 54, frameRate: 2 },
        }),
      })
      .where('id', '=', task.id)
      .execute();
    const { output_id: id } = await row(task.id);
    const folder = { id, author_id: world.user.id, task_id: task.id, name: 'Long' };
    await db.insertInto('folders').values(folder).execute();
    return task.id;
  }
  const row = (id: string) =>
    world.service.db.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const clipsOf = (id: string): Promise<ProjectRow[]> =>
    world.service.db
      .selectFrom('projects')
      .selectAll()
      .where('task_id', '=', id)
      .orderBy('position')
      .execute();
  const scan = (id: string, signal = world.service.closing): Promise<void> =>
    makeRowJob(world.service, scanRows, scanSource)(id, signal);
  const endOf = ({ edit }: ProjectRow) => edit.ranges.at(-1)!.end;
  const startOf = ({ edit }: ProjectRow) => edit.ranges[0]!.start;
  const assertApart = (clips: readonly ProjectRow[]): void => {
    const sorted = clips.toSorted((a, b) => startOf(a) - startOf(b));
    sorted.slice(1).forEach((clip, at) => assert.ok(startOf(clip) >= endOf(sorted[at]!)));
  };
  /** Tells the words of the first ten minutes until the clips of these are there. */
  const untilFirst = async (id: string, onWords: (words: Transcription, until: number) => void) =>
    eventually(async () => {
      onWords(wordsUntil(620), 620);
      assert.ok((await clipsOf(id)).length > 0);
    });

  it('makes the first clips before the last words are known, and then the others', async (t) => {
    const id = await addTask(4);
    const rest = Promise.withResolvers<void>();
    t.after(() => rest.resolve());
    recognise = async ({ onWords }) => {
      onWords!(wordsUntil(300), 300);
      await untilFirst(id, onWords!);
      await rest.promise;
      return wordsUntil(seconds);
    };
    const scanned = scan(id);
    await eventually(async () => assert.equal((await clipsOf(id)).length, 2));
    const first = await clipsOf(id);
    assert.ok(first.every((clip) => endOf(clip) <= 620 && clip.poster_key !== null));
    for (const clip of first) {
      assert.ok(await world.service.queue.isAlive('preview', clip.id));
      // A preview that is made meanwhile does not end the task.
      const made = { preview_key: 'a', poster_key: clip.poster_key!, storyboard: '{}' };
      const attempt = await world.begin('preview', clip.id);
      const failure = { code: 'none', message: '' };
      await writePreviewProgress(world.service.db, attempt, { stage: 'preview', share: 0.9 });
      await settlePreview(world.service.db, attempt, { preview: 'ready', ...made }, failure);
    }
    const { status, stage, share } = await row(id);
    assert.deepEqual([status, stage, share < 0.5], ['processing', 'transcript', true]);
    rest.resolve();
    await scanned;
    const all = await clipsOf(id);
    assert.equal(all.length, 4);
    assert.ok(first.every((one) => all.some((clip) => clip.id === one.id)));
    assertApart(all);
    const scores = all.map(({ virality_score }) => virality_score!);
    assert.deepEqual(
      scores,
      scores.toSorted((a, b) => b - a),
    );
    assert.deepEqual((await row(id)).notes, []);
  });

  it('makes them once, also if the service is stopped before the end', async () => {
    const id = await addTask(4);
    const stop = new AbortController();
    recognise = async ({ onWords, signal }) => {
      await untilFirst(id, onWords!);
      stop.abort(new Error('stopped'));
      signal.throwIfAborted();
      return null;
    };
    await assert.rejects(scan(id, stop.signal));
    const first = await clipsOf(id);
    assert.equal(first.length, 2);
    recognise = async ({ onWords }) => {
      onWords!(wordsUntil(620), 620);
      return wordsUntil(seconds);
    };
    await scan(id);
    const all = await clipsOf(id);
    assert.equal(all.length, 4);
    assert.ok(first.every((one) => all.some((clip) => clip.id === one.id)));
    assertApart(all);
  });

  it('fails with its first clips', async () => {
    const id = await addTask(4);
    recognise = async ({ onWords }) => {
      await untilFirst(id, onWords!);
      await world.service.db
        .updateTable('tasks')
        .set({ attempts: 9 })
        .where('id', '=', id)
        .execute();
      return wordsUntil(seconds);
    };
    // Another attempt has the task, and finds that there were too many.
    await scan(id);
    await scan(id);
    const { status, source } = await row(id);
    assert.deepEqual([status, source, await clipsOf(id)], ['error', null, []]);
  });

  it('of a task that gets other words goes on after a crash, and counts nothing again', async () => {
    const { db, queue } = world.service;
    const id = await addTask(3);
    recognise = async () => null;
    await scan(id);
    const before = await clipsOf(id);
    assert.equal(before.length, 3);
    await db.updateTable('projects').set({ preview: 'ready' }).where('task_id', '=', id).execute();
    await db.updateTable('tasks').set({ status: 'ready' }).where('id', '=', id).execute();
    const [edited, watched] = before;
    await db
      .updateTable('projects')
      .set({ edited_at: new Date() })
      .where('id', '=', edited!.id)
      .execute();
    await sql`insert into clip_views (project_id, views) values (${watched!.id}, 1)`.execute(db);
    // Its day is over.
    await sql`delete from source_uses where task_id = ${id}`.execute(db);
    const task = { id, author_id: world.user.id };
    await askForWords(db, queue, task, {}, [], async () => {});
    const stop = new AbortController();
    recognise = async ({ signal }) => {
      stop.abort(new Error('stopped'));
      signal.throwIfAborted();
      return null;
    };
    await assert.rejects(scan(id, stop.signal));
    assert.deepEqual(
      (await clipsOf(id)).map((clip) => clip.id),
      before.map((clip) => clip.id),
    );
    recognise = async () => wordsUntil(seconds);
    await sql`delete from pgboss.job where id = ${id}`.execute(db);
    await reconcile(world.service);
    assert.ok(await queue.isAlive('scan', id), 'its job is made again');
    await scan(id);
    const after = await clipsOf(id);
    assert.equal(after.length, 3);
    assertApart(after);
    const kept = after.filter((clip) => before.some((one) => one.id === clip.id));
    assert.deepEqual(new Set(kept.map((clip) => clip.id)), new Set([edited!.id, watched!.id]));
    const { words, scanned, status } = await row(id);
    assert.deepEqual([words, scanned, status], [null, true, 'processing']);
    const { rows } = await sql`select from source_uses where task_id = ${id}`.execute(db);
    assert.equal(rows.length, 0);
  });
});
