import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { mediaServer } from 'clip-testkit/media-server';
import { eventually } from 'clip-testkit/world';
import { until, WorkerPair } from '../support/worker-pair.ts';

const hasty = fileURLToPath(new URL('../support/hasty-service.ts', import.meta.url));
const encode = '-b:a 160k';

// Two processes, one database, one data directory. The first is stopped (SIGSTOP) in the middle of
// a job, the second takes the job over, and the first wakes up (SIGCONT).
describe('a worker that was stopped and wakes up', () => {
  let pair: WorkerPair;
  let sources: Awaited<ReturnType<typeof mediaServer>>;
  /** How many times `/slow.mp4` is asked for without an answer. */
  let stalls = 0;
  const stalled: (() => void)[] = [];
  let project: string;

  const taskOf = (name: string) => ({
    source_video_url: sources.url(name),
    editing_options: {},
    dimensions: { width: 108, height: 192 },
  });
  type Worker = Awaited<ReturnType<WorkerPair['start']>>;
  const create = async (
    { call }: Worker,
    path: string,
    body: unknown = {},
  ): Promise<{ id: string; output_id: string }> => {
    const answer = await call('POST', path, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body;
  };
  const exportOf = async (worker: Worker): Promise<string> =>
    (await create(worker, `/projects/${project}/exports`)).id;

  /** A worker that ends removes files after it has said so. */
  const assertKept = (path: string, expected: string[]): Promise<void> =>
    eventually(async () =>
      assert.deepEqual((await pair.kept(path)).toSorted(), expected.toSorted()),
    );
  /** The export is ready, can be downloaded from everyone, and is all that is left. */
  const assertFinished = async (id: string, workers: Worker[], attempts = 2): Promise<void> => {
    const row = await pair.row('export', id);
    assert.equal(row.status, 'ready');
    assert.equal(row.attempts, attempts);
    await assertKept(`files/exports/${id}`, [`files/${row.file_key}`]);
    for (const { call } of workers) {
      const file = await call('GET', `/projects/${project}/download?export_id=${id}`);
      assert.equal(file.status, 200, JSON.stringify(file.body));
      assert.ok(file.body > 1000);
    }
    await assertKept('work', []);
  };
  const assertShown = async ({ service }: Worker, id: string): Promise<void> => {
    const shown = await (await fetch(`${service.url}/player/${id}/state`)).json();
    assert.equal(shown.state, 'ready');
    const files = [shown.video, shown.poster, shown.storyboard.url];
    for (const path of files) {
      assert.equal((await fetch(`${service.url}/${path}`)).status, 200, path);
    }
    await assertKept(`files/previews/${id}`, files);
    await assertKept('work', []);
  };

  before(async () => {
    pair = await WorkerPair.open();
    const scene = await readFile(join(pair.directory, 'footage', 'scene.mp4'));
    sources = await mediaServer({
      '/scene.mp4': scene,
      '/slow.mp4': (request, response) => {
        if (stalls-- > 0) stalled.push(() => request.socket.destroy());
        else response.writeHead(200, { 'content-length': scene.length }).end(scene);
      },
    });
    const worker = await pair.start();
    const task = await create(worker, '/tasks/video-to-video', taskOf('/scene.mp4'));
    await pair.ready(worker, `/tasks/${task.id}`);
    project = task.output_id;
    await pair.endAll();
  });
  afterEach(() => pair.endAll());
  after(async () => {
    await pair?.close();
    await sources?.close();
  });

  it('with a file that it has not published yet leaves the finished export alone', async () => {
    const first = await pair.start();
    await first.programs.pause('encode', encode);
    const id = await exportOf(first);
    await first.programs.reached('encode');
    // Its last word of progress waits for the row, so that it stands between the render and the
    // file's place.
    const unlock = await pair.lock('export', id);
    await first.programs.resume('encode');
    await until(async () => (await pair.kept('work')).some((file) => file.endsWith('/clip.mp4')));
    await pair.stop(first);
    await unlock();
    const second = await pair.start();
    await pair.takeOver('export', id);
    await pair.ready(second, `/projects/${project}/exports/${id}`);
    const { event } = await pair.wake(first, 'export', id);
    await assertFinished(id, [first, second]);
    assert.equal(event, 'export-superseded');
  });

  it('in the middle of the note of its file has made it: no row waits for the worker', async () => {
    // The note waits for a lock of the test's. It is one statement, without a transaction.
    await pair.sql.query(`
      create function wait() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock_shared(24); return new; end';
      create trigger wait before update on exports for each row
        when (new.status = 'ready' and new.attempts = 1) execute function wait();
      select pg_advisory_lock(24)`);
    const waiting = async (state: string) => {
      const { rows } = await pair.sql.query(
        `select 1 from pg_stat_activity where datname = current_database() and ${state}`,
      );
      return rows.length > 0;
    };
    const first = await pair.start();
    const id = await exportOf(first);
    await until(() => waiting(`wait_event = 'advisory'`));
    await pair.stop(first);
    await pair.sql.query('select pg_advisory_unlock(24)');
    const second = await pair.start();
    await pair.ready(second, `/projects/${project}/exports/${id}`);
    await pair.wake(first, 'export', id);
    await pair.sql.query('drop function wait cascade');
    await assertFinished(id, [first, second], 1);
  });

  it('while the second renders a preview leaves the render alone', async () => {
    const first = await pair.start();
    await first.programs.pause('preview', '-b:a 96k');
    const task = await create(first, '/tasks/video-to-video', taskOf('/scene.mp4'));
    await first.programs.reached('preview');
    await pair.stop(first);
    const second = await pair.start();
    await second.programs.pause('preview', '-b:a 96k');
    await pair.takeOver('preview', task.output_id);
    await second.programs.reached('preview');
    await first.programs.resume('preview', 'fill');
    await pair.wake(first, 'preview', task.output_id);
    assert.equal((await pair.row('scan', task.id)).status, 'processing');
    await second.programs.resume('preview');
    await pair.ready(second, `/tasks/${task.id}`);
    await assertShown(second, task.output_id);
  });

  it('and cannot fetch the source leaves the source of the finished task alone', async () => {
    const first = await pair.start(hasty);
    // The creating call no longer waits, and the download stands still.
    stalls = 1;
    const task = await create(first, '/tasks/video-to-video', taskOf('/slow.mp4'));
    await until(() => stalled.length === 1);
    await pair.stop(first);
    const second = await pair.start(hasty);
    await pair.takeOver('ingest', task.id);
    await pair.ready(second, `/tasks/${task.id}`);
    for (const cut of stalled.splice(0)) cut();
    await pair.wake(first, 'ingest', task.id);
    const { source } = await pair.row('scan', task.id);
    assert.ok((await pair.kept(`files/sources/${task.id}`)).includes(`files/${source.key}`));
    await assertShown(second, task.output_id);
  });
});
