import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ClipLinks, EditDocument, Project } from 'clip-kit/contract';
import { HostWorld } from 'clip-testkit/host-world';

const key = 'attempt-1';
const ifMatch = (tag: string) => ({ headers: { 'If-Match': tag } });

describe('the edit of a clip', () => {
  it('is read with its revision as the ETag', async (t) => {
    const world = await HostWorld.open(t);
    const id = await world.clip('ann', 'f');
    const response = await world.call('GET', `/clips/projects/${id}/edit?folder_id=f`);
    assert.deepEqual([response.status, response.headers.get('ETag')], [200, '"1"']);
    const { world: service } = world.service;
    assert.deepEqual(await response.json(), service.editOf(service.projects.get(id)!));
  });

  it('is changed by a merge patch, and answered as it is then', async (t) => {
    const world = await HostWorld.open(t);
    const id = await world.clip();
    const path = `/clips/projects/${id}/edit`;
    const first = { body: { changes: { start: 12, title: 'Dawn' } }, ...ifMatch('"1"') };
    await world.json(200, 'PATCH', path, first);
    const second = { body: { changes: { start: null, end: 25 } }, ...ifMatch('W/"2"') };
    const response = await world.call('PATCH', path, second);
    assert.equal(response.headers.get('ETag'), '"3"');
    const { changes, revision } = (await response.json()) as EditDocument;
    assert.deepEqual([changes, revision], [{ title: 'Dawn', end: 25 }, 3]);
    const [sent] = world.service.sent('PATCH', /edit$/);
    assert.deepEqual(sent!.body, first.body);
    assert.equal(sent!.headers['if-match'], '"1"');
  });

  it('needs the revision that was read, and is not overwritten', async (t) => {
    const world = await HostWorld.open(t);
    const id = await world.clip();
    const path = `/clips/projects/${id}/edit`;
    const body = { changes: { title: 'Dawn' } };
    await world.problem(428, 'revision-missing', 'PATCH', path, { body });
    for (const tag of ['7', '"seven"', '*', '']) {
      await world.problem(400, 'invalid-request', 'PATCH', path, { body, ...ifMatch(tag) });
    }
    await world.problem(412, 'revision-changed', 'PATCH', path, { body, ...ifMatch('"2"') });
    assert.equal(world.service.world.changes.size, 0);
  });

  it('a change that cannot be is 422, with the fields of the service', async (t) => {
    const world = await HostWorld.open(t);
    const id = await world.clip();
    const body = { changes: { start: -1, shots: 'none' } };
    const { errors } = await world.problem(
      422,
      'unprocessable',
      'PATCH',
      `/clips/projects/${id}/edit`,
      {
        body,
        ...ifMatch('"1"'),
      },
    );
    assert.deepEqual(errors?.map(({ path }) => path).toSorted(), [
      'changes.shots',
      'changes.start',
    ]);
    await world.problem(400, 'invalid-request', 'PATCH', `/clips/projects/${id}/edit`, {
      body: { title: 'Dawn' },
      ...ifMatch('"1"'),
    });
  });

  it('of another user is not found', async (t) => {
    const world = await HostWorld.open(t);
    const id = await world.clip('bob');
    const path = `/clips/projects/${id}/edit`;
    await world.problem(404, 'clip-not-found', 'GET', path);
    const sent = { body: { changes: {} }, ...ifMatch('"1"') };
    await world.problem(404, 'clip-not-found', 'PATCH', path, sent);
  });
});

describe('a clip of one’s own', () => {
  it('is made of any segment of a folder, once for each key', async (t) => {
    const world = await HostWorld.open(t);
    await world.clip('ann', 'f');
    const sent = { key, body: { start: 3, end: 9, name: 'Dawn' } };
    const made = await world.json<Project>(201, 'POST', '/clips/projects/f', sent);
    assert.deepEqual([made.name, made.folder_id], ['Dawn', 'f']);
    assert.equal((await world.json<Project>(201, 'POST', '/clips/projects/f', sent)).id, made.id);
    assert.equal(world.service.world.projects.size, 2);
    await world.problem(400, 'invalid-request', 'POST', '/clips/projects/f', { body: sent.body });
    for (const body of [{ start: 3 }, { start: 3, end: 2 }, { start: 3, end: 9, more: 1 }]) {
      await world.problem(400, 'invalid-request', 'POST', '/clips/projects/f', { key, body });
    }
    await world.problem(404, 'clip-not-found', 'POST', '/clips/projects/none', sent);
  });

  it('is a copy of another, once for each key', async (t) => {
    const world = await HostWorld.open(t);
    const id = await world.clip('ann', 'f');
    const path = `/clips/projects/${id}/copy`;
    const copy = await world.json<Project>(201, 'POST', path, { key, body: {} });
    assert.notEqual(copy.id, id);
    assert.equal((await world.json<Project>(201, 'POST', path, { key, body: {} })).id, copy.id);
    const bobs = await world.clip('bob');
    const other = { key, body: {} };
    await world.problem(404, 'clip-not-found', 'POST', `/clips/projects/${bobs}/copy`, other);
  });
});

