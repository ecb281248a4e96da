import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Permission, TokenAnswer } from 'clip-kit/contract';
import { createClipHost, type ClipHostOptions } from '../../src/index.ts';
import { HostWorld } from 'clip-testkit/host-world';

const tokenPath = /tokens$/;
const viewOnly = { permissions: ['view'] };

const ask = (world: HostWorld, user = 'ann', headers = {}) =>
  world.json<TokenAnswer>(200, 'POST', '/clips/token', { user, body: {}, headers });
const sent = (world: HostWorld) => world.service.sent('POST', tokenPath).map(({ body }) => body);

const withEditor = { tokenPermissions: true };

describe('what an embed token allows', () => {
  const policies: [name: string, policy: Partial<ClipHostOptions>, body: object][] = [
    ['no policy', {}, {}],
    ['authorize', { authorize: () => true }, viewOnly],
    ['exportOptions', { exportOptions: (asked) => asked }, viewOnly],
    ['audit', { audit: () => {} }, viewOnly],
  ];
  for (const [name, host, body] of policies) {
    it(`beside ${name}: ${body === viewOnly ? 'only view' : 'the service’s default'}`, async (t) => {
      const world = await HostWorld.open(t, { host, service: withEditor });
      await ask(world);
      assert.deepEqual(sent(world), [body]);
    });
  }

  it('is what the site sets, whatever its policies are', async (t) => {
    const tokenPermissions = ['view', 'edit'] as const;
    for (const policy of [{}, { authorize: () => true }]) {
      const host = { ...policy, tokenPermissions };
      const world = await HostWorld.open(t, { host, service: withEditor });
      await ask(world);
      assert.deepEqual(sent(world), [{ permissions: tokenPermissions }]);
    }
  });

  it('stays the same for a renewal, and for the token of a user that is created again', async (t) => {
    const host = { authorize: () => true };
    const world = await HostWorld.open(t, { host, service: withEditor });
    const first = await ask(world);
    assert.deepEqual(await ask(world), first);
    assert.equal(sent(world).length, 1);
    await ask(world, 'ann', { 'Cache-Control': 'no-cache' });
    world.service.world.users.delete(await world.managed());
    await ask(world, 'ann', { 'Cache-Control': 'no-cache' });
    assert.ok(sent(world).length > 3);
    for (const body of sent(world)) assert.deepEqual(body, viewOnly);
  });

  for (const wrong of [[], ['edit'], ['view', 'delete'], 'view', null]) {
    it(`${JSON.stringify(wrong)} is refused when the host is made`, () => {
      const make = () =>
        createClipHost({
          service: { baseUrl: 'http://127.0.0.1:9/v2', apiKey: 'key' },
          authenticate: () => null,
          basePath: '/clips',
          tokenPermissions: wrong as Permission[],
          log: () => {},
        });
      assert.throws(make, { name: 'TypeError', message: /^tokenPermissions: / });
    });
  }
});

