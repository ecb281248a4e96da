import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { heldPrograms, type HeldPrograms } from 'clip-testkit/held-programs';
import { eventually, World } from 'clip-testkit/world';
import { serve } from 'clip-testkit/serve';

/** A server that sends a file at 6 kB a second, without an end in sight. */
async function drippingServer() {
  const open = new Set<ServerResponse>();
  const { origin, close } = await serve((_request, response) => {
    open.add(response);
    response.on('close', () => open.delete(response));
    response.writeHead(200, { 'Content-Type': 'video/mp4', 'Content-Length': 50_000_000 });
    const drip = (): unknown => response.writable && response.write(Buffer.alloc(600));
    const timer = setInterval(drip, 100);
    response.on('close', () => clearInterval(timer));
    drip();
  });
  return { url: (name: string) => `${origin}/${name}`, open, close };
}

describe('users who share a service', () => {
  let directory: string;
  let programs: HeldPrograms;
  let world: World;
  let dripping: Awaited<ReturnType<typeof drippingServer>>;
  const path = process.env['PATH'];
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'clip-fairness-'));
    programs = await heldPrograms(directory);
    process.env['PATH'] = programs.path;
    dripping = await drippingServer();
    world = await World.start({ ingestWaitMs: 200, concurrency: 1 });
  });
  after(async () => {
    process.env['PATH'] = path;
    await programs?.release();
    await world?.close();
    await dripping?.close();
    await rm(directory, { recursive: true, force: true });
  });

  const taskOf = async (as: string, source: string): Promise<string> => {
    const body = world.whole({ source_video_url: source });
    const { status, body: task } = await world.post('/tasks/video-to-video', body, { as });
    assert.equal(status, 201, JSON.stringify(task));
    return task.id;
  };

  it('do not wait for the downloads of others, however slow their servers are', async () => {
    const [slow, other] = [await world.user(), await world.user()];
    for (let count = 0; count < 6; count += 1) await taskOf(slow, dripping.url(`${count}.mp4`));
    await eventually(() => assert.ok(dripping.open.size >= 2));
    const id = await taskOf(other, world.sources.at('scene.mp4'));
    const task = await world.finishTask(id, other);
    assert.equal(task.status, 'ready', JSON.stringify(task.failure));
    assert.ok(dripping.open.size >= 2, 'the slow ones still go on');
  });

  it('get the next free slot with their first export, after any number of another’s', async () => {
    const [many, one] = [await world.user(), await world.user()];
    const clips = await Promise.all([many, one].map((as) => world.makeWhole(as)));
    await programs.pause('running', '-b:a 160k');
    const start = async (as: string, clip: string): Promise<string> => {
      const answer = await world.post(`/projects/${clip}/exports`, {}, { as });
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      return answer.body.id;
    };
    const running = await start(many, clips[0]!.id);
    await programs.reached('running');
    for (let count = 0; count < 5; count += 1) await start(many, clips[0]!.id);
    const first = await start(one, clips[1]!.id);
    await programs.resume('running');
    const ready = (): unknown[] =>
      world.log.filter(({ event }) => event === 'export-ready').map(({ id }) => id);
    await eventually(() => assert.ok(ready().length >= 6));
    assert.deepEqual(ready().slice(0, 2), [running, first]);
  });
});
