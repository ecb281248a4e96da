import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createClipHost, type HostLogEntry } from '../src/index.ts';
import { HostWorld, site } from 'clip-testkit/host-world';

const service = { baseUrl: 'http://127.0.0.1:9/v2', apiKey: 'key' };
const authenticate = () => null;

describe('options of createClipHost', () => {
  for (const basePath of ['clips', '/clips?x', '/clips#x', '//', '/a//b']) {
    it(`the mount ${JSON.stringify(basePath)} is ${basePath === '//' ? 'the root' : 'refused'}`, () => {
      const make = () => createClipHost({ service, authenticate, basePath, log: () => {} });
      if (basePath === '//') assert.ok(make());
      else assert.throws(make, { name: 'TypeError', message: /basePath/ });
    });
  }
  for (const origin of [
    ...['example.com', 'https://example.com/', 'https://example.com/a', 'ws://example.com'],
    ...['*', 'https://*.example', 'https://*'],
  ]) {
    it(`${JSON.stringify(origin)} is no origin`, () => {
      assert.throws(
        () => createClipHost({ service, authenticate, basePath: '/c', origins: [origin] }),
        { name: 'TypeError', message: /is not an origin/ },
      );
    });
  }
  it('an empty key is refused', () => {
    assert.throws(
      () => createClipHost({ service: { ...service, apiKey: '' }, authenticate, basePath: '/c' }),
      TypeError,
    );
  });
  it('without a store it is said once that memory forgets', () => {
    const log: HostLogEntry[] = [];
    createClipHost({ service, authenticate, basePath: '/c', log: (entry) => log.push(entry) });
    assert.deepEqual(
      log.map(({ level, event }) => [level, event]),
      [['warn', 'memory-store']],
    );
  });
});

describe('routes', () => {
  for (const path of [
    '/clips',
    '/clips/',
    '/clip/exports',
    '/clipsexports',
    '/exports',
    '/clips/nothing',
    '/clips//exports',
    '/clips/exports/',
    '/clips/exports//download',
    '/clips/exports/e/download/more',
    '/clips/exports/%2e',
    '/clips/exports/%2e%2e',
    '/clips/exports/%2E%2E/download',
    '/clips/exports/%',
    '/clips/exports/%zz',
    '/clips/exports/%ff',
    '/clips/%65xports',
    '/clips/tasks/..%5c',
  ]) {
    it(`GET ${path} leads nowhere`, async (t) => {
      const world = await HostWorld.open(t);
      const response = await world.call('GET', path);
      assert.equal(response.status, 404);
      assert.deepEqual(
        world.service.requests.filter((one) => one.path !== '/users' && !one.path.includes('%5C')),
        [],
      );
    });
  }

  it('a slash inside of an id stays inside of it on the way to the service', async (t) => {
    const world = await HostWorld.open(t);
    await world.problem(404, 'not-found', 'GET', '/clips/tasks/a%2F..%2Fusers');
    assert.deepEqual(
      world.service.requests.map(({ path }) => path),
      ['/users', '/tasks/a%2F..%2Fusers'],
    );
  });

  it('may be mounted at the root', async (t) => {
    const world = await HostWorld.open(t, { host: { basePath: '/' } });
    assert.deepEqual(await world.json(200, 'GET', '/exports'), []);
  });
});

describe('who is logged in', () => {
  it('may be found out asynchronously; a failure of it is a 500 that is logged, not told', async (t) => {
    const world = await HostWorld.open(t, {
      host: { authenticate: () => Promise.reject(new Error('session database is down')) },
    });
    const problem = await world.problem(500, 'internal-error', 'GET', '/clips/exports');
    assert.ok(!JSON.stringify(problem).includes('database'));
    assert.deepEqual(
      world.log
        .filter(({ event }) => event === 'failure')
        .map(({ level, message }) => [level, message]),
      [['error', 'internal-error: session database is down']],
    );
  });
});

describe('every answer', () => {
  it('is private and not to be sniffed', async (t) => {
    const world = await HostWorld.open(t);
    for (const path of ['/clips/exports', '/clips/nothing', '/clips/tasks/none']) {
      const { headers } = await world.call('GET', path);
      assert.equal(headers.get('Cache-Control'), 'no-store');
      assert.equal(headers.get('X-Content-Type-Options'), 'nosniff');
      assert.equal(headers.get('Vary'), 'Authorization, Cookie, Origin');
    }
  });

  it('is logged with method, path, status, code and time, without the query', async (t) => {
    let now = 1000;
    const world = await HostWorld.open(t, { now: () => (now += 5) });
    await world.call('GET', '/clips/exports?project_id=secret-query');
    await world.call('GET', '/clips/tasks/none');
    const entries = world.log.filter(({ event }) => event === 'request');
    assert.deepEqual(
      entries.map(({ method, path, status, code }) => [method, path, status, code]),
      [
        ['GET', '/clips/exports', 200, undefined],
        ['GET', '/clips/tasks/none', 404, 'not-found'],
      ],
    );
    assert.ok(entries.every(({ milliseconds }) => milliseconds! > 0));
    assert.ok(!JSON.stringify(world.log).includes('secret-query'));
  });

  it('is no error in the log if any user can ask for it again', async (t) => {
    const world = await HostWorld.open(t, { service: { extensions: false } });
    const { world: inside } = world.service;
    const project = inside.projects.get(await world.clip())!;
    const failed = inside.addExport(await world.managed(), project);
    inside.finish(failed.id, 'error');
    // As a service answers a word of its own addresses.
    world.service.order({ method: 'GET', path: /projects\/views$/, how: { status: 405 } });
    for (const [status, method, path, body] of [
      [501, 'POST', '/clips/views', { views: [] }],
      [501, 'POST', '/clips/uploads', { name: 'a.mp4', size: 1 }],
      [504, 'GET', `/clips/exports/${failed.id}/download?project_id=${project.id}`],
      [404, 'GET', '/clips/projects?folder_id=views'],
    ] as const) {
      assert.equal((await world.call(method, path, { body })).status, status, path);
    }
    assert.deepEqual(
      world.log.filter(({ level }) => level === 'error'),
      [],
    );
  });

  it('comes for a request without a body stream too', async (t) => {
    const world = await HostWorld.open(t);
    const request = new Request(`${site}/clips/token`, {
      method: 'POST',
      headers: {
        Cookie: 'user=ann',
        'Sec-Fetch-Site': 'same-origin',
        'Content-Type': 'application/json',
      },
    });
    assert.equal((await world.host(request)).status, 200);
  });
});

describe('close', () => {
  it('resolves when every request that is being answered has its answer', async (t) => {
    const world = await HostWorld.open(t);
    await world.managed();
    const held = world.service.hold('GET', /^\/exports$/);
    const received = world.service.received();
    const answer = world.call('GET', '/clips/exports');
    await received;
    let closed = false;
    const closing = world.host.close().then(() => (closed = true));
    const again = world.host.close();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(closed, false);
    held.release();
    await Promise.all([closing, again]);
    assert.equal((await answer).status, 200);
  });

  it('may be called again, and leaves the host answering', async (t) => {
    const world = await HostWorld.open(t);
    await world.host.close();
    await world.host.close();
    await world.json(200, 'GET', '/clips/exports');
  });
});
