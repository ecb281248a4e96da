import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { ViewBatch } from 'clip-kit/contract';
import { nodeHandler, type NodeHandlerOptions } from '../../src/adapters/node.ts';
import { createClipHost, type ClipHostOptions } from '../../src/index.ts';
import { getNetwork } from '../../src/routes/views.ts';
import { HostWorld, site } from 'clip-testkit/host-world';
import { serve } from 'clip-testkit/serve';

const record = { project_id: 'a', begins: true, marks: [0, 1], muted: false };
const beacon = (...views: object[]) => ({
  user: null,
  body: JSON.stringify({ views }),
  headers: { 'Content-Type': 'text/plain;charset=UTF-8' },
});

async function open(t: TestContext, host: Partial<ClipHostOptions> = {}) {
  const batches: ViewBatch[] = [];
  const world = await HostWorld.open(t, {
    host: { onViews: (batch) => void batches.push(batch), ...host },
  });
  return { world, batches };
}

describe('POST /views', () => {
  it('takes what a beacon sends, without a user', async (t) => {
    const { world, batches } = await open(t);
    const views = [
      { ...record, place: 'home' },
      { ...record, begins: false, marks: [2] },
    ];
    const response = await world.call('POST', '/clips/views', beacon(...views));
    assert.equal(response.status, 204);
    assert.equal(response.headers.get('Clip-Account'), null);
    assert.deepEqual(batches, [{ visitor: null, views }]);
  });

  it('refuses a page of another site, with cookies and with sessions', async (t) => {
    const sessions = { secrets: ['0123456789abcdef0123456789abcdef'] };
    for (const host of [{}, { sessions }]) {
      const { world, batches } = await open(t, host);
      for (const headers of [
        { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://other.example' },
        { 'Sec-Fetch-Site': null, Origin: 'https://other.example' },
        { 'Sec-Fetch-Site': null },
      ]) {
        const sent = { ...beacon(record), headers };
        await world.problem(403, 'forbidden', 'POST', '/clips/views', sent);
      }
      assert.deepEqual(batches, []);
    }
  });

  it('takes one of a listed origin, for hosts with sessions too', async (t) => {
    const { world, batches } = await open(t, {
      sessions: { secrets: ['0123456789abcdef0123456789abcdef'] },
      origins: ['https://www.example.com'],
    });
    const headers = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://www.example.com' };
    const response = await world.call('POST', '/clips/views', { ...beacon(record), headers });
    assert.equal(response.status, 204);
    assert.equal(batches.length, 1);
  });

  it('refuses what does not fit, and names it', async (t) => {
    const { world, batches } = await open(t);
    const wrong: [object, string][] = [
      [{ ...record, user: 'ann' }, 'views.0'],
      [{ ...record, marks: [-1] }, 'views.0.marks.0'],
      [{ ...record, marks: [360] }, 'views.0.marks.0'],
      [{ ...record, marks: [0.5] }, 'views.0.marks.0'],
      [{ ...record, place: 'two words' }, 'views.0.place'],
      [{ ...record, project_id: 'a'.repeat(129) }, 'views.0.project_id'],
      [{ ...record, project_id: 'a\0b' }, 'views.0.project_id'],
    ];
    for (const [one, path] of wrong) {
      const problem = await world.problem(
        ...([400, 'invalid-request', 'POST', '/clips/views', beacon(one)] as const),
      );
      assert.ok(
        problem.errors?.some((error) => error.path.startsWith(path)),
        path,
      );
    }
    await world.problem(400, 'invalid-request', 'POST', '/clips/views', beacon());
    const many = beacon(...Array.from({ length: 51 }, () => record));
    await world.problem(400, 'invalid-request', 'POST', '/clips/views', many);
    const text = { ...beacon(), body: 'begins=true' };
    await world.problem(400, 'invalid-request', 'POST', '/clips/views', text);
    assert.deepEqual(batches, []);
  });

  it('is 413 over 16 kB', async (t) => {
    const { world } = await open(t);
    const sent = { ...beacon(), body: ' '.repeat(16 * 1024 + 1) };
    await world.problem(413, 'body-too-large', 'POST', '/clips/views', sent);
  });

  it('is 501 for a host that takes none, and 405 with another method', async (t) => {
    const { world } = await open(t, { onViews: undefined as never });
    await world.problem(501, 'not-supported', 'POST', '/clips/views', beacon(record));
    await world.problem(405, 'method-not-allowed', 'GET', '/clips/views');
  });

  it('is 500 if onViews fails, with the reason in the log alone', async (t) => {
    const { world } = await open(t, {
      onViews: () => Promise.reject(new Error('The table is full.')),
    });
    const problem = await world.problem(
      500,
      'internal-error',
      'POST',
      '/clips/views',
      beacon(record),
    );
    assert.ok(!JSON.stringify(problem).includes('table'));
    assert.ok(world.log.some(({ message }) => message.includes('The table is full.')));
  });

  it('is limited as other requests are, each visitor alone', async (t) => {
    const world = await HostWorld.open(t, { now: () => 0, host: { onViews: () => {} } });
    const send = (clientAddress: string) => {
      const headers = { 'Sec-Fetch-Site': 'same-origin' };
      const { body } = beacon(record);
      const request = new Request(`${site}/clips/views`, { method: 'POST', headers, body });
      return world.host(request, { clientAddress });
    };
    for (let at = 0; at < 600; at++) assert.equal((await send('203.0.113.1')).status, 204);
    const refused = await send('203.0.113.1');
    assert.deepEqual([refused.status, refused.headers.get('Retry-After')], [429, '1']);
    assert.equal((await send('203.0.113.2')).status, 204);
  });

  it('is given to the service by sendViews', async (t) => {
    const { world } = await open(t);
    const batch = { visitor: 'abc', views: [record] };
    world.service.order({ method: 'POST', path: /\/projects\/views$/, how: { status: 204 } });
    const { ServiceClient } = await import('clip-kit/client');
    const { baseUrl, apiKey } = world.service;
    await new ServiceClient({ baseUrl, apiKey }).sendViews(batch);
    const [sent] = world.service.sent('POST', /\/projects\/views$/);
    assert.deepEqual(sent!.body, batch);
  });
});

describe('the visitor of a batch', () => {
  const day = Date.parse('2026-01-31T10:00:00Z');
  const hash = async (
    t: TestContext,
    { address = '203.0.113.1', at = day, apiKey = 'key' } = {},
  ): Promise<string | null> => {
    let visitor: string | null = null;
    const host = createClipHost({
      service: { baseUrl: 'https://service.example/v2', apiKey },
      authenticate: () => null,
      basePath: '/clips',
      onViews: (batch) => void (visitor = batch.visitor),
      now: () => at,
      log: () => {},
    });
    t.after(() => host.close());
    const headers = { 'Sec-Fetch-Site': 'same-origin' };
    const body = JSON.stringify({ views: [record] });
    const response = await host(
      new Request(`${site}/clips/views`, { method: 'POST', headers, body }),
      { clientAddress: address },
    );
    assert.equal(response.status, 204);
    return visitor;
  };

  it('is a hash: the same in all processes of a host on one day, another one tomorrow', async (t) => {
    const today = await hash(t);
    assert.match(today!, /^[0-9a-f]{32}$/);
    assert.equal(await hash(t, { at: day + 3_600_000 }), today);
    assert.notEqual(await hash(t, { at: day + 86_400_000 }), today);
    assert.notEqual(await hash(t, { address: '203.0.113.2' }), today);
    assert.notEqual(await hash(t, { apiKey: 'another' }), today);
  });

  it('is that of an IPv4 address, or of the first half of an IPv6 address', () => {
    assert.equal(getNetwork('203.0.113.1'), '203.0.113.1');
    assert.equal(getNetwork('::ffff:203.0.113.1'), '203.0.113.1');
    assert.equal(getNetwork('2001:db8:0:1::2'), '2001:db8:0:1');
    assert.equal(getNetwork('2001:0db8:0000:0001:ffff:1:2:3'), '2001:db8:0:1');
    assert.equal(getNetwork('2001:db8::1'), '2001:db8:0:0');
    assert.equal(getNetwork('fe80::1%eth0'), 'fe80:0:0:0');
    assert.equal(getNetwork('::1'), '0:0:0:0');
  });

  /** The addresses that a host hears of from a server of Node. */
  async function visitorsOf(t: TestContext, options: NodeHandlerOptions, forwarded: string[]) {
    const visitors: (string | null)[] = [];
    const host = createClipHost({
      service: { baseUrl: 'https://service.example/v2', apiKey: 'key' },
      authenticate: () => null,
      basePath: '/clips',
      onViews: ({ visitor }) => void visitors.push(visitor),
      log: () => {},
    });
    const { origin, close } = await serve(nodeHandler(host, options));
    t.after(close);
    for (const one of forwarded) {
      const headers = { 'Sec-Fetch-Site': 'same-origin', 'X-Forwarded-For': one };
      const body = JSON.stringify({ views: [record] });
      const response = await fetch(`${origin}/clips/views`, { method: 'POST', headers, body });
      assert.equal(response.status, 204);
    }
    return visitors;
  }

  it('is that of the connection, or what a trusted proxy says last', async (t) => {
    const forwarded = ['203.0.113.1', '203.0.113.2', '198.51.100.7, 203.0.113.1'];
    const direct = await visitorsOf(t, {}, forwarded);
    assert.equal(new Set(direct).size, 1);
    assert.match(direct[0]!, /^[0-9a-f]{32}$/);
    const [one, other, same] = await visitorsOf(t, { trustProxy: true }, forwarded);
    assert.notEqual(one, other);
    assert.equal(same, one);
    assert.notEqual(one, direct[0]);
  });
});
