import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Export, TokenAnswer } from 'clip-kit/contract';
import { SignJWT } from 'jose';
import { HostWorld, site, type HostWorldOptions } from 'clip-testkit/host-world';
import { createClipHost, type ClipHostOptions } from '../../src/index.ts';

const secret = 'a secret of the site that has 32 bytes';
const page = 'https://www.example.com';

interface Claims {
  readonly sub?: string;
  readonly permissions?: readonly string[];
  readonly editor?: object;
  readonly limits?: { readonly exports_per_day: number };
}

const clock = { ms: Date.UTC(2026, 0, 1) };
function sign({ sub = 'ann', ...claims }: Claims = {}, key = secret): Promise<string> {
  const iat = Math.floor(clock.ms / 1000);
  return new SignJWT({ ...claims, aud: 'clip-host', sub, iat, exp: iat + 900 })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(key));
}

/** A host for pages of another origin, and what such a page sends. */
async function open(t: TestContext, options: HostWorldOptions = {}) {
  clock.ms = Date.UTC(2026, 0, 1);
  const world = await HostWorld.open(t, {
    ...options,
    now: () => clock.ms,
    host: { sessions: { secrets: [secret] }, origins: [page], ...options.host },
  });
  const from = async (claims: Claims = {}, headers: Record<string, string> = {}) => ({
    user: null,
    headers: {
      Authorization: `Bearer ${await sign(claims)}`,
      Origin: page,
      'Sec-Fetch-Site': 'cross-site',
      ...headers,
    },
  });
  const managed = async (user = 'ann'): Promise<string> => {
    await world.json(200, 'GET', '/clips/exports', await from({ sub: user }));
    return (await world.records.managedUser(user))!;
  };
  const clip = async (user = 'ann', folder: string | null = null): Promise<string> =>
    world.service.world.addProject(await managed(user), folder).id;
  return { world, from, managed, clip };
}

describe('a host with sessions', () => {
  it('serves the user of the session to a page of a listed origin, and needs no cookie', async (t) => {
    const { world, from, managed } = await open(t);
    const [ann, bob] = [await managed('ann'), await managed('bob')];
    assert.notEqual(ann, bob);
    const response = await world.call('GET', '/clips/exports', await from());
    assert.equal(response.headers.get('Access-Control-Allow-Origin'), page);
    assert.equal(response.headers.get('Access-Control-Allow-Credentials'), null);
    assert.match(response.headers.get('Access-Control-Expose-Headers')!, /Clip-Account/);
    assert.match(response.headers.get('Vary')!, /Authorization/);
    assert.ok(response.headers.get('Clip-Account'));
  });

  it('reads no cookie', async (t) => {
    const { world } = await open(t);
    await world.problem(401, 'unauthenticated', 'GET', '/clips/exports', { user: 'ann' });
  });

  it('lets a preflight of a listed origin send the session, and of no other', async (t) => {
    const { world } = await open(t);
    const ask = (Origin: string) =>
      world.host(
        new Request(`${site}/clips/exports`, {
          method: 'OPTIONS',
          headers: {
            Origin,
            'Access-Control-Request-Method': 'POST',
            'Access-Control-Request-Headers': 'authorization,content-type',
          },
        }),
      );
    const { headers } = await ask(page);
    assert.equal(headers.get('Access-Control-Allow-Headers'), 'authorization,content-type');
    assert.equal(headers.get('Access-Control-Allow-Credentials'), null);
    for (const other of [
      'https://evil.example',
      `${page}.evil.example`,
      'http://www.example.com',
    ]) {
      assert.equal((await ask(other)).headers.get('Access-Control-Allow-Origin'), null);
    }
  });

  it('refuses a page of another origin, also for reads, and tells the log which', async (t) => {
    const { world, from } = await open(t);
    for (const method of ['GET', 'POST']) {
      const sent = await from({}, { Origin: 'https://evil.example' });
      const path = method === 'GET' ? '/clips/exports' : '/clips/token';
      const { detail } = await world.problem(403, 'forbidden', method, path, sent);
      assert.match(detail!, /https:\/\/evil\.example/);
    }
    const [refusal] = world.log.filter(({ event }) => event === 'refused');
    assert.equal(refusal!.level, 'warn');
    assert.match(refusal!.message, /evil\.example/);
  });

  it('takes a program without an origin', async (t) => {
    const { world } = await open(t);
    const headers = { Authorization: `Bearer ${await sign()}`, 'Sec-Fetch-Site': null };
    await world.json(200, 'GET', '/clips/exports', { user: null, headers });
  });

  it('tells the log what is wrong with a session, without the session', async (t) => {
    const { world, from } = await open(t);
    const stolen = await sign({}, 'another secret that has 32 bytes, too');
    const sent = await from({}, { Authorization: `Bearer ${stolen}` });
    await world.problem(401, 'session-refused', 'GET', '/clips/exports', sent);
    const [refusal] = world.log.filter(({ event }) => event === 'refused');
    assert.match(refusal!.message, /signature/);
    assert.ok(!JSON.stringify(world.log).includes(stolen));
  });

  it('answers an ended session with a code of its own', async (t) => {
    const { world, from } = await open(t);
    const sent = await from();
    clock.ms += (900 + 61) * 1000;
    await world.problem(401, 'session-expired', 'GET', '/clips/exports', sent);
  });

  it('refuses what a page of another account does', async (t) => {
    const { world, from } = await open(t);
    const answer = await world.call('GET', '/clips/exports', await from({ sub: 'bob' }));
    const bob = answer.headers.get('Clip-Account')!;
    const sent = { ...(await from({}, { 'Clip-Account': bob })), body: {} };
    await world.problem(409, 'account-changed', 'POST', '/clips/token', sent);
  });
});

