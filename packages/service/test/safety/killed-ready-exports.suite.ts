import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { taskSchema, type Task } from 'clip-kit/contract';
import { makeFootage } from 'clip-testkit/footage';
import { mediaServer, type Answer } from 'clip-testkit/media-server';
import { finished } from 'clip-testkit/settled';
import { waitFor } from 'clip-testkit/wait-for';
import { callChild, startChild, type ChildService } from '../support/child-service.ts';

const hasty = fileURLToPath(new URL('../support/hasty-service.ts', import.meta.url));

// The picture of the watermark stands still when it is fetched for the second clip: the first has
// its export then, and the service is killed.
describe('the service killed while it starts the exports of a task', () => {
  let directory: string;
  let service: ChildService;
  let server: Awaited<ReturnType<typeof mediaServer>>;
  let environment: Record<string, string>;
  let key: string;
  let isHeld = true;

  const call = (method: string, path: string, body?: unknown) =>
    callChild(service, key, method, path, body);
  const read = async (id: string): Promise<Task> =>
    taskSchema.parse((await call('GET', `/tasks/${id}`)).body);
  const marks = (): number => server.asked.filter((path) => path === '/logo.png').length;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'clip-killed-exports-'));
    const footage = join(directory, 'footage');
    await mkdir(footage);
    await makeFootage(footage);
    const [talk, words, logo] = await Promise.all(
      ['talk.mp4', 'talk.vtt', 'logo.png'].map((name) => readFile(join(footage, name))),
    );
    const bytes =
      (body: Buffer): Answer =>
      (_, response) =>
        response.writeHead(200, { 'content-length': body.length }).end(body);
    server = await mediaServer({
      '/talk.mp4': bytes(talk!),
      '/talk.vtt': bytes(words!),
      '/logo.png': (request, response) => {
        if (isHeld && marks() > 1) request.resume();
        else void bytes(logo!)(request, response);
      },
    });
    environment = { DATA_DIR: join(directory, 'data'), CLIP_ALLOW_PRIVATE_SOURCES: '1' };
    service = await startChild(environment, hasty);
    key = service.apiKey ?? '';
  });
  after(async () => {
    service?.process.kill('SIGKILL');
    await server?.close();
    await rm(directory, { recursive: true, force: true });
  });

  it('starts the others after its next start, and each is paid once', async () => {
    const created = await call('POST', '/tasks/video-to-shorts', {
      source_video_url: server.url('/talk.mp4'),
      dimensions: { width: 108, height: 192 },
      ...{ target_clip_count: 2, min_clip_count: 2 },
      ...{ min_duration: 3, max_duration: 8, target_duration: 4 },
      export_when_ready: { count: 'all', watermark: { src_url: server.url('/logo.png') } },
    });
    assert.equal(created.status, 201, JSON.stringify(created.body));
    const { id } = created.body;
    const task = await finished('the task', () => read(id));
    assert.equal(task.clip_count, 2);
    await waitFor('the second watermark', () => marks() === 2);
    assert.equal((await read(id)).export_ids?.length, 1);
    await service.end('SIGKILL');
    isHeld = false;
    service = await startChild(environment, hasty);
    await waitFor('both exports', async () => (await read(id)).export_ids?.length === 2);
    const { export_ids, notes, output_id } = await read(id);
    assert.deepEqual(notes, []);
    const { body: exports } = await call('GET', `/exports?folder_id=${output_id}`);
    assert.deepEqual(
      exports.map((one: { id: string }) => one.id).toSorted(),
      export_ids!.toSorted(),
    );
    const [{ project_id: clip }] = exports;
    assert.equal((await call('GET', `/projects/${clip}/allowance`)).body.used, 2);
    assert.equal(marks(), 3);
  });
});