describe('the editor of a user', () => {
  const editor = { tools: ['cut'], presets: ['bold'], text: false } as const;
  const editorLimits = () => ({ ...editor, tools: [...editor.tools], presets: ['bold'] });

  it('is limited in the token and in the host’s own calls, for each user', async (t) => {
    const host: Partial<ClipHostOptions> = {
      editorLimits: ({ id }) => (id === 'ann' ? editorLimits() : {}),
      tokenPermissions: ['view', 'edit'],
    };
    const world = await HostWorld.open(t, { host, service: withEditor });
    await ask(world);
    await ask(world, 'bob');
    const { tokenPermissions: permissions } = host;
    assert.deepEqual(sent(world), [{ permissions, editor }, { permissions }]);
    const id = await world.clip();
    const change = { body: { changes: { title: 'Dawn' } }, headers: { 'If-Match': '"1"' } };
    await world.problem(403, 'forbidden', 'PATCH', `/clips/projects/${id}/edit`, change);
  });

  it('is not named in a token that only views', async (t) => {
    const host = { editorLimits, tokenPermissions: ['view'] as const };
    const world = await HostWorld.open(t, { host, service: withEditor });
    await ask(world);
    assert.deepEqual(sent(world), [viewOnly]);
  });

  it('is not given where the service knows no limits of it: 502', async (t) => {
    const world = await HostWorld.open(t, { host: { editorLimits } });
    await world.problem(502, 'service-error', 'POST', '/clips/token', { body: {} });
    assert.deepEqual(sent(world), [{ editor }], 'no token without them was asked for');
    const deaf = await HostWorld.open(t, { host: { editorLimits }, service: withEditor });
    const token = 'e30.eyJwZXJtaXNzaW9ucyI6WyJ2aWV3Il19.e30';
    const how = { status: 201, body: JSON.stringify({ external_access_token: token }) };
    deaf.service.order({ method: 'POST', path: tokenPath, how });
    await deaf.problem(502, 'service-error', 'POST', '/clips/token', { body: {} });
  });

  it('is not given if the site says it wrongly: 500', async (t) => {
    const host = { editorLimits: () => ({ tools: ['paint'] }) } as object;
    const world = await HostWorld.open(t, { host, service: withEditor });
    await world.problem(500, 'internal-error', 'POST', '/clips/token', { body: {} });
    assert.equal(sent(world).length, 0);
    const [failure] = world.log.filter(({ event }) => event === 'failure');
    assert.match(failure!.message, /editorLimits returned invalid limits: tools.0 must be among/);
  });

  it('is a claim of a session, so the option is refused beside sessions', () => {
    const make = () =>
      createClipHost({
        service: { baseUrl: 'http://127.0.0.1:9/v2', apiKey: 'key' },
        sessions: { secrets: ['f'.repeat(64)] },
        basePath: '/clips',
        editorLimits,
        log: () => {},
      });
    assert.throws(make, { name: 'TypeError', message: /set the claim editor/ });
  });
});

describe('a service whose tokens have no permissions', () => {
  const host = { authorize: () => true };

  it('is retried without permissions, and its token is cached like any other', async (t) => {
    const world = await HostWorld.open(t, { host });
    const first = await ask(world);
    assert.deepEqual(await ask(world), first);
    assert.deepEqual(sent(world), [viewOnly, {}]);
    await ask(world, 'bob');
    assert.deepEqual(sent(world), [viewOnly, {}, viewOnly, {}]);
  });

  it('is not one that has refused once and says in its tokens what they permit: 502', async (t) => {
    const world = await HostWorld.open(t, { host, service: withEditor });
    world.service.order({ method: 'POST', path: tokenPath, how: { status: 400 } });
    await world.problem(502, 'service-error', 'POST', '/clips/token', { body: {} });
    await ask(world);
    assert.deepEqual(sent(world), [viewOnly, {}, viewOnly]);
  });

  it('is not one that refuses both', async (t) => {
    const world = await HostWorld.open(t, { host, service: { tokenPermissions: true } });
    const order = { method: 'POST', path: tokenPath, how: { status: 422 } } as const;
    world.service.order(order, order);
    await world.problem(422, 'unprocessable', 'POST', '/clips/token', { body: {} });
    await ask(world);
    assert.deepEqual(sent(world), [viewOnly, {}, viewOnly]);
  });

  for (const [name, how] of [
    ['a proxy that answers 400', { status: 400, body: '<h1>Bad Request</h1>' }],
    ['a service that answers 403', { status: 403 }],
    ['a service that answers 500', { status: 500 }],
  ] as const) {
    it(`is not shown by ${name}`, async (t) => {
      const world = await HostWorld.open(t, { host });
      world.service.order({ method: 'POST', path: tokenPath, how });
      const answer = await world.call('POST', '/clips/token', { body: {} });
      assert.ok(answer.status >= 400);
      assert.deepEqual(sent(world), [viewOnly]);
    });
  }

  it('gives none to a site that has set them: 502, and a line in the log', async (t) => {
    const world = await HostWorld.open(t, { host: { tokenPermissions: ['view'] } });
    await world.problem(502, 'service-error', 'POST', '/clips/token', { body: {} });
    assert.deepEqual(sent(world), [viewOnly]);
    const [failure] = world.log.filter(({ event }) => event === 'failure');
    assert.match(failure!.message, /the service rejects token permissions: POST .*answered 400/);
  });
});
