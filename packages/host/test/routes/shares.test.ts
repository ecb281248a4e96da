import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Share, ShareWithUrl } from 'clip-kit/contract';
import { SignJWT } from 'jose';
import { HostWorld } from 'clip-testkit/host-world';
import type { HostAuditEntry } from '../../src/index.ts';

const secret = 'a secret of the site that has 32 bytes';
const calls = (id: string) =>
  [
    ['POST', `/clips/projects/${id}/shares`, { body: {} }],
    ['GET', `/clips/projects/${id}/shares`, {}],
    ['DELETE', `/clips/projects/${id}/shares/share-1`, {}],
  ] as const;

describe('share links of a user’s clips', () => {
  it('are made by no page, unless the site allows it', async (t) => {
    const world = await HostWorld.open(t);
    for (const [method, path, sent] of calls(await world.clip())) {
      await world.problem(403, 'forbidden', method, path, sent);
    }
    assert.deepEqual(world.service.sent('POST', /shares$/), []);
  });

  it('are made, listed and revoked where the site allows it, and noted in the audit', async (t) => {
    const audited: HostAuditEntry[] = [];
    const world = await HostWorld.open(t, {
      host: {
        mayShare: ({ user, action }) => user.id === 'ann' && action === 'share',
        audit: (entry) => void audited.push(entry),
      },
    });
    const id = await world.clip('ann', 'f');
    for (const shared of [id, 'f']) {
      const path = `/clips/projects/${shared}/shares`;
      const body = { expires_at: '2030-01-01T00:00:00.000Z', download: true };
      const { url, ...made } = await world.json<ShareWithUrl>(201, 'POST', path, { body });
      assert.match(url, /\/share\/.*\?key=/);
      assert.deepEqual([made.expires_at, made.download], [body.expires_at, true]);
      assert.deepEqual(await world.json<Share[]>(200, 'GET', path), [made]);
      assert.equal((await world.call('DELETE', `${path}/${made.id}`)).status, 204);
      const [revoked] = await world.json<Share[]>(200, 'GET', path);
      assert.ok(revoked!.revoked_at);
    }
    const [sent] = world.service.sent('POST', /shares$/);
    assert.ok(sent!.headers['x-on-behalf-of']);
    const made = audited.filter(({ action }) => action === 'share');
    assert.deepEqual(
      made.map(({ projectId, outcome }) => [projectId, outcome]),
      [id, 'f'].flatMap((one) => Array.from({ length: 4 }, () => [one, 'done'])),
    );
    for (const [method, path, more] of calls(await world.clip('ben'))) {
      await world.problem(404, 'clip-not-found', method, path, more);
      await world.problem(403, 'forbidden', method, path, { ...more, user: 'ben' });
    }
    const wrong = { body: { password: 'x' } };
    await world.problem(400, 'invalid-request', 'POST', `/clips/projects/${id}/shares`, wrong);
  });

  it('are refused where the policy refuses them', async (t) => {
    const authorize = ({ action }: { action: string }) => action !== 'share';
    const world = await HostWorld.open(t, { host: { authorize, mayShare: () => true } });
    for (const [method, path, sent] of calls(await world.clip())) {
      await world.problem(403, 'forbidden', method, path, sent);
    }
  });

  describe('of a user with a session', () => {
    async function open(t: TestContext, host: object = {}) {
      const world = await HostWorld.open(t, { host: { sessions: { secrets: [secret] }, ...host } });
      const as = async (permissions?: readonly string[]) => {
        const iat = Math.floor(Date.now() / 1000);
        const claims = { aud: 'clip-host', sub: 'ann', iat, exp: iat + 900 };
        const session = new SignJWT({ ...claims, ...(permissions && { permissions }) });
        const signed = session.setProtectedHeader({ alg: 'HS256' });
        const token = await signed.sign(new TextEncoder().encode(secret));
        return { user: null, headers: { Authorization: `Bearer ${token}` } };
      };
      await world.json(200, 'GET', '/clips/exports', await as());
      const id = world.service.world.addProject((await world.records.managedUser('ann'))!, null).id;
      return { world, as, id };
    }

    it('need the permission to share, which no session has without naming it', async (t) => {
      const { world, as, id } = await open(t);
      for (const permissions of [undefined, ['view', 'edit', 'export', 'upload', 'delete']]) {
        for (const [method, path, sent] of calls(id)) {
          const asked = { ...(await as(permissions)), ...sent };
          const { detail } = await world.problem(403, 'forbidden', method, path, asked);
          assert.match(detail!, /does not have the permission "share"/);
        }
      }
      const sharer = { ...(await as(['view', 'share'])), body: {} };
      await world.json(201, 'POST', `/clips/projects/${id}/shares`, sharer);
    });

    it('need the option too, where it is set', async (t) => {
      const { world, as, id } = await open(t, { mayShare: () => false });
      const sharer = { ...(await as(['view', 'share'])), body: {} };
      await world.problem(403, 'forbidden', 'POST', `/clips/projects/${id}/shares`, sharer);
    });
  });
});
