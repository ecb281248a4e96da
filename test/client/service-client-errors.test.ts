import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { HttpError, SchemaError, TransportError } from '../../src/client/errors.ts';
import { ServiceClient } from '../../src/client/service-client.ts';
import { FakeService } from 'clip-testkit/fake-service';
import type { Failure } from 'clip-testkit/fake-service-failures';
import { serve } from 'clip-testkit/serve';

let service: FakeService;
let client: ServiceClient;
let clip: { projectId: string };

before(async () => {
  service = await FakeService.open();
  client = new ServiceClient({ baseUrl: service.baseUrl, apiKey: service.apiKey });
  clip = { projectId: service.world.addProject(service.world.owner).id };
});
after(() => service.close());
beforeEach(() => {
  service.requests.length = 0;
});

async function caught(call: Promise<unknown>): Promise<Error> {
  try {
    await call;
  } catch (error) {
    return error as Error;
  }
  return assert.fail('should have been rejected');
}

function failing(how: Failure): Promise<Error> {
  service.order({ method: 'GET', path: /^\/exports$/, how });
  return caught(client.listExports());
}

describe('ServiceClient: an answer other than 2xx is an HttpError', () => {
  it('with status, problem and the milliseconds of Retry-After', async () => {
    const error = await failing({
      status: 429,
      body: { code: 'rate-limited', detail: 'Slower.' },
      headers: { 'Retry-After': '7' },
    });
    assert.ok(error instanceof HttpError);
    assert.deepEqual([error.status, error.retryAfter], [429, 7000]);
    assert.deepEqual([error.problem?.code, error.problem?.detail], ['rate-limited', 'Slower.']);
    assert.equal(error.message, 'GET /exports: answered 429 (rate-limited)');
    assert.deepEqual(error.call, { method: 'GET', path: '/exports' });
  });

  for (const status of [400, 401, 402, 403, 404, 500, 502, 503, 504]) {
    it(`${status}`, async () => {
      const error = await failing({ status, body: 'no JSON' });
      assert.ok(error instanceof HttpError);
      assert.deepEqual([error.status, error.problem, error.retryAfter], [status, null, null]);
    });
  }

  it('a failed download too (504 with {error})', async () => {
    const one = service.world.addExport(
      service.world.owner,
      service.world.projects.get(clip.projectId)!,
    );
    service.world.finish(one.id, 'error');
    const error = await caught(client.download(clip.projectId, one.id));
    assert.ok(error instanceof HttpError);
    assert.equal(error.status, 504);
  });

  for (const status of [301, 302, 303, 307, 308]) {
    it(`a redirect (${status}), which is not followed: it would take the key along`, async () => {
      const error = await failing({ status, headers: { Location: `${service.origin}/v2/users` } });
      assert.ok(error instanceof HttpError);
      assert.equal(error.status, status);
      assert.equal(service.requests.length, 1);
    });
  }
});

describe('ServiceClient: no answer is a TransportError', () => {
  for (const how of ['drop', 'truncate'] as const) {
    it(`connection lost (${how})`, async () => {
      const error = await failing(how);
      assert.ok(error instanceof TransportError);
      assert.equal(error.timedOut, false);
      assert.equal(error.message, 'GET /exports: no answer (connection failed)');
      assert.ok(error.cause);
    });
  }

  it('nothing listens there', async () => {
    const gone = await serve(() => {});
    await gone.close();
    const lost = new ServiceClient({ baseUrl: gone.origin, apiKey: 'k' });
    assert.ok((await caught(lost.createUser())) instanceof TransportError);
  });

  it('the time given has run out: 30 seconds, 11 minutes for a download, or what `timeout` says', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { baseUrl, apiKey } = service;
    const ended: string[] = [];
    const start = async (name: string, path: RegExp, call: () => Promise<unknown>) => {
      const held = service.hold('GET', path);
      const error = caught(call()).finally(() => ended.push(name));
      await held.arrived;
      return { error, held };
    };
    const hasty = new ServiceClient({ baseUrl, apiKey, timeout: 700 });
    const calls = [
      await start('timeout', /^\/tasks/, () => hasty.getTask('t')),
      await start('plain', /^\/exports$/, () => client.listExports()),
      await start('download', /download$/, () => client.download('p', 'e')),
    ];
    let elapsed = 0;
    for (const [index, due] of [700, 30_000, 660_000].entries()) {
      t.mock.timers.tick(due - 1 - elapsed);
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(ended.length, index);
      t.mock.timers.tick(1);
      elapsed = due;
      const lost = await calls[index]!.error;
      assert.ok(lost instanceof TransportError);
      assert.equal(lost.timedOut, true);
      assert.match(lost.message, /: no answer in the time given$/);
      await calls[index]!.held.left;
    }
    assert.deepEqual(ended, ['timeout', 'plain', 'download']);
  });

  it('but a download that has begun may take its time', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const second = Promise.withResolvers<void>();
    const slow = await serve((_, response) => {
      response.writeHead(200, { 'Content-Type': 'video/mp4' });
      response.write('first');
      void second.promise.then(() => response.end(' second'));
    });
    t.after(slow.close);
    const patient = new ServiceClient({ baseUrl: slow.origin, apiKey: 'k' });
    const response = await patient.download('p', 'e');
    t.mock.timers.tick(3_600_000);
    second.resolve();
    assert.equal(await response.text(), 'first second');
  });
});

