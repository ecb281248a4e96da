import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { exportSchema } from 'clip-kit/contract';
import { eventually, World } from 'clip-testkit/world';

describe('what an operator asks', () => {
  let world: World;
  before(async () => {
    world = await World.start({ metricsPort: 0 });
  });
  after(() => world.close());

  const ask = async (path: string, port = world.service.port) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: response.status, text: await response.text() };
  };
  const metric = async (name: string, path = '/metrics'): Promise<number> => {
    const { text } = await ask(path, world.service.metricsPort!);
    const line = text.split('\n').find((one) => one.startsWith(`${name} `));
    assert.ok(line, `${name} in:\n${text}`);
    return Number(line.slice(name.length + 1));
  };

  it('is on the port of the metrics only, and that on this machine only', async () => {
    const [own] = Object.values(networkInterfaces())
      .flat()
      .filter((one) => one?.family === 'IPv4' && !one.internal);
    // Any other address of this machine, of its network or of the loopback range.
    for (const host of ['127.0.0.2', ...(own ? [own.address] : [])]) {
      await assert.rejects(fetch(`http://${host}:${world.service.metricsPort}/livez`));
      assert.equal((await fetch(`http://${host}:${world.service.port}/livez`)).status, 200);
    }
    assert.equal((await ask('/metrics')).status, 404);
    for (const path of ['/livez', '/readyz']) {
      assert.equal((await ask(path)).status, 200);
      assert.equal((await ask(path, world.service.metricsPort!)).status, 200);
    }
  });

  it('tells of requests by their route, and of work by its stages', async () => {
    const clip = await world.makeWhole();
    const started = await world.post(`/projects/${clip.id}/exports`);
    await world.finishExport(exportSchema.parse(started.body));
    await world.get('/nothing/here/at/all');
    const count = (labels: string) => metric(`clip_http_request_seconds_count{${labels}}`);
    assert.equal(
      await count(
        'method="POST",route="/v2/projects/:project_id/exports",status="201",held="false"',
      ),
      1,
    );
    assert.ok(
      (await count('method="GET",route="/v2/tasks/:task_id",status="200",held="true"')) > 0,
    );
    assert.ok((await count('method="GET",route="none",status="404",held="false"')) > 0);
    // The row is ready a little before its job has ended.
    await eventually(async () =>
      assert.equal(await metric('clip_job_seconds_count{kind="export"}'), 1),
    );
    assert.equal(await metric('clip_stage_seconds_count{kind="preview",stage="preview"}'), 1);
    assert.equal(await metric('clip_render_realtime_ratio_count{quality="export"}'), 1);
    assert.ok((await metric('clip_slots{kind="export"}')) > 0);
    assert.equal(await metric('clip_slots_in_use{kind="export"}'), 0);
    assert.ok((await metric('nodejs_eventloop_lag_p99_seconds')) >= 0);
  });

  it('tells of the whole installation at an address of its own', async () => {
    const valueOf = (name: string) => metric(name, '/metrics/installation');
    assert.equal(await valueOf('clip_database_up'), 1, 'at the first time, too');
    assert.equal(await valueOf('clip_queue_jobs{kind="export",state="waiting"}'), 0);
    assert.equal(await valueOf('clip_deliveries_waiting'), 0);
    assert.equal(await valueOf('clip_files_to_remove'), 0);
    await world.makeWhole();
    // A scrape does not wait for the files to be measured.
    await eventually(async () =>
      assert.ok((await valueOf('clip_storage_bytes{kind="previews"}')) > 1000),
    );
    const { text } = await ask('/metrics', world.service.metricsPort!);
    assert.doesNotMatch(text, /clip_(?:queue|storage|deliveries_waiting|files)/, 'once for all');
  });

  it('is told when the storage has gone', async () => {
    const store = join(world.directory, 'data', 'files', 'store');
    await rename(store, `${store}-away`);
    const { status, text } = await ask('/readyz');
    await rename(`${store}-away`, store);
    assert.equal(status, 503);
    assert.equal(JSON.parse(text).reason, 'storage-unavailable');
    assert.equal((await ask('/readyz')).status, 200);
  });

  it('finds in the log who asked for what, and all work that came of it', async () => {
    const as = await world.user();
    const headers = { 'X-Request-Id': 'of-a-task' };
    const { body: task } = await world.post('/tasks/video-to-shorts', world.shorts(), {
      as,
      headers,
    });
    await world.finishTask(task.id, as);
    await eventually(() => {
      const lines = world.log.filter(({ request }) => request === 'of-a-task');
      const events = new Set(lines.map(({ event }) => event));
      for (const event of ['request', 'task-scanned', 'preview-ready', 'task-ready']) {
        assert.ok(events.has(event), event);
      }
      assert.deepEqual(new Set(lines.map(({ user }) => user)), new Set([as]));
      assert.equal(new Set(lines.map(({ organization }) => organization)).size, 1);
      for (const { event, id, job } of lines) {
        if (event === 'preview-ready' || event === 'task-scanned') assert.equal(job, id);
      }
    });
  });

  it('finds a request in the log by its id', async () => {
    const headers = { 'X-Request-Id': 'from-the-proxy:1' };
    const given = await world.get('/exports', { headers });
    assert.equal(given.headers.get('x-request-id'), 'from-the-proxy:1');
    const own = await world.get('/exports', {
      headers: { 'X-Request-Id': 'not fit; for a "log"' },
    });
    const id = own.headers.get('x-request-id') ?? '';
    assert.match(id, /^[0-9a-f-]{36}$/);
    for (const wanted of ['from-the-proxy:1', id]) {
      assert.equal(world.log.filter(({ request }) => request === wanted).length, 1);
    }
  });
});
