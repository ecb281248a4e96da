import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { ServiceClient } from 'clip-kit/client';
import { memoryStore, type HostStore } from '../../src/index.ts';
import { HostRecords } from '../../src/stores/records.ts';
import { creationLeaseMs, ManagedUsers } from '../../src/users/managed-users.ts';
import { FakeService } from 'clip-testkit/fake-service';
import { HostWorld } from 'clip-testkit/host-world';

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
    await world.records.keepManagedUser('ann', id);
    await world.json(200, 'GET', '/clips/exports');
    assert.equal(users(world).length, 0);
    assert.equal(world.service.requests[0]!.onBehalfOf, id);
  });

  it('a failed creation is not remembered', async (t) => {
    const world = await HostWorld.open(t);
    world.service.order({ method: 'POST', path: /^\/users$/, how: { status: 500 } });
    await world.problem(502, 'service-error', 'GET', '/clips/exports');
    await world.json(200, 'GET', '/clips/exports');
  });

  it('is created again, once, when the service has forgotten it', async (t) => {
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

  it('is created again for a start too, which is then sent once more', async (t) => {
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
    it(`is not created again when the service only answers 403 and ${status}`, async (t) => {
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
    it(`is not created again because of a mere ${status}`, async (t) => {
      const world = await HostWorld.open(t);
      const before = await world.managed();
      world.service.order({ method: 'GET', path: /^\/exports$/, how: { status } });
      await world.problem(502, 'service-error', 'GET', '/clips/exports');
      assert.equal(await world.managed(), before);
      assert.equal(users(world).length, 1);
    });
  }
});

describe('the creation of a managed user, with other processes at the store', () => {
  const began = Date.parse('2026-01-31T10:00:00Z');

  /** Users with pauses that pass at once, on a clock that advances by them. */
  const open = async (t: TestContext, store: HostStore = memoryStore(() => began)) => {
    const records = new HostRecords(store, () => began);
    const service = await FakeService.open();
    t.after(() => service.close());
    const { baseUrl, apiKey } = service;
    const clock = {
      now: began,
      pauses: [] as number[],
      replaced: [] as [string, string][],
      meanwhile: async () => {},
    };
    const client = new ServiceClient({ baseUrl, apiKey });
    const users = new ManagedUsers(client, records, {
      now: () => clock.now,
      createToken: async (id) => (await client.createToken(id)).external_access_token,
      replaced: (...change) => clock.replaced.push(change),
      pause: async (milliseconds) => {
        clock.now += milliseconds;
        clock.pauses.push(milliseconds);
        await clock.meanwhile();
      },
    });
    return { service, records, clock, users, made: () => service.sent('POST', /^\/users$/).length };
  };

  it('is waited for, with more and more patience', async (t) => {
    const { records, clock, users, made } = await open(t);
    await records.claimCreation('ann', began, creationLeaseMs);
    clock.meanwhile = async () => {
      if (clock.pauses.length === 7) await records.keepManagedUser('ann', 'made-elsewhere');
    };
    assert.equal(await users.idOf('ann'), 'made-elsewhere');
    assert.deepEqual(clock.pauses, [25, 50, 100, 200, 400, 500, 500]);
    assert.equal(made(), 0);
  });

  it('is begun again when the other has given up', async (t) => {
    const { records, clock, users, service, made } = await open(t);
    await records.claimCreation('ann', began, creationLeaseMs);
    clock.meanwhile = () => records.releaseCreation('ann', began);
    assert.ok(service.world.users.has(await users.idOf('ann')));
    assert.equal(made(), 1);
  });

  describe('of a user that the service no longer knows', () => {
    const gone = { method: 'POST', path: /tokens$/ } as const;
    const json404 = { ...gone, how: { status: 404, body: { code: 'user-not-found' } } };

    it('needs two answers of the service itself', async (t) => {
      const { service, records, clock, users, made } = await open(t);
      const before = await users.idOf('ann');
      service.order(json404, json404, json404);
      const { managedUser } = await users.tokenOf('ann');
      assert.notEqual(managedUser, before);
      assert.equal(await records.managedUser('ann'), managedUser);
      assert.deepEqual(clock.pauses, [1000]);
      assert.deepEqual(clock.replaced, [[before, managedUser]]);
      assert.equal(made(), 2);
    });

    const bare = { ...gone, how: { status: 404, body: '<h1>Not Found</h1>' } };
    for (const [what, orders] of [
      ['the bare 404 of a proxy', [bare]],
      ['bare 404s', [bare, bare, bare]],
      ['one 404 of the service, then a token', [json404, json404]],
      ['a 404 of the service, then one of a proxy', [json404, json404, bare]],
      ['a 404 of the service, then a 503', [json404, json404, { ...gone, how: { status: 503 } }]],
    ] as const) {
      it(`is not begun because of ${what}`, async (t) => {
        const { service, records, users, clock, made } = await open(t);
        const before = await users.idOf('ann');
        service.order(...orders);
        await assert.rejects(users.tokenOf('ann'), { status: 404 });
        assert.equal(await records.managedUser('ann'), before);
        assert.deepEqual(clock.replaced, []);
        assert.equal(made(), 1);
      });
    }

    it('keeps the old one in the store until there is a new one', async (t) => {
      const { service, records, users } = await open(t);
      const before = await users.idOf('ann');
      service.order(json404, json404, json404);
      service.order({ method: 'POST', path: /^\/users$/, how: { status: 503 } });
      await assert.rejects(users.tokenOf('ann'), { status: 503 });
      assert.equal(await records.managedUser('ann'), before);
    });

    it('takes the one that another process has created meanwhile', async (t) => {
      const { service, records, users, clock, made } = await open(t);
      const before = await users.idOf('ann');
      const { id } = service.world.addUser();
      service.order(json404, json404, json404);
      clock.meanwhile = async () => void (await records.replaceManagedUser('ann', before, id));
      assert.equal((await users.tokenOf('ann')).managedUser, id);
      assert.deepEqual(clock.replaced, []);
      assert.equal(made(), 1);
    });
  });

  it('of a process that has ended: 503 for 30 s of waiting, and taken over after a minute', async (t) => {
    const { records, clock, users, made } = await open(t);
    await records.claimCreation('ann', began, creationLeaseMs);
    await assert.rejects(users.idOf('ann'), {
      code: 'service-unavailable',
      status: 503,
      details: {
        detail: 'Another process is creating this user. Try again in a few seconds.',
        headers: { 'Retry-After': '10' },
      },
    });
    assert.ok(clock.now - began >= 30_000 && clock.now - began < 31_000);
    assert.equal(made(), 0);
    assert.equal(await users.idOf('ann'), await records.managedUser('ann'));
    assert.ok(clock.now - began >= creationLeaseMs);
    assert.equal(made(), 1);
  });

  it('that fails is given up, so that the next request may try', async (t) => {
    const { service, records, users, clock, made } = await open(t);
    service.order({ method: 'POST', path: /^\/users$/, how: { status: 500 } });
    await assert.rejects(users.idOf('ann'), { status: 500 });
    assert.equal(await users.idOf('ann'), await records.managedUser('ann'));
    assert.deepEqual(clock.pauses, []);
    assert.equal(made(), 2);
  });

  it('that cannot be written down is an error, and the reason is the store’s', async (t) => {
    const store = memoryStore(() => began);
    const { users } = await open(t, {
      ...store,
      replace: async (name, from, to) => {
        if (!to) throw new Error('disk still full');
        if (to.value) throw new Error('disk full');
        return store.replace(name, from, to);
      },
    });
    await assert.rejects(users.idOf('ann'), { message: 'disk full' });
  });
});
