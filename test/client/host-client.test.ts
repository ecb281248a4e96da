import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { ClipError } from '../../src/client/clip-error.ts';
import { HttpError, SchemaError, toClipError, TransportError } from '../../src/client/errors.ts';
import { HostClient } from '../../src/client/host-client.ts';
import { HostWorld, site } from 'clip-testkit/host-world';

const endpoint = `${site}/clips`;

/** A page's client of the real host, a clip in a folder there, and what the page has sent. */
async function open(t: TestContext) {
  const world = await HostWorld.open(t);
  const sent: { query: string; key: string | null; body: unknown }[] = [];
  const client = new HostClient({
    endpoint,
    fetch: (input, init = {}) => {
      const headers = new Headers(init.headers);
      const body = init.body ? (JSON.parse(String(init.body)) as unknown) : undefined;
      const { search } = new URL(String(input));
      sent.push({ query: search, key: headers.get('Idempotency-Key'), body });
      headers.set('Cookie', 'user=ann');
      headers.set('Sec-Fetch-Site', 'same-origin');
      return world.host(new Request(String(input), { ...init, headers }));
    },
  });
  return { world, client, sent, project: await world.clip('ann', 'f') };
}

/** A client of a host that answers each request like this. */
const clientOf = (
  answer: (init: RequestInit) => Response | Promise<Response>,
  options: Partial<ConstructorParameters<typeof HostClient>[0]> = {},
): HostClient =>
  new HostClient({ endpoint, fetch: async (_, init = {}) => answer(init), ...options });

