import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HostWorld, site } from 'clip-testkit/host-world';

const other = 'https://other.example';
const listed = 'https://www.site.example';

const post = async (
  world: HostWorld,
  headers: Record<string, string | null>,
): Promise<{ status: number; headers: Headers }> =>
  world.call('POST', '/clips/token', {
    body: {},
    headers: { 'Sec-Fetch-Site': null, ...headers },
  });

describe('an unsafe request', () => {
  const cases: [name: string, headers: Record<string, string | null>, status: number][] = [
    ['of the same origin by Sec-Fetch-Site', { 'Sec-Fetch-Site': 'same-origin' }, 200],
    ['of the same origin by Origin', { Origin: site }, 200],
    ['from a listed origin', { Origin: listed, 'Sec-Fetch-Site': 'same-site' }, 200],
    ['from a listed origin, without Sec-Fetch-Site', { Origin: listed }, 200],
    ['of another site', { 'Sec-Fetch-Site': 'cross-site', Origin: other }, 403],
    ['of another subdomain', { 'Sec-Fetch-Site': 'same-site' }, 403],
    ['typed into the address bar', { 'Sec-Fetch-Site': 'none' }, 403],
    [
      'of another site whose Origin was made to fit',
      { 'Sec-Fetch-Site': 'cross-site', Origin: site },
      403,
    ],
    ['of another site by Origin', { Origin: other }, 403],
    ['of a sandboxed page', { Origin: 'null' }, 403],
    ['of the same host by http', { Origin: 'http://site.example' }, 403],
    ['of a host that begins like a listed one', { Origin: `${listed}.evil.example` }, 403],
    ['that says nothing about its origin', {}, 403],
  ];
  for (const [name, headers, status] of cases) {
    it(`${name} is ${status === 200 ? 'let in' : 'refused'}`, async (t) => {
      const world = await HostWorld.open(t, { host: { origins: [listed] } });
      const response = await post(world, headers);
      assert.equal(response.status, status);
      if (status === 403) assert.deepEqual(world.service.requests, []);
    });
  }

  it('is refused with 403 forbidden, for each of the three that change something', async (t) => {
    const world = await HostWorld.open(t);
    for (const path of ['token', 'exports', 'tasks/video-to-shorts', 'tasks/video-to-video']) {
      await world.problem(403, 'forbidden', 'POST', `/clips/${path}`, {
        body: {},
        headers: { 'Sec-Fetch-Site': 'cross-site' },
      });
    }
  });
});

describe('CORS', () => {
  it('lets a listed origin read the answers, cookies included', async (t) => {
    const world = await HostWorld.open(t, { host: { origins: [listed] } });
    for (const path of ['/clips/exports', '/clips/nothing']) {
      const { headers } = await world.call('GET', path, { headers: { Origin: listed } });
      assert.equal(headers.get('Access-Control-Allow-Origin'), listed);
      assert.equal(headers.get('Access-Control-Allow-Credentials'), 'true');
      assert.equal(
        headers.get('Access-Control-Expose-Headers'),
        'Clip-Account, Date, ETag, Link, Location, Preference-Applied, Retry-After',
      );
    }
  });

  for (const origin of [other, site, 'null', null]) {
    it(`tells ${origin ?? 'a request without Origin'} nothing`, async (t) => {
      const world = await HostWorld.open(t, { host: { origins: [listed] } });
      const { headers } = await world.call('GET', '/clips/exports', {
        headers: { Origin: origin },
      });
      assert.equal(headers.get('Access-Control-Allow-Origin'), null);
      assert.match(headers.get('Vary') ?? '', /Origin/);
    });
  }

  const preflight = (world: HostWorld, origin: string) =>
    world.call('OPTIONS', '/clips/exports', {
      user: null,
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type, idempotency-key',
      },
    });

  it('answers the preflight of a listed origin, of which nobody is logged in', async (t) => {
    const world = await HostWorld.open(t, { host: { origins: [listed] } });
    const { status, headers } = await preflight(world, listed);
    assert.equal(status, 204);
    assert.equal(headers.get('Access-Control-Allow-Origin'), listed);
    assert.equal(headers.get('Access-Control-Allow-Credentials'), 'true');
    assert.equal(headers.get('Access-Control-Allow-Methods'), 'DELETE, GET, HEAD, PATCH, POST');
    assert.equal(headers.get('Access-Control-Allow-Headers'), 'content-type, idempotency-key');
    assert.equal(headers.get('Vary'), 'Origin');
  });

  it('permits nothing to the preflight of another', async (t) => {
    const world = await HostWorld.open(t, { host: { origins: [listed] } });
    const { status, headers } = await preflight(world, other);
    assert.equal(status, 204);
    assert.deepEqual(
      [...headers.keys()].filter((name) => name.startsWith('access-control')),
      [],
    );
  });
});
