import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HostUser } from '../../src/index.ts';
import { HostWorld } from 'clip-testkit/host-world';
import { findPaidStart } from '../support/memory-records.ts';

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

  describe('is compared with the account that the page shows', () => {
    const clip = { project_id: 'p' };
    const video = { source_video_url: 'https://videos.example/a.mp4' };
    const calls: readonly [method: string, path: string, body?: unknown][] = [
      ['POST', '/exports', clip],
      ['POST', '/tasks/video-to-shorts', video],
      ['POST', '/tasks/video-to-video', { ...video, editing_options: {} }],
      ['POST', '/uploads', { name: 'a.mp4', size: 1000 }],
      ['GET', '/uploads/u1'],
      ['DELETE', '/uploads/u1'],
      ['DELETE', '/tasks/t1'],
    ];
    for (const [method, path, body] of calls) {
      it(`${method} ${path} for another one: 409, with the right tag, and nothing is sent, stored or paid`, async (t) => {
        const world = await HostWorld.open(t);
        const tag = (await world.call('GET', '/clips/exports')).headers.get('Clip-Account')!;
        const sent = { key: 'attempt-1', ...(body === undefined ? {} : { body }) };
        const headers = { 'Clip-Account': tag };
        const answer = await world.call(method, `/clips${path}`, { ...sent, headers, user: 'bob' });
        assert.equal(answer.status, 409);
        const { code } = (await answer.json()) as { code: string };
        assert.equal(code, 'account-changed');
        const bobs = (await world.call('GET', '/clips/exports', { user: 'bob' })).headers;
        assert.equal(answer.headers.get('Clip-Account'), bobs.get('Clip-Account'));
        assert.equal(await findPaidStart(world.records, 'bob', 'attempt-1'), null);
        assert.deepEqual(world.service.sent(method, /^\/(?:projects|tasks|uploads)/), []);
      });
    }

    it('without a tag, and with the right one, a start goes through', async (t) => {
      const world = await HostWorld.open(t);
      const project_id = await world.clip();
      const start = (key: string, tag: string | null) =>
        world.call('POST', '/clips/exports', {
          key,
          body: { project_id },
          headers: { 'Clip-Account': tag },
        });
      const first = await start('attempt-1', null);
      assert.equal(first.status, 201);
      const again = await start('attempt-2', first.headers.get('Clip-Account'));
      assert.equal(again.status, 201);
    });
  });
});
