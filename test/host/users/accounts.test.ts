import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HostUser } from '../../../src/host/index.ts';
import { HostWorld } from '../../support/host-world.ts';

describe('the user of a request', () => {
  for (const id of [undefined, null, '', 42, {}, 'undefined', 'null', 'NaN', '[object Object]']) {
    it(`is never ${JSON.stringify(id) ?? 'undefined'}: 500 with the reason, and nothing is sent`, async (t) => {
      const authenticate = () => ({ id }) as unknown as HostUser;
      const world = await HostWorld.open(t, { host: { authenticate } });
      const sent = { key: 'attempt-1', body: { project_id: 'p' } };
      await world.problem(500, 'internal-error', 'POST', '/clips/exports', sent);
      await world.problem(500, 'internal-error', 'GET', '/clips/exports');
      assert.deepEqual(world.service.requests, []);
      const reasons = world.log.filter(({ event }) => event === 'failure');
      assert.match(reasons[0]!.message, /authenticate must return \{id\}/);
    });
  }

  it('has a tag in every answer, which is the same each time and not the id', async (t) => {
    const world = await HostWorld.open(t);
    const tagOf = async (path: string, user: string | null) =>
      (await world.call('GET', path, { user })).headers.get('Clip-Account');
    const ann = await tagOf('/clips/exports', 'ann');
    assert.match(ann!, /^\w{8,16}$/);
    assert.equal(await tagOf('/clips/exports/none?project_id=p', 'ann'), ann);
    assert.notEqual(await tagOf('/clips/exports', 'bob'), ann);
    assert.equal(await tagOf('/clips/exports', null), null);
  });
});
