import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { ServiceClient } from '../../src/client/service-client.ts';
import { FakeService, type FakeServiceOptions } from 'clip-testkit/fake-service';

async function open(t: TestContext, options: FakeServiceOptions) {
  const service = await FakeService.open(options);
  t.after(() => service.close());
  const client = new ServiceClient({ baseUrl: service.baseUrl, apiKey: service.apiKey });
  return { client, world: service.world, owner: service.world.owner };
}

describe('ServiceClient against the variants of the specification', () => {
  it('reads the legacy words (3.3) as the present ones', async (t) => {
    const { client, world, owner } = await open(t, { legacy: true });
    const task = await client.createVideoToShorts({ source_video_url: 'https://a.example/b' });
    assert.deepEqual([task.type, task.status], ['video-to-shorts', 'processing']);
    const project = world.addProject(owner);
    const clip = { projectId: project.id };
    const started = await client.startExport(clip);
    assert.equal(started.status, 'processing');
    world.finish(started.id);
    assert.equal((await client.getExport(clip, started.id)).status, 'ready');
    world.finish(started.id, 'error');
    assert.equal((await client.listExports())[0]!.status, 'error');
  });

  it('reads the start-export record (2.3)', async (t) => {
    const { client, world, owner } = await open(t, { start: 'record', legacy: true });
    const project = world.addProject(owner);
    const started = await client.startExport({ projectId: project.id });
    const one = world.exports.get(started.id)!;
    assert.deepEqual(started, {
      id: one.id,
      status: 'processing',
      projectId: project.id,
      estimatedReadyAt: one.estimated_ready_at,
    });
  });

  it('sends a preset_id where the deployment wants variant B (4.7)', async (t) => {
    const { client, world, owner } = await open(t, { folderBody: 'B' });
    const clip = { projectId: world.addProject(owner, 'f').id, folderId: 'f' };
    assert.ok((await client.startExport(clip, { preset_id: 'bold' })).id);
    await assert.rejects(client.startExport(clip, {}), { name: 'HttpError', status: 400 });
    assert.equal(world.exports.size, 1);
  });

  it('reads wrapped lists', async (t) => {
    const { client, world, owner } = await open(t, { lists: 'wrapped' });
    const project = world.addProject(owner, 'f');
    const one = world.addExport(owner, project);
    assert.deepEqual(await client.listProjects('f'), [project]);
    assert.deepEqual(await client.listExports(), [one]);
  });
});
