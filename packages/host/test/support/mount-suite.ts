import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Export, Problem } from 'clip-kit/contract';
import { openMounted, send, type Mount } from 'clip-testkit/mounted-host';

const key = 'attempt-1';

/** What a host does in any framework, however it is mounted. */
export function describeMount(name: string, mount: Mount): void {
  describe(`a host behind ${name}`, () => {
    it('knows by the cookie who is logged in, and gives a token', async (t) => {
      const site = await openMounted(t, mount);
      const answered = await site.send('POST', '/clips/token', { body: {} });
      assert.equal(answered.status, 200);
      assert.equal(answered.headers['cache-control'], 'no-store');
      assert.equal(answered.headers['content-type'], 'application/json');
      assert.match(answered.json<{ external_access_token: string }>().external_access_token, /^ey/);
      const nobody = await send(site.url, 'GET', '/clips/exports');
      assert.deepEqual(
        [nobody.status, nobody.json<Problem>().code, nobody.headers['content-type']],
        [401, 'unauthenticated', 'application/problem+json'],
      );
    });

    it('starts an export once for an attempt key', async (t) => {
      const site = await openMounted(t, mount);
      const sent = {
        body: { project_id: await site.world.clip() },
        headers: { 'Idempotency-Key': key },
      };
      const first = await site.send('POST', '/clips/exports', sent);
      const again = await site.send('POST', '/clips/exports', sent);
      assert.deepEqual([first.status, again.status], [201, 200]);
      assert.equal(again.json<Export>().id, first.json<Export>().id);
      assert.equal(site.world.service.sent('POST', /\/exports$/).length, 1);
    });

    it('holds a watcher for as long as it asks', async (t) => {
      const { world, send: ask } = await openMounted(t, mount);
      const project = world.service.world.projects.get(await world.clip())!;
      const { id } = world.service.world.addExport(await world.managed(), project);
      const headers = { Prefer: 'wait=1' };
      const began = performance.now();
      const answered = await ask('GET', `/clips/exports?id=${id}`, { headers });
      assert.ok(performance.now() - began >= 990);
      assert.equal(answered.headers['preference-applied'], 'wait=1');
      assert.equal(answered.json<Export[]>()[0]!.id, id);
    });

    it('lets a watcher go that has left', async (t) => {
      const site = await openMounted(t, mount);
      const { world } = site;
      const project = world.service.world.projects.get(await world.clip())!;
      const { id } = world.service.world.addExport(await world.managed(), project);
      const client = new AbortController();
      const reached = site.reached();
      const left = site.send('GET', `/clips/exports?id=${id}`, {
        headers: { Prefer: 'wait=25' },
        signal: client.signal,
      });
      const { signal } = await reached;
      const gone = new Promise((resolve) => signal.addEventListener('abort', resolve));
      client.abort();
      await assert.rejects(left, { name: 'AbortError' });
      await gone;
    });

    it('ends what it holds at close()', async (t) => {
      const site = await openMounted(t, mount);
      const { world } = site;
      const project = world.service.world.projects.get(await world.clip())!;
      const { id } = world.service.world.addExport(await world.managed(), project);
      const held = site.send('GET', `/clips/exports?id=${id}`, { headers: { Prefer: 'wait=25' } });
      await site.reached();
      await world.quiet();
      world.host.close();
      assert.equal((await held).status, 200);
    });

    it('hands a file through', async (t) => {
      const { world, send: ask } = await openMounted(t, mount);
      const clip = await world.clip();
      const project = world.service.world.projects.get(clip)!;
      const { id } = world.service.world.addExport(await world.managed(), project);
      world.service.world.finish(id);
      const answered = await ask('GET', `/clips/exports/${id}/download?project_id=${clip}`);
      assert.deepEqual([answered.status, answered.text], [200, `mp4 of ${id}`]);
      assert.equal(answered.headers['content-type'], 'video/mp4');
      assert.match(answered.headers['content-disposition'] ?? '', /^attachment/);
      assert.equal(answered.headers['set-cookie'], undefined);
    });

    it('refuses a body over 64 kB, and the client can read why', async (t) => {
      const site = await openMounted(t, mount);
      const body = JSON.stringify({ project_id: 'x'.repeat(90_000) });
      const answered = await site.send('POST', '/clips/token', { body });
      assert.deepEqual([answered.status, answered.json<Problem>().code], [413, 'body-too-large']);
    });

    it('refuses a page of another site, whatever it says of itself', async (t) => {
      const site = await openMounted(t, mount);
      const { host } = new URL(site.url);
      for (const headers of [
        { 'Sec-Fetch-Site': 'cross-site' },
        { 'Sec-Fetch-Site': 'cross-site', Origin: site.url },
        { Origin: 'http://evil.example' },
        { Origin: 'http://evil.example', 'X-Forwarded-Host': 'evil.example' },
        { Origin: `https://${host}`, 'X-Forwarded-Proto': 'https' },
        { Origin: 'null' },
      ]) {
        const answered = await send(site.url, 'POST', '/clips/token', {
          body: {},
          headers: { Cookie: 'user=ann', ...headers },
        });
        assert.deepEqual(
          [answered.status, answered.json<Problem>().code],
          [403, 'forbidden'],
          JSON.stringify(headers),
        );
      }
    });

    it('takes a page of its own origin by Origin alone', async (t) => {
      const { url } = await openMounted(t, mount);
      const headers = { Cookie: 'user=ann', Origin: url };
      assert.equal((await send(url, 'POST', '/clips/token', { body: {}, headers })).status, 200);
    });

    it('answers OPTIONS, an unknown path and a wrong method', async (t) => {
      const site = await openMounted(t, mount);
      assert.equal((await site.send('OPTIONS', '/clips/exports')).status, 204);
      assert.equal(
        (await site.send('GET', '/clips/nothing')).json<Problem>().code,
        'endpoint-not-found',
      );
      const wrong = await site.send('DELETE', '/clips/token');
      assert.deepEqual([wrong.status, wrong.headers.allow], [405, 'POST']);
    });
  });
}
