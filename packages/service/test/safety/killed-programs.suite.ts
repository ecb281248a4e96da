import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Export, Project } from 'clip-kit/contract';
import { processesWith } from '../support/child-service.ts';
import { fakeServer } from 'clip-testkit/fake-server';
import { heldPrograms, type HeldPrograms } from 'clip-testkit/held-programs';
import { assertProblem, eventually, World } from 'clip-testkit/world';

/** As the kernel does it that is short of memory: by SIGKILL, whatever the program is at. */
describe('ffmpeg killed from outside, or out of room', () => {
  let directory: string;
  let programs: HeldPrograms;
  let world: World;
  let project: Project;
  let speech: Awaited<ReturnType<typeof fakeServer>>;
  const path = process.env['PATH'];

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'clip-killed-programs-'));
    programs = await heldPrograms(directory);
    process.env['PATH'] = programs.path;
    speech = await fakeServer(() => ({ body: { text: '', segments: [] } }));
    world = await World.start({ speech: { url: `${speech.url}/v1` } });
    project = await world.makeWhole();
  });
  after(async () => {
    process.env['PATH'] = path;
    await world?.close();
    await speech?.close();
    await rm(directory, { recursive: true, force: true });
  });

  const begin = async (): Promise<string> => {
    const answer = await world.post('/tasks/video-to-video', world.whole());
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.id;
  };
  const exported = async (): Promise<Export> => {
    const { status, body } = await world.post(`/projects/${project.id}/exports`);
    assert.equal(status, 201);
    return world.finishExport({ ...body, project_id: project.id });
  };
  /** Files go after the row has ended: nobody may need them any more. */
  const assertGone = (path: string): Promise<void> =>
    eventually(async () => assert.deepEqual(await world.kept(path), []));
  const assertTidy = async (): Promise<void> => {
    await assertGone('work');
    assert.deepEqual(processesWith(join(world.directory, 'data')), [], 'no program goes on');
  };

  for (const [stage, text] of [
    ['probe', '-show_format'],
    ['scan of the sound', '-f s16le'],
    ['first poster', '-skip_frame nokey -threads 1'],
    ['poster', '-filter_complex [0:0]setpts'],
    ['preview', '-b:a 96k'],
  ] as const) {
    it(`once in the ${stage}: the job tries again, and is ready`, async () => {
      await programs.kill(stage, text);
      const task = await world.finishTask(await begin());
      await programs.reached(stage);
      assert.equal(task.status, 'ready', JSON.stringify(task.failure));
      await assertTidy();
    });
  }

  it('is not started by the service’s own process, which would stand still', () => {
    assert.equal(processesWith('program-helper.mjs').length > 0, process.platform === 'linux');
  });

  it('once in an export: the job tries again, and is ready', async () => {
    await programs.kill('export', '-b:a 160k');
    const { status, failure } = await exported();
    await programs.reached('export');
    assert.equal(status, 'ready', JSON.stringify(failure));
    await assertTidy();
  });

  it('in a piece of sound: the clip is made without captions, and the log says why', async () => {
    await programs.kill('piece', '-sample_fmt s16');
    assert.equal((await world.finishTask(await begin())).status, 'ready');
    await programs.reached('piece');
    const entry = world.log.findLast(({ event }) => event === 'transcriber-failed');
    assert.match(String(entry?.['reason']), /stopped by a signal from outside/);
    await assertTidy();
  });

  it('in the conversion of a watermark: 503, nothing is made and nothing counted', async () => {
    const before = (await world.get('/exports')).body.length;
    await programs.kill('watermark', 'watermark.part.png');
    const watermark = { src_url: world.sources.at('logo.png') };
    const answer = await world.post(`/projects/${project.id}/exports`, { watermark });
    assertProblem(answer, 503, 'service-unavailable');
    assert.equal(answer.body.reason, 'program-killed');
    assert.equal((await world.get('/exports')).body.length, before);
    assert.deepEqual(await world.kept('files/watermarks'), []);
    await assertTidy();
  });

  it('again and again: it fails with the reason, and leaves no partial files', async () => {
    for (const attempt of [1, 2, 3]) await programs.kill(`again ${attempt}`, '-b:a 160k');
    const { status, failure, src_url: url, id } = await exported();
    assert.equal(status, 'error');
    assert.equal(failure?.code, 'program-killed');
    assert.match(failure?.message ?? '', /stopped by the machine/);
    assert.equal(url, null);
    await assertGone(`files/exports/${id}`);
    await assertTidy();
  });

  it('a source is not called bad for it', async () => {
    for (const attempt of [1, 2, 3]) await programs.kill(`scan ${attempt}`, '-f s16le');
    const task = await world.finishTask(await begin());
    assert.equal(task.status, 'error');
    assert.equal(task.failure?.code, 'program-killed');
    await assertGone(`files/sources/${task.id}`);
    await assertTidy();
  });

  it('a full disk ends an export at once, and is named', async () => {
    await programs.fill('full', '-b:a 160k');
    const { status, failure, id } = await exported();
    assert.equal(status, 'error');
    assert.equal(failure?.code, 'disk-full');
    assert.match(failure?.message ?? '', /disk of the service is full/);
    assert.equal(world.log.filter((entry) => entry['id'] === id).length, 1, 'one attempt');
    await assertGone(`files/exports/${id}`);
    await assertTidy();
  });

  it('a full disk ends a task at once, and is named', async () => {
    await programs.fill('full', '-noaccurate_seek');
    const task = await world.finishTask(await begin());
    assert.equal(task.status, 'error');
    assert.equal(task.failure?.code, 'disk-full');
    await assertGone(`files/sources/${task.id}`);
    await assertTidy();
  });
});
