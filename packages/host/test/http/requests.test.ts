import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HostWorld, site } from 'clip-testkit/host-world';

const posts = ['token', 'exports', 'tasks/video-to-shorts', 'tasks/video-to-video'];
const key = 'attempt-1';

describe('a body', () => {
  for (const path of posts) {
    for (const type of [
      null,
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      'text/json',
    ]) {
      it(`of ${path} as ${type} is 415: a form can send it across sites`, async (t) => {
        const world = await HostWorld.open(t);
        await world.problem(415, 'unsupported-media-type', 'POST', `/clips/${path}`, {
          body: '{}',
          key,
          headers: { 'Content-Type': type },
        });
        assert.deepEqual(world.service.requests, []);
      });
    }
  }

  for (const type of [
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json ;',
  ]) {
    it(`as ${type} is read`, async (t) => {
      const world = await HostWorld.open(t);
      await world.json(200, 'POST', '/clips/token', {
        body: '{}',
        headers: { 'Content-Type': type },
      });
    });
  }

  const padded = (bytes: number) => {
    const empty = JSON.stringify({ project_id: '' }).length;
    return JSON.stringify({ project_id: 'x'.repeat(bytes - empty) });
  };

  it('of 64 kB is read', async (t) => {
    const world = await HostWorld.open(t);
    await world.json(200, 'POST', '/clips/token', { body: padded(65_536) });
  });

  it('of a byte more is 413, by its Content-Length', async (t) => {
    const world = await HostWorld.open(t);
    await world.problem(413, 'body-too-large', 'POST', '/clips/token', {
      body: '{}',
      headers: { 'Content-Length': '65537' },
    });
  });

  for (const length of [null, '2']) {
    it(`of a byte more is 413 with Content-Length ${length} too, and is not read to its end`, async (t) => {
      const world = await HostWorld.open(t);
      let pulled = 0;
      let cancelled = false;
      const body = new ReadableStream({
        pull(controller) {
          pulled += 1;
          controller.enqueue(new TextEncoder().encode(padded(32_769)));
        },
        cancel() {
          cancelled = true;
        },
      });
      const response = await world.host(
        new Request(`${site}/clips/token`, {
          method: 'POST',
          headers: {
            Cookie: 'user=ann',
            'Sec-Fetch-Site': 'same-origin',
            'Content-Type': 'application/json',
            ...(length === null ? {} : { 'Content-Length': length }),
          },
          body,
          duplex: 'half',
        } as RequestInit),
      );
      assert.equal(response.status, 413);
      assert.equal(cancelled, true);
      assert.ok(pulled < 5);
    });
  }

  for (const body of ['{', 'null, null', "{'a':1}", '\u{1F4A1}', '{"project_id": "a"} x']) {
    it(`${JSON.stringify(body)} is no JSON: 400`, async (t) => {
      const world = await HostWorld.open(t);
      const { detail } = await world.problem(400, 'invalid-request', 'POST', '/clips/token', {
        body,
      });
      assert.equal(detail, 'The body is not JSON.');
    });
  }

  it('that is not UTF-8 is 400', async (t) => {
    const world = await HostWorld.open(t);
    const response = await world.host(
      new Request(`${site}/clips/token`, {
        method: 'POST',
        headers: {
          Cookie: 'user=ann',
          'Sec-Fetch-Site': 'same-origin',
          'Content-Type': 'application/json',
        },
        body: new Uint8Array([0x22, 0xff, 0x22]),
      }),
    );
    assert.equal(response.status, 400);
  });

  for (const [path, body, field] of [
    ['token', { user_id: 'bob' }, 'user_id'],
    ['exports', { project_id: 'p', webhook: 'x' }, 'webhook'],
    ['exports', { folder_id: 'f' }, 'project_id'],
    ['exports', { project_id: '..' }, 'project_id'],
    ['exports', { project_id: '\ud800' }, 'project_id'],
    ['exports', { project_id: 'p', watermark: 'https://a.example/b.png' }, 'watermark'],
    ['exports', { project_id: 'p', watermark: { src_url: 'file:///a' } }, 'watermark.src_url'],
    ['tasks/video-to-shorts', { source_video_url: 'ftp://a.example/b' }, 'source_video_url'],
    [
      'tasks/video-to-shorts',
      { source_video_url: 'https://a.example/b', max_duration: 181 },
      'max_duration',
    ],
    ['tasks/video-to-video', { source_video_url: 'https://a.example/b' }, 'editing_options'],
  ] as const) {
    it(`of ${path} that does not fit is 400 and names ${field}`, async (t) => {
      const world = await HostWorld.open(t);
      const problem = await world.problem(400, 'invalid-request', 'POST', `/clips/${path}`, {
        body,
        key,
      });
      assert.deepEqual(
        problem.errors?.map((one) => one.path),
        [field],
      );
      assert.ok(problem.detail?.startsWith(`${field}: `));
      assert.deepEqual(world.service.requests, []);
    });
  }
});

describe('a query', () => {
  for (const [path, field] of [
    ['/exports?page=2', 'page'],
    ['/exports?folder_id=', 'folder_id'],
    ['/exports?folder_id=a&folder_id=b', 'folder_id'],
    ['/exports?id=a&folder_id=f', 'folder_id'],
    ['/exports?id=', 'id'],
    ['/exports?id=..', 'id'],
    [`/exports?${Array.from({ length: 201 }, (_, n) => `id=${n}`).join('&')}`, 'id'],
    ['/exports/e', 'project_id'],
    ['/exports/e?project_id=p&project_id=q', 'project_id'],
    ['/exports/e?project_id=p&more=1', 'more'],
    ['/exports/e/download', 'project_id'],
    ['/exports/e/download?project_id=p&folder_id=.', 'folder_id'],
    ['/projects', 'folder_id'],
    ['/projects?folder_id=f&page=2', 'page'],
    ['/projects/p?project_id=p', 'project_id'],
    ['/tasks/t?verbose=1', 'verbose'],
    ['/exports?__proto__=1', '__proto__'],
  ] as const) {
    it(`${path.slice(0, 50)} does not fit: 400 names ${field}`, async (t) => {
      const world = await HostWorld.open(t);
      const problem = await world.problem(400, 'invalid-request', 'GET', `/clips${path}`);
      assert.deepEqual(
        problem.errors?.map((one) => one.path),
        [field],
      );
      assert.deepEqual(world.service.requests, []);
    });
  }
});
