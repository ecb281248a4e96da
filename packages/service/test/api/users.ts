import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeJwt } from 'jose';
import { userSchema } from 'clip-kit/contract';
import type { QuietWorld } from '../support/quiet-world.ts';
import { assertProblem, fieldsOf } from 'clip-testkit/world';

export function userSuite(world: () => QuietWorld): void {
  describe('POST /users (4.11)', () => {
    it('creates a managed user of the organization', async () => {
      const one = await world().post('/users');
      const other = await world().post('/users');
      assert.equal(one.status, 201);
      const user = userSchema.parse(one.body);
      assert.equal(user.isGuest, true);
      assert.match(user.email, /^\S+@\S+$/);
      assert.equal(other.body.organizationId, user.organizationId);
      assert.notEqual(other.body.id, user.id);
      assert.notEqual(other.body.email, user.email);
    });

    it('takes no body for an empty one, and refuses unknown fields', async () => {
      assert.equal((await world().call('POST', '/users')).status, 201);
      const answer = await world().post('/users', { email: 'a@b.c' });
      assertProblem(answer, 400, 'invalid-request');
      assert.deepEqual(fieldsOf(answer), ['email']);
    });

    it('creates one user for an Idempotency-Key', async () => {
      const headers = { 'Idempotency-Key': `user-${crypto.randomUUID()}` };
      const [one, other] = [
        await world().post('/users', {}, { headers }),
        await world().post('/users', {}, { headers }),
      ];
      assert.deepEqual([one.status, other.status], [201, 201]);
      assert.deepEqual(other.body, one.body);
      await world().call('DELETE', `/users/${one.body.id}`);
      assertProblem(await world().post('/users', {}, { headers }), 409, 'attempt-mismatch');
    });

    it('is no call for a managed user', async () => {
      const user = await world().user();
      assertProblem(await world().post('/users', {}, { as: user }), 403, 'forbidden');
    });
  });

  describe('POST /users/{user_id}/tokens (4.12)', () => {
    it('issues a token for the user that expires', async () => {
      const user = await world().user();
      const { status, headers, body } = await world().post(`/users/${user}/tokens`);
      assert.equal(status, 201);
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.deepEqual(Object.keys(body), ['external_access_token']);
      const claims = decodeJwt(body.external_access_token);
      assert.equal(claims.sub, user);
      assert.equal((claims.exp ?? 0) - (claims.iat ?? 0), 3600);
    });

    it('is 404 for anyone who is not a managed user of the organization', async () => {
      const other = await world().createOrganization('Other');
      const stranger = await world().post('/users', {}, { key: other.apiKey });
      for (const id of [stranger.body.id, 'nobody', crypto.randomUUID(), '%00']) {
        assertProblem(await world().post(`/users/${id}/tokens`), 404, 'not-found');
      }
    });

    it('refuses unknown fields', async () => {
      const user = await world().user();
      const answer = await world().post(`/users/${user}/tokens`, { ttl: 1 });
      assertProblem(answer, 400, 'invalid-request');
      assert.deepEqual(fieldsOf(answer), ['ttl']);
    });
  });
}
