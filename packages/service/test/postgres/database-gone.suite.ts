import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { exportSchema, type Project } from 'clip-kit/contract';
import { makePostgresCluster, type PostgresCluster } from '../../../../tools/postgres-server.ts';
import { assertProblem, World, type Answer } from 'clip-testkit/world';

// The server itself is stopped and started again under the running service.
describe('a database server that goes away', () => {
  let directory: string;
  let cluster: PostgresCluster;
  let stop: () => Promise<void>;
  let world: World;
  let project: Project;
  let video: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'clip-gone-'));
    cluster = await makePostgresCluster(directory);
    stop = await cluster.start();
    world = await World.start({ databaseUrl: cluster.url });
    project = await world.makeWhole();
  });
  after(async () => {
    await world?.close();
    await stop?.();
    await rm(directory, { recursive: true, force: true });
  });

  const atRoot = async (path: string): Promise<Answer> => {
    const response = await fetch(`${world.service.url}${path}`);
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  const calls: [what: string, call: () => Promise<Answer>][] = [
    ['a list', () => world.get('/exports')],
    ['the start of an export', () => world.post(`/projects/${project.id}/exports`)],
    ['the player', () => atRoot(`/player/${project.id}/state`)],
    ['the health check', () => atRoot('/healthz')],
  ];

  const playback = async (): Promise<number> => {
    const headers = { Range: 'bytes=0-99' };
    const answer = await fetch(video, { headers });
    await answer.arrayBuffer();
    return answer.status;
  };

  it('is 503 with Retry-After everywhere, and the health check says so too', async () => {
    video = `${world.service.url}/${(await atRoot(`/player/${project.id}/state`)).body.video}`;
    assert.equal(await playback(), 206);
    await stop();
    for (const round of [1, 2]) {
      for (const [what, call] of calls) {
        const answer = await call();
        assertProblem(answer, 503, 'service-unavailable');
        assert.equal(answer.body.reason, 'database-unavailable', `${what}, ${round}`);
        assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/);
        assert.match(answer.body.detail, /database/);
      }
    }
  });

  it('ends no playback: files that were just served go on, and no others', async () => {
    assert.equal(await playback(), 206);
    assertProblem(await atRoot(`/files/previews/${project.id}/x.mp4`), 503, 'service-unavailable');
  });

  it('does not make the process look dead', async () => {
    assert.equal((await atRoot('/livez')).status, 200);
    const ready = await atRoot('/readyz');
    assertProblem(ready, 503, 'service-unavailable');
    assert.equal(ready.body.reason, 'database-unavailable');
  });

  it('is taken up again when it is back, without a restart', async () => {
    stop = await cluster.start();
    while ((await atRoot('/healthz')).status !== 200) await setTimeout(20);
    for (const [what, call] of calls) {
      const { status } = await call();
      assert.ok(status === 200 || status === 201, `${what}: ${status}`);
    }
    const [started] = (await world.get('/exports')).body;
    const ready = await world.finishExport(exportSchema.parse(started));
    assert.equal(ready.status, 'ready', JSON.stringify(ready.failure));
  });
});
