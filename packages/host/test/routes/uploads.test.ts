import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Task, Upload } from 'clip-kit/contract';
import { HostWorld } from 'clip-testkit/host-world';

const file = { name: 'talk.mp4', size: 10 };
const bytes = '0123456789';

const create = (world: HostWorld, user = 'ann'): Promise<Upload> =>
  world.json(201, 'POST', '/clips/uploads', { user, body: file });

const patch = (world: HostWorld, path: string, offset: number, body: string, user = 'ann') =>
  world.call('PATCH', path, {
    user,
    body,
    headers: {
      'Content-Type': 'application/offset+octet-stream',
      'Tus-Resumable': '1.0.0',
      'Upload-Offset': String(offset),
    },
  });

describe('an upload', () => {
  it('goes to the service itself, for the managed user of who is logged in', async (t) => {
    const world = await HostWorld.open(t);
    const upload = await create(world);
    assert.deepEqual([upload.status, upload.protocol], ['open', 'tus']);
    assert.ok(upload.url.startsWith(`${world.service.origin}/uploads/`));
    const [sent] = world.service.sent('POST', /^\/uploads$/);
    assert.deepEqual([sent!.onBehalfOf, sent!.body], [await world.managed(), file]);
    world.service.world.receive(upload.id, Buffer.from('0123'));
    const read = await world.json<Upload>(200, 'GET', `/clips/uploads/${upload.id}`);
    assert.equal(read.offset, 4);
    assert.equal((await world.call('DELETE', `/clips/uploads/${upload.id}`)).status, 204);
    await world.problem(404, 'upload-not-found', 'GET', `/clips/uploads/${upload.id}`);
  });

  it('whose answer was lost is the same one with the same key', async (t) => {
    const world = await HostWorld.open(t);
    const { uploads } = world.service.world;
    const sent = { key: 'attempt-1', body: file };
    world.service.order({ method: 'POST', path: /^\/uploads$/, acts: true, how: 'drop' });
    await world.problem(503, 'service-unavailable', 'POST', '/clips/uploads', sent);
    const { id } = await world.json<Upload>(201, 'POST', '/clips/uploads', sent);
    assert.deepEqual([...uploads.keys()], [id]);
    await world.json(201, 'POST', '/clips/uploads', { ...sent, user: 'bob' });
    await world.json(201, 'POST', '/clips/uploads', { ...sent, key: 'attempt-2' });
    assert.equal(uploads.size, 3);
    const other = { ...sent, body: { ...file, size: 11 } };
    await world.problem(409, 'attempt-mismatch', 'POST', '/clips/uploads', other);
    const { errors } = await world.problem(400, 'invalid-request', 'POST', '/clips/uploads', {
      ...sent,
      key: 'short',
    });
    assert.equal(errors?.[0]?.path, 'Idempotency-Key');
    assert.equal(uploads.size, 3);
  });

  it('of another user is not found', async (t) => {
    const world = await HostWorld.open(t);
    const path = `/clips/uploads/${(await create(world, 'bob')).id}`;
    for (const method of ['GET', 'DELETE']) {
      await world.problem(404, 'upload-not-found', method, path);
    }
    assert.equal((await world.json<Upload>(200, 'GET', path, { user: 'bob' })).offset, 0);
  });

  it('takes no bytes at the host', async (t) => {
    const world = await HostWorld.open(t);
    const { id } = await create(world);
    const refused = await patch(world, `/clips/uploads/${id}`, 0, bytes);
    assert.deepEqual([refused.status, refused.headers.get('Allow')], [405, 'GET, DELETE']);
    assert.equal(world.service.world.uploads.get(id)!.upload.offset, 0);
  });

  for (const [name, body, path] of [
    ['without a size', { name: 'a' }, 'size'],
    ['of no bytes', { name: 'a', size: 0 }, 'size'],
    ['without a name', { ...file, name: '' }, 'name'],
    ['with a field that is not known', { ...file, path: '/etc' }, 'path'],
  ] as const) {
    it(`${name} is refused`, async (t) => {
      const world = await HostWorld.open(t);
      const { errors } = await world.problem(400, 'invalid-request', 'POST', '/clips/uploads', {
        body,
      });
      assert.equal(errors?.[0]?.path, path);
      assert.deepEqual(world.service.sent('POST', /^\/uploads$/), []);
    });
  }

  it('that is too large is refused in the words of the service', async (t) => {
    const world = await HostWorld.open(t, { service: { maxUploadBytes: 9 } });
    const { detail, errors } = await world.problem(
      413,
      'upload-too-large',
      'POST',
      '/clips/uploads',
      { body: file },
    );
    assert.equal(detail, 'The file is larger than 9 bytes.');
    assert.equal(errors?.[0]?.path, 'size');
  });

  for (const [status, code] of [
    [422, 'unprocessable'],
    [429, 'rate-limited'],
    [507, 'storage-full'],
  ] as const) {
    it(`that the service refuses with ${status} keeps its words`, async (t) => {
      const world = await HostWorld.open(t);
      const body = { code: 'x', detail: 'What happened, and what to do.' };
      const headers = { 'Retry-After': '7' };
      world.service.order({ method: 'POST', path: /^\/uploads$/, how: { status, body, headers } });
      const problem = await world.problem(status, code, 'POST', '/clips/uploads', { body: file });
      assert.equal(problem.detail, body.detail);
      if (status === 429) assert.equal(problem.headers.get('Retry-After'), '7');
    });
  }

  it('is not supported where the service takes none', async (t) => {
    const world = await HostWorld.open(t, { service: { extensions: false } });
    const { detail } = await world.problem(501, 'not-supported', 'POST', '/clips/uploads', {
      body: file,
    });
    assert.match(detail ?? '', /does not accept uploads/);
  });

  it('asks the policy, and is audited, without the address that takes bytes', async (t) => {
    const asked: string[] = [];
    const audited: unknown[] = [];
    const world = await HostWorld.open(t, {
      host: {
        authorize: ({ action, user }) => {
          asked.push(action);
          return user.id === 'ann';
        },
        audit: (entry) => void audited.push(entry),
      },
    });
    const { id } = await create(world);
    await world.json(200, 'GET', `/clips/uploads/${id}`);
    await world.problem(403, 'forbidden', 'POST', '/clips/uploads', { user: 'bob', body: file });
    assert.deepEqual(asked, ['upload', 'read', 'upload']);
    assert.equal(audited.length, 2);
    assert.ok(!JSON.stringify([audited, world.log]).includes(id));
    assert.ok(world.log.some(({ path }) => path === '/clips/uploads/*'));
  });
});

