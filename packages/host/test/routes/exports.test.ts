import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Export, exportSchema } from 'clip-kit/contract';
import { HostWorld } from 'clip-testkit/host-world';

const key = 'attempt-1';

describe('POST {endpoint}/exports', () => {
  for (const start of ['record', 'export'] as const) {
    for (const legacy of [false, true]) {
      it(`answers 201 and the Export Object (service: ${start}${legacy ? ', legacy' : ''})`, async (t) => {
        const world = await HostWorld.open(t, { service: { start, legacy } });
        const project_id = await world.clip();
        const one = await world.json<Export>(201, 'POST', '/clips/exports', {
          key,
          body: { project_id },
        });
        assert.deepEqual(one, exportSchema.parse(world.service.world.exports.get(one.id)));
        assert.deepEqual([one.status, one.src_url, one.folder_id], ['processing', null, null]);
        const [sent, ...more] = world.service.sent('POST', /exports$/);
        assert.equal(more.length, 0);
        assert.equal(sent!.onBehalfOf, await world.managed());
        assert.deepEqual(sent!.body, {});
      });
    }
  }

  it('hands the watermark on with its defaults, and the folder as the path', async (t) => {
    const world = await HostWorld.open(t);
    const project_id = await world.clip('ann', 'f');
    const one = await world.json<Export>(201, 'POST', '/clips/exports', {
      key,
      body: { project_id, folder_id: 'f', watermark: { src_url: 'https://a.example/b.png' } },
    });
    assert.equal(one.folder_id, 'f');
    const [sent] = world.service.sent('POST', /exports$/);
    assert.equal(sent!.path, `/projects/f/${project_id}/exports`);
    assert.deepEqual(sent!.body, {
      watermark: { src_url: 'https://a.example/b.png', pos_x: 0.5, pos_y: 0.5, scale: 1 },
    });
  });

  it('hands the preset_id on (variant B)', async (t) => {
    const world = await HostWorld.open(t, { service: { folderBody: 'B' } });
    const project_id = await world.clip('ann', 'f');
    const body = { project_id, folder_id: 'f', preset_id: 'bold' };
    await world.json(201, 'POST', '/clips/exports', { key, body });
    assert.deepEqual(world.service.sent('POST', /exports$/)[0]!.body, { preset_id: 'bold' });
  });

  it('is answered even when the record comes and the look at the export fails', async (t) => {
    const world = await HostWorld.open(t, { service: { start: 'record' } });
    const project_id = await world.clip();
    world.service.order({ method: 'GET', path: /exports\/./, how: { status: 500 } });
    const one = await world.json<Export>(201, 'POST', '/clips/exports', {
      key,
      body: { project_id },
    });
    const made = world.service.world.exports.get(one.id)!;
    assert.deepEqual(
      [one.status, one.project_id, one.author_id, one.estimated_ready_at],
      ['processing', project_id, made.author_id, made.estimated_ready_at],
    );
    assert.deepEqual(exportSchema.parse(one), one);
  });

  it('goes through although the page has left', async (t) => {
    const world = await HostWorld.open(t);
    const project_id = await world.clip();
    const held = world.service.hold('POST', /exports$/);
    const page = new AbortController();
    const started = world.call('POST', '/clips/exports', {
      key,
      body: { project_id },
      signal: page.signal,
    });
    await held.arrived;
    page.abort();
    held.release();
    assert.equal((await started).status, 201);
  });
});

const refusals: [name: string, status: number, answer: [number, string], more?: object][] = [
  ['the plan allows no more', 402, [402, 'export-limit']],
  ['not this user’s clip', 404, [404, 'clip-not-found']],
  ['not this user’s clip, by 400', 400, [404, 'clip-not-found']],
  [
    'a field that does not fit',
    400,
    [400, 'invalid-request'],
    { body: { errors: [{ path: 'watermark.src_url', message: 'no image' }] } },
  ],
  [
    'not possible here',
    422,
    [422, 'unprocessable'],
    { body: { errors: [{ path: 'preset_id', message: 'not there yet' }] } },
  ],
  ['too many requests', 429, [429, 'rate-limited'], { headers: { 'Retry-After': '7' } }],
  ['the host’s key is wrong', 401, [502, 'service-error']],
  ['a redirect', 302, [502, 'service-error'], { headers: { Location: '/elsewhere' } }],
];

describe('a start that the service refuses', () => {
  for (const [name, status, [wanted, code], more] of refusals) {
    it(`${name}: ${status} becomes ${wanted} ${code}`, async (t) => {
      const world = await HostWorld.open(t);
      const project_id = await world.clip();
      world.service.order({ method: 'POST', path: /exports$/, how: { status, ...more } });
      const sent = { key, body: { project_id } };
      const problem = await world.problem(wanted, code, 'POST', '/clips/exports', sent);
      // Of a 5xx, the page must know that it is not a lost start.
      assert.equal(problem.unknown_outcome, wanted < 500 ? undefined : false);
      assert.equal(problem.headers.get('Retry-After'), status === 429 ? '7' : null);
      if (problem.errors) assert.equal(problem.detail, problem.errors[0]!.message);
      assert.equal(/rejected the API key/.test(problem.detail ?? ''), status === 401);
      // Nothing was started: the key is free, also for another body.
      const other = { key, body: { project_id, watermark: { src_url: 'https://a.example/b' } } };
      await world.json(201, 'POST', '/clips/exports', other);
      assert.equal(world.service.world.exports.size, 1);
    });
  }

  for (const foreignClip of [404, 400] as const) {
    it(`another user’s clip is not found (the service says ${foreignClip})`, async (t) => {
      const world = await HostWorld.open(t, { service: { foreignClip } });
      const project_id = await world.clip('bob');
      const sent = { key, body: { project_id } };
      await world.problem(404, 'clip-not-found', 'POST', '/clips/exports', sent);
    });
  }

  it('tells the page nothing of the service’s own words but the fields', async (t) => {
    const world = await HostWorld.open(t);
    const project_id = await world.clip();
    const how = { status: 500, body: { detail: 'stack trace', code: 'db-down' } };
    world.service.order({ method: 'POST', path: /exports$/, how });
    const response = await world.call('POST', '/clips/exports', { key, body: { project_id } });
    const text = await response.text();
    assert.ok(!/stack trace|db-down|127\.0\.0\.1/.test(text), text);
  });
});

