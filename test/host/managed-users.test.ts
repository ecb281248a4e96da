import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HostWorld } from '../support/host-world.ts';

const users = (world: HostWorld) => world.service.sent('POST', /^\/users$/);

describe('managed users', () => {
  it('one is made for ten requests that come together', async (t) => {
    const world = await HostWorld.open(t);
    const paths = Array.from({ length: 10 }, (_, n) => (n % 2 ? '/clips/exports' : '/clips/token'));
    const answers = await Promise.all(
      paths.map((path) =>
        path.endsWith('token') ? world.call('POST', path, { body: {} }) : world.call('GET', path),
      ),
    );
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    assert.equal(users(world).length, 1);
    assert.deepEqual(users(world)[0]!.body, {});
    assert.equal(users(world)[0]!.onBehalfOf, null);
  });

  it('each user of the site has their own, and it is kept', async (t) => {
    const world = await HostWorld.open(t);
    await world.json(200, 'GET', '/clips/exports', { user: 'ann' });
    await world.json(200, 'GET', '/clips/exports', { user: 'bob' });
    await world.json(200, 'GET', '/clips/exports', { user: 'ann' });
    assert.equal(users(world).length, 2);
    const [ann, bob, again] = world.service.sent('GET', /^\/exports$/);
    assert.equal(ann!.onBehalfOf, again!.onBehalfOf);
    assert.notEqual(ann!.onBehalfOf, bob!.onBehalfOf);
  });

  it('is taken from the store, where another process has made it', async (t) => {
    const world = await HostWorld.open(t);
    const { id } = world.service.world.addUser();
    await world.store.keepManagedUser('ann', id);
    await world.json(200, 'GET', '/clips/exports');
    assert.equal(users(world).length, 0);
    assert.equal(world.service.requests[0]!.onBehalfOf, id);
  });

  it('a failed making is not remembered', async (t) => {
    const world = await HostWorld.open(t);
    world.service.order({ method: 'POST', path: /^\/users$/, how: { status: 500 } });
    await world.problem(502, 'service-error', 'GET', '/clips/exports');
    await world.json(200, 'GET', '/clips/exports');
  });

  it('is made anew, once, when the service has forgotten it', async (t) => {
    const world = await HostWorld.open(t);
    const before = await world.managed();
    world.service.world.users.delete(before);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => world.call('GET', '/clips/exports')),
    );
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    assert.equal(users(world).length, 2);
    assert.notEqual(await world.managed(), before);
  });

  it('is made anew for a start too, which is then sent once more', async (t) => {
    const world = await HostWorld.open(t);
    world.service.world.users.delete(await world.managed());
    // The clip was the forgotten user's, so the new one does not have it.
    await world.problem(404, 'clip-not-found', 'POST', '/clips/exports', {
      key: 'attempt-1',
      body: { project_id: 'p' },
    });
    assert.equal(world.service.sent('POST', /exports$/).length, 2);
    assert.equal(world.service.world.exports.size, 0);
  });

  for (const status of [401, 403, 500]) {
    it(`is not made anew when all that the service says is 403 and ${status}`, async (t) => {
      const world = await HostWorld.open(t);
      const before = await world.managed();
      world.service.order(
        { method: 'GET', path: /^\/exports$/, how: { status: 403 } },
        { method: 'POST', path: /tokens$/, how: { status } },
      );
      await world.problem(502, 'service-error', 'GET', '/clips/exports');
      assert.equal(await world.managed(), before);
    });
  }

  for (const status of [401, 403]) {
    it(`is not made anew because of a mere ${status}`, async (t) => {
      const world = await HostWorld.open(t);
      const before = await world.managed();
      world.service.order({ method: 'GET', path: /^\/exports$/, how: { status } });
      await world.problem(502, 'service-error', 'GET', '/clips/exports');
      assert.equal(await world.managed(), before);
      assert.equal(users(world).length, 1);
    });
  }
});