describe('who may edit', () => {
  const calls = (id: string) =>
    [
      ['GET', `/clips/projects/${id}/edit?folder_id=f`, {}],
      [
        'PATCH',
        `/clips/projects/${id}/edit?folder_id=f`,
        { body: { changes: {} }, ...ifMatch('"1"') },
      ],
      ['POST', `/clips/projects/${id}/copy?folder_id=f`, { body: {}, key }],
      ['POST', '/clips/projects/f', { body: { start: 1, end: 2 }, key }],
    ] as const;

  it('authorize is asked, and an authorize that does not know the action refuses', async (t) => {
    const asked: unknown[] = [];
    const world = await HostWorld.open(t, {
      host: {
        authorize: ({ action, projectId, folderId }) => {
          asked.push([action, projectId, folderId]);
          return ['token', 'export', 'download', 'task', 'read'].includes(action);
        },
      },
    });
    const id = await world.clip('ann', 'f');
    asked.length = 0;
    for (const [method, path, sent] of calls(id)) {
      await world.problem(403, 'forbidden', method, path, sent);
    }
    assert.deepEqual(asked, [...Array<unknown>(3).fill(['edit', id, 'f']), ['edit', null, 'f']]);
    assert.deepEqual(world.service.sent('PATCH', /./), []);
    assert.deepEqual(world.service.sent('GET', /edit/), []);
  });

  it('no page of another site, and nobody who is not logged in', async (t) => {
    const world = await HostWorld.open(t);
    const id = await world.clip('ann', 'f');
    for (const [method, path, sent] of calls(id)) {
      await world.problem(401, 'unauthenticated', method, path, { ...sent, user: null });
      if (method === 'GET') continue;
      const headers = {
        ...('headers' in sent ? sent.headers : {}),
        'Sec-Fetch-Site': 'cross-site',
      };
      await world.problem(403, 'forbidden', method, path, { ...sent, headers });
    }
    assert.deepEqual(world.service.sent('PATCH', /./), []);
  });
});

describe('the links of a clip', () => {
  it('are those of the service for the user, with an empty body', async (t) => {
    const world = await HostWorld.open(t);
    const path = `/clips/projects/${await world.clip('ann', 'f')}/links?folder_id=f`;
    const links = (await world.json(200, 'POST', path, { body: {} })) as ClipLinks;
    assert.match(links.player_url, /\?expires=\d+&signature=/);
    assert.ok(links.expires_at);
    await world.problem(400, 'invalid-request', 'POST', path, { body: { expires_in: 60 } });
    await world.problem(400, 'invalid-request', 'POST', `${path}&x=1`, { body: {} });
    const [sent] = world.service.sent('POST', /links$/);
    assert.ok(sent!.headers['x-on-behalf-of']);
  });

  it('are none of other users’ clips, unless the site lets the user watch them', async (t) => {
    const world = await HostWorld.open(t, {
      host: { mayWatch: ({ projectId }) => projectId === shared },
    });
    const shared = await world.clip('ben');
    const other = await world.clip('ben');
    const ask = (id: string) => [`/clips/projects/${id}/links`, { body: {} }] as const;
    await world.json(200, 'POST', ...ask(shared));
    await world.problem(404, 'clip-not-found', 'POST', ...ask(other));
    await world.json(200, 'POST', ...ask(await world.clip()));
    await world.problem(401, 'unauthenticated', 'POST', ask(shared)[0], { body: {}, user: null });
  });

  it('are refused where the policy refuses to read, also of a clip that may be watched', async (t) => {
    const world = await HostWorld.open(t, {
      host: {
        authorize: ({ action, projectId }) => projectId === null || action !== 'read',
        mayWatch: () => true,
      },
    });
    const id = await world.clip('ben');
    await world.problem(403, 'forbidden', 'POST', `/clips/projects/${id}/links`, { body: {} });
    assert.deepEqual(world.service.sent('POST', /links$/), []);
  });
});

describe('the allowance', () => {
  it('says what an export of the clip would cost the user now', async (t) => {
    const world = await HostWorld.open(t);
    const path = `/clips/projects/${await world.clip('ann', 'f')}/allowance?folder_id=f`;
    assert.deepEqual(await world.json(200, 'GET', path), {
      ...{ plan: 'free', state: 'active', allowance: 10, used: 0, counts: true, refusal: null },
    });
    await world.problem(400, 'invalid-request', 'GET', `${path}&now=1`);
  });

  it('of another user’s clip, and of a service that tells none, is 404', async (t) => {
    const world = await HostWorld.open(t);
    const foreign = await world.clip('ben');
    await world.problem(404, 'clip-not-found', 'GET', `/clips/projects/${foreign}/allowance`);
    const plain = await HostWorld.open(t, { service: { extensions: false } });
    const own = await plain.clip();
    await plain.problem(404, 'clip-not-found', 'GET', `/clips/projects/${own}/allowance`);
  });
});
