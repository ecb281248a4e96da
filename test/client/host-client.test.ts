import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { ClipError } from '../../src/client/clip-error.ts';
import { HttpError, SchemaError, TransportError } from '../../src/client/errors.ts';
import { HostClient } from '../../src/client/host-client.ts';
import { toClipError } from '../../src/client/host-errors.ts';
import { FakeHost } from '../support/fake-host.ts';

const host = new FakeHost();
let server: Server;
let origin: string;
let world = 0;
let endpoint: string;

async function set(behaviour: object) {
  await fetch(`${endpoint}/_set`, { method: 'POST', body: JSON.stringify(behaviour) });
}
async function sent() {
  const { requests } = (await (await fetch(`${endpoint}/_log`)).json()) as {
    requests: { method: string; path: string; query: string; key: string | null; body: unknown }[];
  };
  return requests;
}

before(async () => {
  server = createServer((request, response) => {
    if (request.url === '/page/exports?id=a') {
      response.end('<!doctype html><title>Log in</title>');
      return;
    }
    void host.answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  endpoint = `${origin}/host/w${++world}`;
});

describe('HostClient', () => {
  it('starts an export under its attempt key, and finds it by key and by id', async () => {
    const client = new HostClient({ endpoint });
    const body = { project_id: 'p', watermark: { src_url: 'https://example.com/a.png' } };
    const { value } = await client.startExport(body, 'attempt-1');
    assert.equal(value.status, 'processing');
    assert.equal(value.project_id, 'p');
    const [request] = await sent();
    assert.deepEqual([request!.key, request!.body], ['attempt-1', body]);
    assert.deepEqual(
      (await client.exportsByAttempt('attempt-1')).value.map(({ id }) => id),
      [value.id],
    );
    assert.equal((await client.startExport(body, 'attempt-1')).value.id, value.id);
    assert.equal(
      (await client.getExport(value.id, { project: 'p', folder: 'f' })).value.id,
      value.id,
    );
    assert.equal((await sent()).at(-1)!.query, '?project_id=p&folder_id=f');
  });

  it('asks about many with one request, and tells whether it was held', async () => {
    const client = new HostClient({ endpoint });
    const { value } = await client.startExport({ project_id: 'p' }, 'attempt-1');
    const held = await client.exportsById([value.id, 'other id'], { wait: 25 });
    assert.equal(held.held, true);
    assert.equal(held.value[0]!.status, 'ready');
    assert.equal((await sent()).at(-1)!.query, `?id=${value.id}&id=other+id`);
    assert.equal((await client.exportsById([value.id])).held, false);
  });

  it('tells how far the host’s clock is ahead', async () => {
    await set({ skew: 600_000 });
    const began = performance.now();
    const { skew } = await new HostClient({ endpoint }).token('p');
    // The header with the time has only whole seconds.
    const passed = performance.now() - began;
    assert.ok(Math.abs(skew - 600_000) <= 1000 + passed, `${skew} ms ahead, in ${passed} ms`);
  });

  it('encodes ids into addresses, whatever the endpoint ends in', () => {
    const client = new HostClient({ endpoint: 'https://example.com/clips/?site=1' });
    assert.equal(
      client.downloadUrl('a/b', { project: 'p&q' }),
      'https://example.com/clips/exports/a%2Fb/download?site=1&project_id=p%26q',
    );
    assert.equal(
      new HostClient({ endpoint }).downloadUrl('a', { project: 'p' }, 'My film.mp4'),
      `${endpoint}/exports/a/download?project_id=p&name=My+film.mp4`,
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
    await set({ failPolls: 1, retryAfter: 7 });
    await assert.rejects(new HostClient({ endpoint }).exportsById(['a']), (error) => {
      assert.ok(error instanceof HttpError);
      assert.equal(error.status, 503);
      assert.equal(error.problem?.code, 'service-unavailable');
      assert.equal(error.retryAfter, 7000);
      return true;
    });
  });

  it('rejects with SchemaError for a page instead of an answer', async () => {
    await assert.rejects(
      new HostClient({ endpoint: `${origin}/page` }).exportsById(['a']),
      SchemaError,
    );
  });

  it('rejects with TransportError when the connection is lost, with the reason when aborted', async () => {
    await set({ start: 'drop' });
    const client = new HostClient({ endpoint });
    await assert.rejects(client.startExport({ project_id: 'p' }, 'attempt-1'), TransportError);
    await set({ start: 'hang' });
    const reason = new Error('left');
    const controller = new AbortController();
    const call = client.startExport({ project_id: 'p' }, 'attempt-1', controller.signal);
    controller.abort(reason);
    await assert.rejects(call, reason);
  });

  it('fetches a token against cross-site requests once, and repeats the call once', async () => {
    await set({ csrf: 'good' });
    const csrfUrl = `${endpoint}/_csrf`;
    const client = new HostClient({ endpoint, csrfToken: 'old', csrfUrl });
    await client.token('p');
    await client.token('p');
    assert.equal((await sent()).length, 3);
    const hopeless = new HostClient({ endpoint, csrfUrl, csrfHeader: 'X-Other' });
    await assert.rejects(hopeless.token('p'), (error) => (error as HttpError).status === 403);
    assert.equal((await sent()).length, 5);
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
    await set({ failTokens: 1 });
    const client = new HostClient({ endpoint: `${endpoint}?secret=1`, csrfToken: 'csrf-secret' });
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
