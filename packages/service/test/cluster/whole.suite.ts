import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { exportSchema, taskSchema, type Export, type Task } from 'clip-kit/contract';
import { launchBrowser, openPage, playUntilFramesAdvance } from 'clip-testkit/browser';
import { Cluster, type Member } from '../support/cluster.ts';
import { finished } from 'clip-testkit/settled';
import { eventually } from 'clip-testkit/world';

const run = promisify(execFile);

const tasksWanted = 5;
const exportsWanted = 20;

describe('a cluster of two API processes and three workers', () => {
  let cluster: Cluster;
  before(async () => {
    cluster = await Cluster.start({ apis: 2, workers: 3 });
  });
  after(() => cluster?.close());

  const settledTask = (id: string): Promise<Task> =>
    finished(`/tasks/${id}`, async () =>
      taskSchema.parse((await cluster.call('GET', `/tasks/${id}`, held)).body),
    );
  const settledExport = (started: Export): Promise<Export> => {
    const path = `/projects/${started.project_id}/exports/${started.id}`;
    return finished(path, async () =>
      exportSchema.parse((await cluster.call('GET', path, held)).body),
    );
  };
  const held = { headers: { Prefer: 'wait=25' } };
  const events = (members: readonly Member[], event: string, id?: unknown): number =>
    members
      .flatMap((member) => member.log())
      .filter((entry) => entry.event === event && (id === undefined || entry['id'] === id)).length;

  it('makes clips of five sources, renders twenty exports once each, and all of them play', async () => {
    const body = {
      source_video_url: cluster.sources.at('talk.mp4'),
      target_clip_count: 2,
      min_duration: 3,
      max_duration: 5,
      target_duration: 4,
      dimensions: { width: 96, height: 54 },
    };
    const created = await Promise.all(
      Array.from({ length: tasksWanted }, () =>
        cluster.call('POST', '/tasks/video-to-shorts', { body }),
      ),
    );
    for (const answer of created) assert.equal(answer.status, 201, JSON.stringify(answer.body));
    const tasks = await Promise.all(created.map(({ body: task }) => settledTask(task.id)));
    for (const task of tasks) assert.equal(task.status, 'ready', JSON.stringify(task.failure));
    const clips: string[] = [];
    for (const { output_id: folder } of tasks) {
      const list = await cluster.call('GET', `/projects/${folder}`);
      clips.push(...list.body.map(({ id }: { id: string }) => id));
    }
    assert.equal(clips.length, 2 * tasksWanted);

    const started = await Promise.all(
      Array.from({ length: exportsWanted }, (_, index) =>
        cluster.call('POST', `/projects/${clips[index % clips.length]}/exports`, { body: {} }),
      ),
    );
    for (const answer of started) assert.equal(answer.status, 201, JSON.stringify(answer.body));
    const done = await Promise.all(
      started.map(({ body: one }) => settledExport(exportSchema.parse(one))),
    );
    for (const { id, status, failure, src_url: url } of done) {
      assert.equal(status, 'ready', JSON.stringify(failure));
      assert.ok(url);
      assert.ok(url.startsWith(`${cluster.url}/files/exports/`));
      // Every frame is decoded; an error of any ends it.
      await run('ffmpeg', ['-nostdin', '-v', 'error', '-xerror', '-i', url, '-f', 'null', '-']);
      // Lines are written together, a moment later.
      await eventually(() => assert.equal(events(cluster.workers, 'export-ready', id), 1));
    }
    assert.equal(new Set(done.map(({ src_url: url }) => url)).size, exportsWanted);
    assert.equal(events(cluster.apis, 'export-ready'), 0);
    const busy = cluster.workers.filter((worker) => events([worker], 'export-ready') > 0);
    assert.ok(busy.length > 1, 'the work is shared');
    await eventually(() => {
      for (const api of cluster.apis) assert.ok(events([api], 'request') > 0, 'both are asked');
    });
    for (const member of [...cluster.apis, ...cluster.workers]) {
      const errors = member.log().filter(({ event }) => event.endsWith('-error'));
      assert.deepEqual(errors, [], String(member.environment['ROLE']));
    }
  });

  it('shows a clip on its page, through the proxy', async () => {
    const body = {
      source_video_url: cluster.sources.at('scene.mp4'),
      editing_options: {},
      dimensions: { width: 96, height: 54 },
    };
    const created = await cluster.call('POST', '/tasks/video-to-video', { body });
    const task = await settledTask(created.body.id);
    assert.equal(task.status, 'ready', JSON.stringify(task.failure));
    const browser = await launchBrowser();
    try {
      const { page, problems } = await openPage(browser);
      await page.goto(`${cluster.url}/player/${task.output_id}`);
      await playUntilFramesAdvance(page);
      assert.deepEqual(problems, []);
    } finally {
      await browser.close();
    }
  });

  it('puts jobs back while the storage is away, and goes on when it is there again', async () => {
    const made = await cluster.call('GET', '/exports');
    const { project_id: clip, src_url: url } = made.body[0];
    await cluster.swift.stop();
    const started = await cluster.call('POST', `/projects/${clip}/exports`, { body: {} });
    assert.equal(started.status, 201, JSON.stringify(started.body));
    const answer = await fetch(url);
    assert.equal(answer.status, 503);
    assert.equal((await answer.json()).reason, 'storage-unavailable');
    assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/);
    await cluster.swift.start();
    const done = await settledExport(exportSchema.parse(started.body));
    assert.equal(done.status, 'ready', JSON.stringify(done.failure));
    assert.equal((await fetch(url)).status, 200);
  });
});