describe('the permissions of a session', () => {
  const calls: [method: string, path: string, permission: string, body?: unknown][] = [
    ['GET', '/clips/exports', 'view'],
    ['GET', '/clips/tasks', 'view'],
    ['POST', '/clips/token', 'view', {}],
    ['GET', '/clips/projects/p1/edit', 'edit'],
    ['POST', '/clips/projects/p1/copy', 'edit', {}],
    ['POST', '/clips/exports', 'export', { project_id: 'p1' }],
    ['GET', '/clips/exports/e1/download?project_id=p1', 'export'],
    ['POST', '/clips/exports/e1/download', 'export', { project_id: 'p1' }],
    ['POST', '/clips/uploads', 'upload', { name: 'talk.mp4', size: 1 }],
    ['POST', '/clips/tasks/video-to-shorts', 'upload', { source_video_url: 'https://a.example/v' }],
    ['DELETE', '/clips/tasks/t1', 'delete'],
  ];
  const all = ['view', 'edit', 'export', 'upload', 'delete'];
  for (const [method, path, permission, body] of calls) {
    it(`${method} ${path} needs ${permission}`, async (t) => {
      const { world, from } = await open(t);
      const permissions = all.filter((one) => one !== permission);
      const sent = { ...(await from({ permissions })), body, key: 'attempt-1' };
      const { detail } = await world.problem(403, 'forbidden', method, path, sent);
      assert.equal(detail, `The session does not have the permission "${permission}".`);
      assert.equal(world.service.requests.length, 0);
    });
  }

  const withEditor = { tokenPermissions: true };
  for (const [name, claims, host, token] of [
    ['all', {}, {}, {}],
    ['some', { permissions: ['view', 'edit', 'upload'] }, {}, { permissions: ['view', 'edit'] }],
    [
      'less than the site gives',
      { permissions: ['view', 'export'] },
      { tokenPermissions: ['view', 'edit'] as const },
      { permissions: ['view'] },
    ],
    [
      'all, and a limit that the editor does not count',
      { limits: { exports_per_day: 5 } },
      {},
      { permissions: ['view', 'edit'] },
    ],
  ] as [string, Claims, Partial<ClipHostOptions>, object][]) {
    it(`are those of the embed token: ${name}`, async (t) => {
      const { world, from } = await open(t, { host, service: withEditor });
      const ask = async (more: Claims) =>
        world.json<TokenAnswer>(200, 'POST', '/clips/token', { ...(await from(more)), body: {} });
      await ask(claims);
      const sent = world.service.sent('POST', /tokens$/);
      assert.deepEqual(sent.at(-1)!.body, token);
      // Another session of the user does not get this one's token.
      await ask({ permissions: ['view'] });
      assert.deepEqual(world.service.sent('POST', /tokens$/).at(-1)!.body, {
        permissions: ['view'],
      });
    });
  }

  it('with limits of the editor, are those of the embed token and of the host’s own calls', async (t) => {
    const { world, from, clip } = await open(t, {
      service: { ...withEditor, folderBody: 'B' },
    });
    const project_id = await clip('ann', 'f');
    const editor = { tools: ['cut', 'style'], presets: ['bold'], text: false };
    const sent = { ...(await from({ editor })), key: 'attempt-1' };
    await world.json<TokenAnswer>(200, 'POST', '/clips/token', { ...sent, body: {} });
    assert.deepEqual(world.service.sent('POST', /tokens$/).at(-1)!.body, { editor });

    const before = world.service.requests.length;
    const refused = async (method: string, path: string, body: object, field: string) => {
      const headers = { ...sent.headers, 'If-Match': '"1"' };
      const asked = { ...sent, body, headers };
      const { errors, detail } = await world.problem(403, 'forbidden', method, path, asked);
      assert.deepEqual(
        errors!.map((one) => one.path),
        [field],
      );
      assert.match(detail!, new RegExp(`^You may not change this. ${field}: editor`));
    };
    const edit = `/clips/projects/${project_id}/edit`;
    await refused('PATCH', edit, { changes: { title: 'Dawn' } }, 'title');
    await refused('PATCH', edit, { changes: { shots: [] } }, 'shots');
    await refused('PATCH', edit, { changes: { style_preset_id: 'punch' } }, 'style_preset_id');
    await refused('POST', '/clips/projects/f', { start: 1, end: 9, name: 'Dawn' }, 'name');
    await refused('POST', '/clips/exports', { project_id, preset_id: 'punch' }, 'preset_id');
    const source_video_url = 'https://videos.example/talk.mp4';
    const task = { source_video_url, style_preset_id: 'punch' };
    await refused('POST', '/clips/tasks/video-to-shorts', task, 'style_preset_id');
    const edited = { ...task, editing_options: {} };
    await refused('POST', '/clips/tasks/video-to-video', edited, 'style_preset_id');
    const words = { subtitles_url: 'https://videos.example/talk.vtt' };
    await refused('POST', '/clips/tasks/t/words', words, 'subtitles_url');
    assert.equal(world.service.requests.length, before, 'the service was not asked');

    const headers = { ...sent.headers, 'If-Match': '"1"' };
    const body = { changes: { start: 12, style_preset_id: 'bold' } };
    await world.json(200, 'PATCH', edit, { ...sent, headers, body });
    await world.json(201, 'POST', '/clips/projects/f', { ...sent, body: { start: 1, end: 9 } });
    const exported = { ...sent, body: { project_id, folder_id: 'f', preset_id: 'bold' } };
    await world.json(201, 'POST', '/clips/exports', exported);
    const made = { ...(await from({ editor })), key: 'attempt-2' };
    const styled = { ...made, body: { source_video_url, style_preset_id: 'bold' } };
    await world.json(201, 'POST', '/clips/tasks/video-to-shorts', styled);
  });

  it('without the style, export in no other one, and without cuts, make no clip', async (t) => {
    const { world, from, clip } = await open(t);
    const project_id = await clip('ann', 'f');
    const sent = { ...(await from({ editor: { tools: ['post'] } })), key: 'attempt-1' };
    const styled = { ...sent, body: { project_id, preset_id: 'bold' } };
    await world.problem(403, 'forbidden', 'POST', '/clips/exports', styled);
    const cut = { ...sent, body: { start: 1, end: 9 } };
    await world.problem(403, 'forbidden', 'POST', '/clips/projects/f', cut);
    const plain = { ...sent, body: { project_id, folder_id: 'f' } };
    await world.json(201, 'POST', '/clips/exports', plain);
    await world.json(201, 'POST', `/clips/projects/${project_id}/copy`, { ...sent, body: {} });
  });

  it('end in no unrestricted token, whatever the service has answered before', async (t) => {
    const { world, from } = await open(t, { host: { authorize: () => true } });
    const sent = async (claims: Claims) => ({ ...(await from(claims)), body: {} });
    await world.json(200, 'POST', '/clips/token', await sent({}));
    const viewer = await sent({ permissions: ['view'] });
    await world.problem(502, 'service-error', 'POST', '/clips/token', viewer);
    assert.deepEqual(
      world.service.sent('POST', /tokens$/).map(({ body }) => body),
      [{ permissions: ['view'] }, {}, { permissions: ['view'] }],
    );
  });
});