describe('HostClient', () => {
  it('starts an export under its attempt key, and finds it by id', async (t) => {
    const { client, sent, project } = await open(t);
    const body = {
      project_id: project,
      folder_id: 'f',
      watermark: { src_url: 'https://example.com/a.png' },
    };
    const { value } = await client.startExport(body, 'attempt-1');
    assert.equal(value.status, 'processing');
    assert.equal(value.project_id, project);
    assert.deepEqual([sent[0]!.key, sent[0]!.body], ['attempt-1', body]);
    assert.equal((await client.startExport(body, 'attempt-1')).value.id, value.id);
    assert.equal((await client.getExport(value.id, { project, folder: 'f' })).value.id, value.id);
    assert.equal(sent.at(-1)!.query, `?project_id=${project}&folder_id=f`);
  });

  it('asks about many with one request, and tells whether it was held', async (t) => {
    const { world, client, sent, project } = await open(t);
    const { value } = await client.startExport({ project_id: project }, 'attempt-1');
    world.service.world.finish(value.id);
    const held = await client.exportsById([value.id, 'other id'], { wait: 25 });
    assert.equal(held.held, true);
    assert.equal(held.value[0]!.status, 'ready');
    assert.equal(sent.at(-1)!.query, `?id=${value.id}&id=other+id`);
    assert.equal((await client.exportsById([value.id])).held, false);
  });

  it('tells how far the host’s clock is ahead', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: 1_800_000_000_000 });
    const Date = new globalThis.Date(1_800_000_600_000).toUTCString();
    const client = clientOf(() => Response.json([], { headers: { Date } }));
    const { skew } = await client.exportsById(['a']);
    assert.ok(Math.abs(skew - 600_000) <= 1000, `${skew} ms ahead`);
  });

  it('encodes ids into addresses, whatever the endpoint ends in', () => {
    const client = new HostClient({ endpoint: 'https://example.com/clips/?site=1' });
    assert.equal(
      client.downloadUrl('a/b', { project: 'p&q' }),
      'https://example.com/clips/exports/a%2Fb/download?site=1&project_id=p%26q',
    );
    assert.equal(
      new HostClient({ endpoint }).downloadUrl('a', { project: 'p' }, 'My clip.mp4'),
      `${endpoint}/exports/a/download?project_id=p&name=My+clip.mp4`,
    );
  });

  for (const [what, options] of Object.entries({
    'a header name with a blank': { csrfHeader: 'X CSRF', csrfToken: 'token' },
    'a token in two lines': { csrfToken: 'secret\nX-Other: 1' },
    'a token outside of Latin-1': { csrfToken: 'secret ✓' },
  })) {
    it(`refuses ${what}, and does not repeat it`, () => {
      assert.throws(
        () => new HostClient({ endpoint, ...options }),
        (error) =>
          error instanceof ClipError &&
          error.code === 'invalid-config' &&
          !error.message.includes('secret'),
      );
    });
  }

  it('rejects with HttpError, its problem and its Retry-After', async () => {
    const problem = {
      type: 'about:blank',
      title: 'Busy',
      status: 503,
      code: 'service-unavailable',
    };
    const busy = { status: 503, headers: { 'Retry-After': '7' } };
    const client = clientOf(() => Response.json(problem, busy));
    await assert.rejects(client.exportsById(['a']), (error) => {
      assert.ok(error instanceof HttpError);
      assert.equal(error.status, 503);
      assert.equal(error.problem?.code, 'service-unavailable');
      assert.equal(error.retryAfter, 7000);
      return true;
    });
  });

  it('rejects with SchemaError for a page instead of an answer', async () => {
    const client = clientOf(() => new Response('<!doctype html><title>Log in</title>'));
    await assert.rejects(client.exportsById(['a']), SchemaError);
  });

  it('rejects with TransportError when the connection is lost, with the reason when aborted', async () => {
    const lost = clientOf(() => Promise.reject(new TypeError('connection lost')));
    await assert.rejects(lost.startExport({ project_id: 'p' }, 'attempt-1'), TransportError);
    const silent = clientOf(
      ({ signal }) =>
        new Promise((_, reject) => {
          signal!.addEventListener('abort', () => reject(signal!.reason as Error));
        }),
    );
    const reason = new Error('left');
    const controller = new AbortController();
    const call = silent.startExport({ project_id: 'p' }, 'attempt-1', controller.signal);
    controller.abort(reason);
    await assert.rejects(call, reason);
  });

  it('fetches a token against cross-site requests once, and repeats the call once', async () => {
    let calls = 0;
    const fetch = async (input: RequestInfo | URL, init: RequestInit = {}) => {
      if (String(input).endsWith('/_csrf')) return Response.json({ token: 'good' });
      calls++;
      return new Headers(init.headers).get('X-CSRF-Token') === 'good'
        ? Response.json({ external_access_token: 't' })
        : Response.json({ code: 'csrf_failed', title: 'Refused' }, { status: 403 });
    };
    const csrfUrl = `${endpoint}/_csrf`;
    const client = new HostClient({ endpoint, csrfToken: 'old', csrfUrl, fetch });
    await client.token('p');
    await client.token('p');
    assert.equal(calls, 3);
    const hopeless = new HostClient({ endpoint, csrfUrl, csrfHeader: 'X-Other', fetch });
    await assert.rejects(hopeless.token('p'), (error) => (error as HttpError).status === 403);
    assert.equal(calls, 5);
  });

  it('reads a token of digits only from plain text', async () => {
    const tokens: (string | null)[] = [];
    const client = new HostClient({
      endpoint,
      csrfUrl: `${endpoint}/text`,
      fetch: async (url, init) => {
        if (String(url).endsWith('/text')) return new Response('12e4567890');
        tokens.push(new Headers(init?.headers).get('X-CSRF-Token'));
        const fresh = tokens.at(-1) !== null;
        const body = fresh ? { external_access_token: 't' } : { code: 'csrf-failed' };
        return Response.json(body, { status: fresh ? 200 : 403 });
      },
    });
    await client.token('p');
    assert.deepEqual(tokens, [null, '12e4567890']);
  });

  it('names no token, key or query in its errors', async () => {
    const client = clientOf(() => Response.json({}, { status: 503 }), {
      endpoint: `${endpoint}?secret=1`,
      csrfToken: 'csrf-secret',
    });
    await assert.rejects(client.token('p'), (error) => {
      const clip = toClipError(error);
      assert.doesNotMatch(`${error} ${clip} ${clip.help}`, /secret/);
      return true;
    });
  });
});

describe('toClipError', () => {
  const call = { method: 'GET', path: '/exports' };
  const problem = (code: string) => ({ type: 'about:blank', title: '', code });
  const cases: [unknown, string, boolean][] = [
    [new HttpError(call, 401, null, null), 'unauthenticated', true],
    [new HttpError(call, 402, null, null), 'export-limit', false],
    [new HttpError(call, 403, null, null), 'forbidden', false],
    [new HttpError(call, 404, problem('clip-not-found'), null), 'clip-not-found', false],
    [new HttpError(call, 404, problem('export-not-found'), null), 'export-not-found', false],
    [new HttpError(call, 404, problem('endpoint-not-found'), null), 'endpoint-not-found', false],
    [new HttpError(call, 409, null, null), 'attempt-mismatch', false],
    [new HttpError(call, 422, null, null), 'invalid-request', false],
    [new HttpError(call, 429, null, null), 'rate-limited', true],
    [new HttpError(call, 502, null, null), 'service-error', true],
    [new TransportError(call, true), 'timeout', true],
    [new TransportError(call, false), 'network', true],
    [new SchemaError(call, []), 'invalid-answer', true],
    [new TypeError('chunk'), 'load-failed', true],
  ];
  for (const [cause, code, retryable] of cases) {
    it(`${String(cause)} is ${code}`, () => {
      const error = toClipError(cause);
      assert.equal(error.code, code);
      assert.equal(error.retryable, retryable);
      assert.equal(error.cause, cause);
    });
  }
});