describe('a task of an upload', () => {
  const start = (url: string, more = {}) => ({
    key: 'attempt-1',
    body: { source_video_url: url, ...more },
  });
  const path = '/clips/tasks/video-to-shorts';

  async function finished(world: HostWorld, user = 'ann'): Promise<Upload> {
    const upload = await create(world, user);
    world.service.world.receive(upload.id, Buffer.from(bytes));
    return upload;
  }

  it('names the address of the service as it is', async (t) => {
    const world = await HostWorld.open(t);
    const { url } = await finished(world);
    await world.json(201, 'POST', path, start(url));
    assert.deepEqual(world.service.sent('POST', /^\/tasks/)[0]!.body, { source_video_url: url });
  });

  it('makes further clips of a task, once for each key', async (t) => {
    const world = await HostWorld.open(t);
    const task = await world.json<Task>(201, 'POST', path, start((await finished(world)).url));
    const more = { key: 'attempt-2', body: { target_clip_count: 3, topics: ['bees'] } };
    const made = await world.json<Task>(201, 'POST', `/clips/tasks/${task.id}/more`, more);
    assert.equal(made.source_task_id, task.id);
    const again = await world.json<Task>(200, 'POST', `/clips/tasks/${task.id}/more`, more);
    assert.equal(again.id, made.id);
    const wrong = { key: 'attempt-3', body: { target_clip_count: 0 } };
    await world.problem(400, 'invalid-request', 'POST', `/clips/tasks/${task.id}/more`, wrong);
  });

  it('gives words to the video of a task, once for each key', async (t) => {
    const world = await HostWorld.open(t);
    const task = await world.json<Task>(201, 'POST', path, start((await finished(world)).url));
    const subtitles = await finished(world);
    const words = {
      key: 'attempt-2',
      body: { subtitles_url: subtitles.url, language: 'en' },
    };
    const made = await world.json<Task>(201, 'POST', `/clips/tasks/${task.id}/words`, words);
    assert.equal(made.id, task.id);
    assert.deepEqual(world.service.sent('POST', /\/words$/)[0]!.body, {
      subtitles_url: `${world.service.origin}/uploads/${subtitles.id}`,
      language: 'en',
    });
    const again = await world.json<Task>(200, 'POST', `/clips/tasks/${task.id}/words`, words);
    assert.equal(again.id, task.id);
    // The same key for the words of another task is another request.
    const other = '/clips/tasks/other/words';
    await world.problem(409, 'attempt-mismatch', 'POST', other, words);
    const bobs = { ...words, user: 'bob', body: {} };
    await world.problem(404, 'not-found', 'POST', `/clips/tasks/${task.id}/words`, bobs);
    const misspelt = { key: 'attempt-3', body: { subtitle_url: subtitles.url } };
    await world.problem(400, 'invalid-request', 'POST', other, misspelt);
  });
});