describe('the limit of exports in a session', () => {
  it('ends with 402, and counts each export of 24 hours once', async (t) => {
    const { world, from, clip } = await open(t);
    const project = await clip();
    const start = async (key: string) => ({
      ...(await from({ limits: { exports_per_day: 2 } })),
      body: { project_id: project },
      key,
    });
    const first = await world.json<Export>(201, 'POST', '/clips/exports', await start('attempt-1'));
    await world.json(201, 'POST', '/clips/exports', await start('attempt-2'));
    const { detail } = await world.problem(
      ...([402, 'export-limit', 'POST', '/clips/exports'] as const),
      await start('attempt-3'),
    );
    assert.equal(detail, 'You have used your 2 exports of the last 24 hours.');
    // A repeated request is no new export.
    const again = await world.json<Export>(200, 'POST', '/clips/exports', await start('attempt-1'));
    assert.equal(again.id, first.id);
    clock.ms += 24 * 60 * 60 * 1000 + 1;
    await world.json(201, 'POST', '/clips/exports', await start('attempt-3'));
  });
});

describe('the download of a user with a session', () => {
  async function ready(t: TestContext) {
    const { world, from, clip, managed } = await open(t);
    const { world: inside } = world.service;
    const project = inside.projects.get(await clip())!;
    const one = inside.addExport(await managed(), project);
    inside.finish(one.id);
    const ask = async (claims: Claims = {}) => ({
      ...(await from(claims)),
      body: { project_id: project.id, name: 'Talk.mp4' },
    });
    const path = `/clips/exports/${one.id}/download`;
    const url = async (): Promise<URL> =>
      new URL((await world.json<{ url: string }>(201, 'POST', path, await ask())).url);
    /** As a browser follows a link. */
    const follow = ({ pathname, search }: URL) =>
      world.call('GET', pathname + search, { user: null, headers: { 'Sec-Fetch-Site': null } });
    return { world, from, ask, path, url, follow, text: `mp4 of ${one.id}` };
  }

  it('has an address of its own, without the session in it', async (t) => {
    const { url, follow, text } = await ready(t);
    const address = await url();
    assert.equal(address.origin, site);
    assert.ok(!address.href.includes((await sign()).split('.')[1]!));
    const response = await follow(address);
    assert.equal(response.status, 200);
    assert.match(response.headers.get('Content-Disposition')!, /^attachment; filename="Talk.mp4"/);
    assert.equal(await response.text(), text);
  });

  it('ends after ten minutes, with a sentence that says what to do', async (t) => {
    const { world, url } = await ready(t);
    const { pathname, search } = await url();
    clock.ms += 601_000;
    const { detail } = await world.problem(403, 'forbidden', 'GET', pathname + search, {
      user: null,
    });
    assert.match(detail!, /Press Download on the page again/);
  });

  it('is of this export alone, and cannot be made up', async (t) => {
    const { world, url } = await ready(t);
    const { pathname, search } = await url();
    const other = pathname.replace(/[^/]+\/download$/, 'other/download');
    await world.problem(403, 'forbidden', 'GET', other + search, { user: null });
    // A session is no grant, and a grant is no session.
    const session = `?grant=${await sign()}`;
    await world.problem(403, 'forbidden', 'GET', pathname + session, { user: null });
    const grant = search.slice('?grant='.length);
    const headers = { Authorization: `Bearer ${grant}` };
    await world.problem(401, 'session-refused', 'GET', '/clips/exports', { user: null, headers });
  });

  it('does not renew itself: only a session gets an address', async (t) => {
    const { world, url } = await ready(t);
    const { pathname, search } = await url();
    const sent = { user: null, headers: { 'Sec-Fetch-Site': null } };
    await world.problem(401, 'unauthenticated', 'POST', pathname + search, sent);
    const head = await world.call('HEAD', pathname + search, { user: null });
    assert.equal(head.status, 200);
  });

  it('is not given for what the user does not have', async (t) => {
    const { world, ask, path } = await ready(t);
    await world.problem(404, 'export-not-found', 'POST', path, await ask({ sub: 'bob' }));
  });

  it('is not needed where a link carries the cookie', async (t) => {
    const world = await HostWorld.open(t);
    const { detail } = await world.problem(
      501,
      'not-supported',
      'POST',
      '/clips/exports/e/download',
      {
        body: { project_id: 'p' },
      },
    );
    assert.match(detail!, /cookie/);
  });
});

describe('the options of a host', () => {
  it('say once who is logged in', () => {
    const service = { baseUrl: 'https://clips.example/v2', apiKey: 'key' };
    const options = { service, basePath: '/clips', log: () => {} };
    const message = /either sessions, or authenticate/;
    assert.throws(() => createClipHost(options), { name: 'TypeError', message });
    const both = { ...options, sessions: { secrets: [secret] }, authenticate: () => null };
    assert.throws(() => createClipHost(both), { name: 'TypeError', message });
  });
});
