import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { Export, Problem } from 'clip-kit/contract';
import { longRun } from 'clip-testkit/long-run';
import { FakeService } from 'clip-testkit/fake-service';
import { HostProcess, type Asked, type HostProcessOptions } from '../support/host-processes.ts';
import { temporaryDirectory } from '../support/host-stores.ts';
import { newName, serverAddresses } from '../support/server-stores.ts';

type Store = HostProcessOptions['store'];

const urls = serverAddresses();
const kinds: Readonly<Record<string, (t: TestContext) => Store>> = urls
  ? {
      postgresStore: () => ({ kind: 'postgres', address: urls.postgres, name: newName() }),
      redisStore: () => ({ kind: 'redis', address: urls.redis, name: newName() }),
    }
  : {
      'sqliteStore in a file': (t) => ({
        kind: 'sqlite',
        address: join(temporaryDirectory(t), 'host.db'),
        name: '',
      }),
    };

const ten = Array.from({ length: 10 }, (_, n) => n);
const key = 'attempt-1';

async function open(t: TestContext, store: Store, more: Partial<HostProcessOptions> = {}) {
  const service = await FakeService.open();
  t.after(() => service.close());
  const { baseUrl, apiKey } = service;
  const one = new HostProcess(t, { store, baseUrl, apiKey, ...more });
  const two = new HostProcess(t, { store, baseUrl, apiKey });
  return {
    service,
    one,
    two,
    made: () => service.sent('POST', /^\/users$/).length,
    starts: () => service.sent('POST', /exports$/).length,
    /** A new clip of the user's, as the body of a start. */
    async clip(user: string): Promise<Asked> {
      await two.call('GET', '/clips/exports', { user });
      const author = service.requests.at(-1)!.onBehalfOf!;
      return { user, key, body: { project_id: service.world.addProject(author).id } };
    },
  };
}

for (const [name, storeOf] of Object.entries(kinds)) {
  describe(`two processes with one ${name}`, { skip: !urls && !longRun }, () => {
    it('make one managed user for ten requests that a new user sends to each', async (t) => {
      const { service, one, two, made } = await open(t, storeOf(t));
      const held = service.hold('POST', /^\/users$/);
      const refused = Promise.race([one.tells('creation-refused'), two.tells('creation-refused')]);
      const answers = ten.flatMap(() =>
        [one, two].map((host) => host.call('GET', '/clips/exports', { user: 'ann' })),
      );
      await held.arrived;
      await refused;
      held.release();
      for (const { status } of await Promise.all(answers)) assert.equal(status, 200);
      assert.equal(made(), 1);
      const authors = service.sent('GET', /^\/exports$/).map(({ onBehalfOf }) => onBehalfOf);
      assert.deepEqual([...new Set(authors)], [...service.world.users.keys()]);
    });

    it('make the user at the second try, whichever has it, when the first has failed', async (t) => {
      const { service, one, two, made } = await open(t, storeOf(t));
      service.order({ method: 'POST', path: /^\/users$/, how: { status: 500 } });
      const answers = await Promise.all(
        [one, two].map((host) => host.call('GET', '/clips/exports', { user: 'ann' })),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 502]);
      assert.equal(made(), 2);
      assert.equal(service.world.users.size, 1);
    });

    it('create a managed user again, once, that the service has forgotten', async (t) => {
      const { service, one, two, made } = await open(t, storeOf(t));
      const [{ status }] = await Promise.all([
        one.call('GET', '/clips/exports', { user: 'ann' }),
        two.call('GET', '/clips/exports', { user: 'ann' }),
      ]);
      assert.equal(status, 200);
      service.world.users.clear();
      const answers = await Promise.all(
        ten.map((n) => [one, two][n % 2]!.call('GET', '/clips/exports', { user: 'ann' })),
      );
      for (const answer of answers) assert.equal(answer.status, 200);
      assert.equal(made(), 2);
      assert.equal(service.world.users.size, 1);
    });

    it('start one export for one key', async (t) => {
      const { service, one, two, starts, clip } = await open(t, storeOf(t));
      const asked = await clip('ann');
      const held = service.hold('POST', /exports$/);
      const first = one.call('POST', '/clips/exports', asked);
      await held.arrived;
      const early = await two.call('POST', '/clips/exports', asked);
      assert.deepEqual([early.status, (early.body as Problem).code], [409, 'in-progress']);
      held.release();
      const { status, body } = await first;
      assert.equal(status, 201);
      assert.deepEqual(await two.call('POST', '/clips/exports', asked), { status: 200, body });
      assert.equal(starts(), 1);
    });

    it('start one export for ten requests with one key at each', async (t) => {
      const { one, two, starts, clip } = await open(t, storeOf(t));
      const asked = await clip('ann');
      const answers = await Promise.all(
        ten.flatMap(() => [one, two].map((host) => host.call('POST', '/clips/exports', asked))),
      );
      const started = answers.filter(({ status }) => status === 200 || status === 201);
      assert.equal(started.filter(({ status }) => status === 201).length, 1);
      assert.equal(new Set(started.map(({ body }) => (body as Export).id)).size, 1);
      assert.equal(starts(), 1);
      const last = await two.call('POST', '/clips/exports', asked);
      assert.deepEqual([last.status, last.body], [200, started[0]!.body]);
    });

    it('find at the other the export whose process was killed before it wrote it down', async (t) => {
      const { service, one, two, starts, clip } = await open(t, storeOf(t), { neverWrites: true });
      const asked = await clip('ann');
      const writing = one.tells('about-to-write');
      void one.call('POST', '/clips/exports', asked);
      await writing;
      await one.kill();
      const [exportId] = service.world.exports.keys();
      const { status, body } = await two.call('POST', '/clips/exports', asked);
      assert.deepEqual([status, (body as Export).id], [200, exportId]);
      assert.equal(starts(), 1);
    });
  });
}
