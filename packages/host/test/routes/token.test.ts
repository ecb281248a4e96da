import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TokenAnswer } from 'clip-kit/contract';
import { HostWorld } from 'clip-testkit/host-world';

const start = Date.parse('2026-01-31T10:00:00Z');

const ask = (world: HostWorld, user = 'ann') =>
  world.json<TokenAnswer>(200, 'POST', '/clips/token', { user, body: { project_id: 'p' } });
const issued = (world: HostWorld) => world.service.sent('POST', /tokens$/).length;

describe('POST {endpoint}/token', () => {
  it('gives the token of the user’s managed user, and when it ends', async (t) => {
    const world = await HostWorld.open(t, { now: () => start, service: { tokenLife: 900 } });
    const answer = await ask(world);
    assert.equal(answer.expires_at, '2026-01-31T10:15:00.000Z');
    const [, payload = ''] = answer.external_access_token.split('.');
    const { sub } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sub: string };
    assert.equal(sub, await world.managed());
  });

  it('gives the same one to all who ask together, and until a minute before its end', async (t) => {
    let now = start;
    const world = await HostWorld.open(t, { now: () => now, service: { tokenLife: 900 } });
    const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => ask(world)));
    for (const other of others) assert.deepEqual(other, first);
    now = start + 839_999;
    assert.deepEqual(await ask(world), first);
    assert.equal(issued(world), 1);
    now = start + 840_000;
    const next = await ask(world);
    assert.equal(issued(world), 2);
    assert.equal(next.expires_at, '2026-01-31T10:29:00.000Z');
  });

  it('gives a new one to a page that renews (Cache-Control: no-cache), and from then on to all', async (t) => {
    const world = await HostWorld.open(t, { now: () => start, service: { tokenLife: 900 } });
    const first = await ask(world);
    const headers = { 'Cache-Control': 'no-cache' };
    const renewed = await world.json<TokenAnswer>(200, 'POST', '/clips/token', {
      body: {},
      headers,
    });
    assert.notDeepEqual(renewed, first);
    assert.deepEqual(await ask(world), renewed);
    assert.equal(issued(world), 2);
  });

  it('never gives one user’s to another', async (t) => {
    const world = await HostWorld.open(t);
    const [ann, bob] = [await ask(world, 'ann'), await ask(world, 'bob')];
    assert.notEqual(ann.external_access_token, bob.external_access_token);
  });

  it('gives a token that does not say its end for half a minute', async (t) => {
    let now = start;
    const world = await HostWorld.open(t, { now: () => now, service: { tokenLife: null } });
    const first = await ask(world);
    assert.equal(first.expires_at, null);
    now += 29_999;
    assert.deepEqual(await ask(world), first);
    now += 1;
    assert.notDeepEqual(await ask(world), first);
  });

  it('does not give again one that lives less than a minute', async (t) => {
    const world = await HostWorld.open(t, { now: () => start, service: { tokenLife: 60 } });
    await ask(world);
    await ask(world);
    assert.equal(issued(world), 2);
  });

  it('creates the managed user again when the service has forgotten it', async (t) => {
    const world = await HostWorld.open(t);
    const before = await world.managed();
    world.service.world.users.delete(before);
    await ask(world);
    assert.notEqual(await world.managed(), before);
  });

  it('does not give the token of a managed user that has been replaced since', async (t) => {
    const world = await HostWorld.open(t);
    const first = await ask(world);
    world.service.world.users.delete(await world.managed());
    await world.json(200, 'GET', '/clips/exports');
    assert.notDeepEqual(await ask(world), first);
  });

  it('does not remember a failure', async (t) => {
    const world = await HostWorld.open(t);
    world.service.order({ method: 'POST', path: /tokens$/, how: { status: 503 } });
    await world.problem(503, 'service-unavailable', 'POST', '/clips/token', { body: {} });
    await ask(world);
  });

  it('is 502 when the service sends {token}', async (t) => {
    const world = await HostWorld.open(t);
    const how = { status: 200, body: { token: 'eyJ-not-to-be-told' } };
    world.service.order({ method: 'POST', path: /tokens$/, how });
    await world.problem(502, 'service-error', 'POST', '/clips/token', { body: {} });
  });
});
