import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { createApp } from '../../src/api/app.ts';
import type { QuietWorld } from '../support/quiet-world.ts';
import { assertProblem } from 'clip-testkit/world';

export function authenticationSuite(world: () => QuietWorld): void {
  describe('authentication (section 5)', () => {
    it('refuses a call without a key, and says how to authenticate', async () => {
      const answer = await world().get('/exports', { key: null });
      assertProblem(answer, 401, 'unauthenticated');
      assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/);
    });

    it('refuses a key that nobody has, and does not repeat it', async () => {
      const answer = await world().get('/exports', { key: 'ck_nobody_has_this_key' });
      assertProblem(answer, 401, 'unauthenticated');
      assert.match(answer.headers.get('www-authenticate') ?? '', /error="invalid_token"/);
      assert.doesNotMatch(JSON.stringify(answer.body), /ck_nobody/);
    });

    it('refuses an external_access_token: it is for the embed page alone', async () => {
      const token = await world().token(await world().user());
      assertProblem(await world().get('/exports', { key: token }), 401, 'unauthenticated');
    });

    it('takes the scheme in any case', async () => {
      const answer = await world().get('/exports', {
        key: null,
        headers: { authorization: `bearer ${world().key}` },
      });
      assert.equal(answer.status, 200);
    });

    it('acts for managed users of the own organization alone', async () => {
      const other = await world().createOrganization('Other');
      const stranger = await world().post('/users', {}, { key: other.apiKey });
      assertProblem(await world().get('/exports', { as: stranger.body.id }), 403, 'forbidden');
      assertProblem(await world().get('/exports', { as: 'nobody' }), 403, 'forbidden');
      const own = await world().user();
      assert.equal((await world().get('/exports', { as: own })).status, 200);
    });

    it('asks for the key before it says what is there', async () => {
      assertProblem(await world().get('/nothing', { key: null }), 401, 'unauthenticated');
      assertProblem(await world().get('/nothing'), 404, 'not-found');
    });

    it('answers another method with 405 and the ones there are', async () => {
      const answer = await world().call('DELETE', '/exports');
      assertProblem(answer, 405, 'method-not-allowed');
      assert.equal(answer.headers.get('allow'), 'GET, HEAD');
      const start = await world().get('/projects/x/exports');
      assertProblem(start, 405, 'method-not-allowed');
      assert.equal(start.headers.get('allow'), 'POST');
    });

    it('keeps keys, tokens and queries out of the log', async () => {
      const token = await world().token(await world().user());
      await world().get(`/exports?folder_id=query-secret`, { key: token });
      const log = JSON.stringify(world().jobs.log);
      assert.match(log, /"path":"\/v2\/exports"/);
      for (const secret of [world().key, token, 'query-secret']) {
        assert.ok(!log.includes(secret));
      }
    });
  });

  describe('what needs no key', () => {
    it('describes the API as OpenAPI 3.1, with the schemas of the contract', async () => {
      const { status, body } = await world().get('/openapi.json', { key: null });
      assert.equal(status, 200);
      assert.equal(body.servers[0].url, `${world().url}/v2`);
      for (const { method, path, handler } of createApp(world().jobs.service).routes) {
        if (!path.startsWith('/v2/') || method === 'ALL' || path === '/v2/openapi.json') continue;
        assert.ok('description' in handler, `${method} ${path}`);
      }
      const shorts = body.components.schemas.VideoToShortsRequest;
      assert.equal(shorts.properties.target_duration.maximum, 120);
      assert.equal(shorts.additionalProperties, false);
      const refs = JSON.stringify(body).match(/#\/components\/schemas\/\w+/g) ?? [];
      for (const ref of refs) assert.ok(body.components.schemas[ref.split('/')[3] ?? ''], ref);
      const { valid, errors } = await new Validator().validate(body);
      assert.equal(valid, true, JSON.stringify(errors));
    });

    it('says that it is well', async () => {
      const response = await world().fetch('/healthz');
      assert.deepEqual([response.status, await response.json()], [200, { status: 'ok' }]);
    });
  });
}
