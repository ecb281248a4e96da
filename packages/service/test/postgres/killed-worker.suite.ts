import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { mediaServer } from 'clip-testkit/media-server';
import { until, WorkerPair } from '../support/worker-pair.ts';

// Two processes on one database. Nothing here hurries the queue: the times are those of operation.
describe('workers on one Postgres server', () => {
  let pair: WorkerPair;
  let sources: Awaited<ReturnType<typeof mediaServer>>;
  before(async () => {
    pair = await WorkerPair.open();
    const footage = (name: string) => readFile(join(pair.directory, 'footage', name));
    sources = await mediaServer({
      '/scene.mp4': await footage('scene.mp4'),
    });
  });
  afterEach(() => pair.endAll());
  after(async () => {
    await pair?.close();
    await sources?.close();
  });

  const encode = '-b:a 160k';
  type Worker = Awaited<ReturnType<WorkerPair['start']>>;
  const create = async ({ call }: Worker, path: string, body: unknown = {}) => {
    const answer = await call('POST', path, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body;
  };
  it('take over the job of one that was killed within a minute', async () => {
    const [first, second] = [await pair.start(), await pair.start()];
    const body = { editing_options: {}, dimensions: { width: 108, height: 192 } };
    const source_video_url = sources.url('/scene.mp4');
    const task = await create(first, '/tasks/video-to-video', { ...body, source_video_url });
    await pair.ready(first, `/tasks/${task.id}`);
    for (const { programs } of [first, second]) await programs.pause('encode', encode);
    const { id } = await create(first, `/projects/${task.output_id}/exports`);
    const owner = await until(async () => {
      for (const worker of [first, second]) {
        if (await worker.programs.isReached('encode')) return worker;
      }
      return null;
    });
    const other = owner === first ? second : first;
    await owner.service.end('SIGKILL');
    const killed = performance.now();
    await until(async () => (await pair.row('export', id)).attempts === 2);
    const seconds = (performance.now() - killed) / 1000;
    assert.ok(seconds < 60, `${seconds} s`);
    await other.programs.release();
    await other.programs.resume('encode');
    const path = `/projects/${task.output_id}/exports/${id}`;
    assert.equal((await pair.ready(other, path)).status, 'ready');
  });
});