describe('GET {endpoint}/exports/{export_id}', () => {
  it('gives the export, direct or in its folder, normalised', async (t) => {
    const world = await HostWorld.open(t, { service: { legacy: true } });
    const project_id = await world.clip('ann', 'f');
    const { world: inside } = world.service;
    const { id } = inside.addExport(await world.managed(), inside.projects.get(project_id)!);
    const ready = inside.finish(id);
    for (const query of [`project_id=${project_id}`, `project_id=${project_id}&folder_id=f`]) {
      assert.deepEqual(await world.json(200, 'GET', `/clips/exports/${id}?${query}`), ready);
    }
  });

  it('is 404 for none, another user’s, another clip’s', async (t) => {
    const world = await HostWorld.open(t);
    const [mine, second, bobs] = [await world.clip(), await world.clip(), await world.clip('bob')];
    const { world: inside } = world.service;
    const { id } = inside.addExport(await world.managed('bob'), inside.projects.get(bobs)!);
    const own = inside.addExport(await world.managed(), inside.projects.get(mine)!);
    for (const path of [
      `none?project_id=${mine}`,
      `${id}?project_id=${bobs}`,
      `${id}?project_id=${mine}`,
      `${own.id}?project_id=${second}`,
    ]) {
      await world.problem(404, 'export-not-found', 'GET', `/clips/exports/${path}`);
    }
  });
});

describe('GET {endpoint}/exports', () => {
  const stock = async (world: HostWorld) => {
    const { world: inside } = world.service;
    const add = async (user: string, folder: string | null) => {
      const project = inside.projects.get(await world.clip(user, folder))!;
      return inside.addExport(await world.managed(user), project);
    };
    return { a: await add('ann', null), b: await add('ann', 'f'), bobs: await add('bob', null) };
  };

  for (const lists of ['bare', 'wrapped'] as const) {
    it(`lists the user’s exports, by folder and project (service: ${lists})`, async (t) => {
      const world = await HostWorld.open(t, { service: { lists } });
      const { a, b } = await stock(world);
      const get = (query: string) => world.json<Export[]>(200, 'GET', `/clips/exports${query}`);
      assert.deepEqual(await get(''), [a, b]);
      assert.deepEqual(await get('?folder_id=f'), [b]);
      assert.deepEqual(await get(`?project_id=${a.project_id}`), [a]);
      assert.deepEqual(await get(`?project_id=${a.project_id}&folder_id=f`), []);
    });
  }

  it('gives those of the ids that are the user’s', async (t) => {
    const world = await HostWorld.open(t);
    const { a, b, bobs } = await stock(world);
    const query = [b.id, bobs.id, a.id, a.id, 'none'].map((id) => `id=${id}`).join('&');
    const found = await world.json<Export[]>(200, 'GET', `/clips/exports?${query}`);
    assert.deepEqual(found, [a, b]);
    assert.deepEqual(await world.json(200, 'GET', `/clips/exports?id=${bobs.id}`), []);
  });
});

describe('a question that the service does not answer well', () => {
  for (const [how, status, code] of [
    [{ status: 500 }, 502, 'service-error'],
    [{ status: 503 }, 503, 'service-unavailable'],
    [{ status: 504 }, 504, 'service-timeout'],
    ['drop', 503, 'service-unavailable'],
    ['truncate', 503, 'service-unavailable'],
    ['malformed', 502, 'service-error'],
  ] as const) {
    it(`${JSON.stringify(how)} becomes ${status} ${code}, without an unknown outcome`, async (t) => {
      const world = await HostWorld.open(t);
      await world.managed();
      world.service.order({ method: 'GET', path: /^\/exports$/, how });
      const problem = await world.problem(status, code, 'GET', '/clips/exports');
      assert.equal(problem.unknown_outcome, undefined);
      const failures = world.log.filter(({ event }) => event === 'failure');
      assert.equal(failures.length, 1);
      assert.match(failures[0]!.message, new RegExp(`^${code}: GET /exports: `));
    });
  }

  it('an export in an unknown state is an error, and the log names the state', async (t) => {
    const world = await HostWorld.open(t);
    const { world: inside } = world.service;
    const project = inside.projects.get(await world.clip())!;
    inside.addExport(await world.managed(), project);
    const how = 'unknown-status';
    world.service.order({ method: 'GET', path: /^\/exports$/, how });
    await world.problem(502, 'service-error', 'GET', '/clips/exports');
    assert.match(world.log.find(({ event }) => event === 'failure')!.message, /"paused"/);
  });

  it('the page leaving ends the call to the service, and is no failure', async (t) => {
    const world = await HostWorld.open(t);
    await world.managed();
    const held = world.service.hold('GET', /^\/exports$/);
    const page = new AbortController();
    const call = world.call('GET', '/clips/exports', { signal: page.signal });
    await held.arrived;
    page.abort();
    await held.left;
    await call;
    assert.deepEqual(
      world.log.filter(({ event }) => event === 'failure'),
      [],
    );
  });
});