describe('ServiceClient: 2xx with another shape is a SchemaError', () => {
  it('no JSON', async () => {
    const error = await failing('malformed');
    assert.ok(error instanceof SchemaError);
    assert.equal(error.errors[0]?.path, '');
  });

  it('a status that nobody knows, named', async () => {
    service.order({
      method: 'POST',
      path: /exports$/,
      acts: true,
      how: 'unknown-status',
    });
    const error = await caught(client.startExport(clip));
    assert.ok(error instanceof SchemaError);
    assert.equal(error.errors[0]?.path, 'status');
    assert.match(error.message, /status: unknown status "paused"/);
  });

  it('{token} in place of {external_access_token}', async () => {
    service.order({
      method: 'POST',
      path: /tokens$/,
      how: { status: 200, body: { token: 'secret' } },
    });
    const error = await caught(client.createToken('u'));
    assert.ok(error instanceof SchemaError);
    assert.equal(error.errors[0]?.path, 'external_access_token');
    assert.ok(!inspect(error).includes('secret'));
  });
});

describe('ServiceClient: the caller’s signal', () => {
  const reason = new Error('the page is gone');

  it('rejects with its reason when it was aborted before', async () => {
    assert.equal(await caught(client.createUser({ signal: AbortSignal.abort(reason) })), reason);
    assert.equal(service.requests.length, 0);
  });

  it('rejects with its reason while the answer is awaited, and closes the connection', async () => {
    const held = service.hold('POST', /^\/users$/);
    const controller = new AbortController();
    const call = caught(client.createUser({ signal: controller.signal }));
    await held.arrived;
    controller.abort(reason);
    assert.equal(await call, reason);
    await held.left;
  });

  it('rejects with its reason while a download is awaited', async () => {
    const held = service.hold('GET', /download$/);
    const controller = new AbortController();
    const call = caught(client.download(clip.projectId, null, { signal: controller.signal }));
    await held.arrived;
    controller.abort(reason);
    assert.equal(await call, reason);
    await held.left;
  });
});

describe('ServiceClient: the key is in no error', () => {
  const echo = () => ({
    status: 401,
    body: { detail: `${service.apiKey} is not known`, code: service.apiKey },
  });
  const failures: [string, () => Failure][] = [
    ['an answer that repeats it', echo],
    ['a lost connection', () => 'drop'],
    ['a cut answer', () => 'truncate'],
    ['a body of another shape', () => 'malformed'],
    ['a redirect', () => ({ status: 302, headers: { Location: 'https://other.example' } })],
  ];
  for (const [name, how] of failures) {
    it(`of ${name}`, async () => {
      const error = await failing(how());
      const texts = [error.message, error.stack, JSON.stringify(error), String(error)];
      for (let one: unknown = error; one instanceof Error; one = one.cause) {
        texts.push(inspect(one, { depth: 20, showHidden: true }));
      }
      assert.ok(!texts.join('\n').includes(service.apiKey));
    });
  }

  it('nor in what is shown of the client', () => {
    const shown = inspect(client, { depth: 20, showHidden: true }) + JSON.stringify(client);
    assert.ok(!shown.includes(service.apiKey));
  });
});
