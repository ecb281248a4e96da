import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import express from 'express';
import type { Problem } from 'clip-kit/contract';
import { nodeHandler, getNodeRequest, type NodeHandlerOptions } from '../../src/adapters/node.ts';
import { listen, openMounted, send, sendRaw } from 'clip-testkit/mounted-host';

type Handler = (request: Request) => Promise<Response>;

/** A Node server with this handler; `errors` is what `onError` received. */
async function serve(t: TestContext, handler: Handler, options: NodeHandlerOptions = {}) {
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const server = createServer(nodeHandler(handler, { onError, ...options }));
  return { url: await listen(server, t), errors, server };
}

const bytes = (size: number) => new Uint8Array(size);

describe('nodeHandler: requests', () => {
  it('have method, address, headers and body', async (t) => {
    const { url } = await serve(t, async (one) =>
      Response.json([one.method, one.url, one.headers.get('X-Any'), await one.text()]),
    );
    const answered = await send(url, 'PUT', '/a%2Fb?c=d', {
      body: '{"e":"\u00fc"}',
      headers: { 'X-Any': 'thing' },
    });
    assert.deepEqual(answered.json(), ['PUT', `${url}/a%2Fb?c=d`, 'thing', '{"e":"\u00fc"}']);
    assert.equal(answered.headers['content-length'], String(Buffer.byteLength(answered.text)));
  });

  it('keep their whole path below a mount of Express', async (t) => {
    const app = express();
    const inner = express.Router();
    inner.use(
      '/clips',
      nodeHandler(async (one) => Response.json(new URL(one.url).pathname)),
    );
    app.use('/api', inner);
    const url = await listen(createServer(app), t);
    assert.equal((await send(url, 'GET', '/api/clips/a')).json(), '/api/clips/a');
  });

  for (const [what, head] of [
    ['an invalid Host', 'GET /clips/exports HTTP/1.1\r\nHost: a b/c?d\r\n'],
    ['a Host with a user name', 'GET /clips/exports HTTP/1.1\r\nHost: user@site.example\r\n'],
    ['a target that is no path', 'OPTIONS * HTTP/1.1\r\nHost: site.example\r\n'],
  ]) {
    it(`with ${what} are 400, and never reach the host`, async (t) => {
      let reached = false;
      const { url, errors } = await serve(t, async () => {
        reached = true;
        return new Response();
      });
      const answered = await sendRaw(url, `${head}Connection: close\r\n\r\n`);
      assert.match(answered, /^HTTP\/1\.1 400 /);
      assert.match(answered, /"code":"invalid-request"/);
      assert.match(answered, /cache-control: no-store/i);
      assert.deepEqual([reached, errors], [false, []]);
    });
  }

  it('by TRACE are 405', async (t) => {
    const { url } = await serve(t, async () => new Response());
    const answered = await send(url, 'TRACE', '/');
    assert.deepEqual([answered.status, answered.headers.allow], [405, 'GET, POST']);
  });

  it('without a Host (HTTP/1.0) are of no page’s origin', async (t) => {
    const { url } = await serve(t, async (one) => Response.json(one.url));
    assert.match(await sendRaw(url, 'GET /a HTTP/1.0\r\n\r\n'), /"http:\/\/host\.invalid\/a"$/);
  });

  it('with Expect: 100-continue are told to go on', async (t) => {
    const { url } = await serve(t, async (one) => new Response(await one.text()));
    const sent = request(url, {
      method: 'POST',
      headers: { Expect: '100-continue', 'Content-Length': '4' },
    });
    sent.flushHeaders();
    await once(sent, 'continue');
    sent.end('body');
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    assert.equal(await text(response), 'body');
  });

  it('are read no faster than the host asks', async (t) => {
    const read = Promise.withResolvers<void>();
    const { url } = await serve(t, async (one) => {
      await read.promise;
      let size = 0;
      for await (const part of one.body! as unknown as AsyncIterable<Uint8Array>) {
        size += part.byteLength;
      }
      return Response.json(size);
    });
    const total = 32 * 2 ** 20;
    const sent = request(url, { method: 'POST', headers: { 'Content-Length': total } });
    const response = once(sent, 'response') as Promise<[IncomingMessage]>;
    sent.write(bytes(total));
    await once(sent, 'socket');
    // When writing makes no more progress, the buffers of both sides are full.
    for (let before = -1, now = 0; before !== now;) {
      before = now;
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
      now = sent.socket?.bytesWritten ?? 0;
    }
    assert.ok((sent.socket?.writableLength ?? 0) > total / 4, 'the body was taken in unread');
    read.resolve();
    sent.end();
    assert.equal(await text((await response)[0]), String(total));
  });

  it('whose body is refused do not keep the connection from its answer, nor from the next request', async (t) => {
    const { url } = await serve(t, async (one) => {
      await one.body?.cancel();
      return new Response('no', { status: 413 });
    });
    const body = 'x'.repeat(500_000);
    const one = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n`;
    const answered = await sendRaw(url, `${one}\r\n${body}${one}Connection: close\r\n\r\n${body}`);
    assert.equal(answered.match(/HTTP\/1\.1 413/g)?.length, 2);
  });

  it('whose body is refused and has no end are cut off', async (t) => {
    const { url } = await serve(t, async (one) => {
      await one.body?.cancel();
      return new Response('no', { status: 413 });
    });
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.resume();
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const more = () => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', more);
    more();
    await new Promise((resolve) => socket.on('close', resolve));
  });

  it('that break off in their body fail for the host, are aborted, and are no error of the site', async (t) => {
    const failed = Promise.withResolvers<[unknown, boolean]>();
    const { url, errors } = await serve(t, async (one) => {
      try {
        return new Response(await one.text());
      } catch (error) {
        failed.resolve([error, one.signal.aborted]);
        throw error;
      }
    });
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf', () =>
      socket.destroy(),
    );
    const [error, aborted] = await failed.promise;
    assert.ok(error instanceof Error);
    assert.equal(aborted, true);
    assert.deepEqual(errors, []);
  });
});

describe('nodeHandler: bodies that a parser has read', () => {
  const behind = async (t: TestContext, ...parsers: express.RequestHandler[]) => {
    const app = express();
    for (const parser of parsers) app.use(parser);
    app.use(
      nodeHandler(
        async (one) =>
          Response.json([await one.text(), one.headers.get('Content-Type')], {
            headers: { 'X-Length': one.headers.get('Content-Length') ?? 'none' },
          }),
        { onError: (error) => errors.push(error) },
      ),
    );
    const errors: unknown[] = [];
    return { url: await listen(createServer(app), t), errors };
  };

  it('as JSON are JSON again', async (t) => {
    const { url } = await behind(t, express.json());
    const answered = await send(url, 'POST', '/', { body: '{ "a" : [1, "\u00fc"] }' });
    assert.deepEqual(answered.json(), ['{"a":[1,"\u00fc"]}', 'application/json']);
    assert.equal(answered.headers['x-length'], 'none', 'the length was that of the first spelling');
  });

  it('as bytes or text are passed on as they are', async (t) => {
    for (const parser of [express.raw({ type: '*/*' }), express.text({ type: '*/*' })]) {
      const { url } = await behind(t, parser);
      assert.equal(
        (await send(url, 'POST', '/', { body: '{"a": 1}' })).json<[string]>()[0],
        '{"a": 1}',
      );
    }
  });

  it('as a form keep the type of a form, which the host refuses', async (t) => {
    const site = await openMounted(t, (host) => {
      const app = express();
      app.use(express.urlencoded());
      app.use('/clips', nodeHandler(host));
      return listen(createServer(app), t);
    });
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const answered = await site.send('POST', '/clips/token', { body: 'project_id=p', headers });
    assert.equal(answered.status, 415);
  });

  it('by nobody are streamed, though a parser was there', async (t) => {
    const { url } = await behind(t, express.json(), (one, _response, next) => {
      one.body ??= {}; // As in Express 4.
      next();
    });
    const headers = { 'Content-Type': 'text/plain' };
    const answered = await send(url, 'POST', '/', { body: 'plain', headers });
    assert.deepEqual(answered.json(), ['plain', 'text/plain']);
  });

  it('and have thrown away are a 500, and the site is told what to do', async (t) => {
    const { url, errors } = await behind(t, (one, _response, next) => {
      one.resume().on('end', () => next());
    });
    assert.equal((await send(url, 'POST', '/', { body: '{}' })).status, 500);
    assert.match(String(errors[0]), /Mount the handler before/);
  });
});

describe('nodeHandler: answers', () => {
  it('have several cookies', async (t) => {
    const { url } = await serve(t, async () => {
      const headers = new Headers([
        ['Set-Cookie', 'a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT'],
        ['Set-Cookie', 'b=2'],
      ]);
      return new Response(null, { status: 204, headers });
    });
    const { headers } = await send(url, 'GET', '/');
    assert.deepEqual(headers['set-cookie'], ['a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT', 'b=2']);
  });

  it('leave the cookies and the Vary of a middleware standing', async (t) => {
    const handler = nodeHandler(
      async () =>
        new Response('x', { headers: { Vary: 'Cookie', 'Set-Cookie': 'b=2', 'X-One': 'host' } }),
    );
    const server = createServer((one, response) => {
      response.setHeader('Set-Cookie', 'a=1').setHeader('Vary', 'Accept-Encoding');
      response.setHeader('X-One', 'middleware').setHeader('X-Two', 'middleware');
      handler(one, response);
    });
    const { headers } = await send(await listen(server, t), 'GET', '/');
    assert.deepEqual(headers['set-cookie'], ['a=1', 'b=2']);
    assert.equal(headers.vary, 'Accept-Encoding, Cookie');
    assert.deepEqual([headers['x-one'], headers['x-two']], ['host', 'middleware']);
  });

  it('to HEAD have the headers and no body, which is not made either', async (t) => {
    let cancelled = false;
    const { url } = await serve(t, async () => {
      const body = new ReadableStream({ cancel: () => void (cancelled = true) });
      return new Response(body, { headers: { 'Content-Length': '12345' } });
    });
    const answered = await send(url, 'HEAD', '/');
    assert.deepEqual([answered.headers['content-length'], answered.text], ['12345', '']);
    assert.equal(cancelled, true);
  });

  it('are made no faster than the client reads, and no further when it leaves', async (t) => {
    let made = 0;
    const cancelled = Promise.withResolvers<void>();
    const { url } = await serve(t, async () => {
      const body = new ReadableStream({
        pull(controller) {
          made += 1;
          controller.enqueue(bytes(65_536));
        },
        cancel: () => cancelled.resolve(),
      });
      return new Response(body, { headers: { 'Content-Type': 'video/mp4' } });
    });
    const sent = request(url).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    for (let before = -1; before !== made;) {
      before = made;
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
    assert.ok(made < 1000, `${made} pieces of 64 kB were made for a client that reads none`);
    response.destroy();
    await cancelled.promise;
  });

  it('that break off end the connection, so that no half file passes for a whole one', async (t) => {
    const { url, errors } = await serve(t, async () => {
      let pieces = 0;
      const body = new ReadableStream({
        pull(controller) {
          if (pieces++) controller.error(new Error('upstream has gone'));
          else controller.enqueue(bytes(10));
        },
      });
      return new Response(body);
    });
    await assert.rejects(send(url, 'GET', '/'), { code: 'ECONNRESET' });
    assert.equal(String(errors[0]), 'Error: upstream has gone');
  });

  it('that fail are a 500 that tells nothing; the site is told', async (t) => {
    const { url, errors } = await serve(t, () => Promise.reject(new Error('secret')));
    const answered = await send(url, 'GET', '/');
    assert.equal(answered.headers['content-type'], 'application/problem+json');
    assert.deepEqual(answered.json<Problem>(), {
      type: 'about:blank',
      title: 'Internal error',
      status: 500,
      code: 'internal-error',
    });
    assert.equal(String(errors[0]), 'Error: secret');
  });
});

describe('nodeHandler: the end of a server', () => {
  it('comes at once after host.close(), held requests answered', async (t) => {
    const server = createServer();
    const site = await openMounted(t, (host) => {
      server.on('request', nodeHandler(host));
      return listen(server, t);
    });
    const { world } = site;
    const project = world.service.world.projects.get(await world.clip())!;
    const { id } = world.service.world.addExport(await world.managed(), project);
    const held = site.send('GET', `/clips/exports?id=${id}`, { headers: { Prefer: 'wait=25' } });
    await site.reached();
    await world.quiet();
    const closed = once(server, 'close');
    server.close();
    world.host.close();
    assert.equal((await held).status, 200);
    await closed;
  });
});

describe('nodeHandler: HTTP/2', () => {
  it('has the same requests and answers', async (t) => {
    const server = createHttp2Server(
      nodeHandler(async (one) => {
        assert.equal(one.headers.get('Cookie'), 'a=1; b=2');
        return new Response(`${one.method} ${one.url} ${await one.text()}`, { status: 201 });
      }),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connectHttp2(`http://127.0.0.1:${(server.address() as { port: number }).port}`);
    t.after(async () => {
      client.close();
      server.close();
      await once(server, 'close');
    });
    const stream = client.request({
      ':method': 'POST',
      ':path': '/a?b',
      ':authority': 'site.example',
      cookie: ['a=1', 'b=2'],
    });
    stream.end('body');
    const [headers] = (await once(stream, 'response')) as [{ ':status': number }];
    assert.equal(headers[':status'], 201);
    assert.equal(await text(stream), 'POST http://site.example/a?b body');
  });
});

describe('getNodeRequest', () => {
  it('gives authenticate what a middleware has put on the request', async (t) => {
    const site = await openMounted(
      t,
      (host) => {
        const app = express();
        app.use((one, _response, next) => {
          Object.assign(one, { session: { userId: one.headers['x-session'] } });
          next();
        });
        app.use('/clips', nodeHandler(host));
        return listen(createServer(app), t);
      },
      {
        host: {
          authenticate(one) {
            const { session } = getNodeRequest<{ session: { userId?: string } }>(one);
            return session.userId === undefined ? null : { id: session.userId };
          },
        },
      },
    );
    const headers = { 'X-Session': 'ben' };
    assert.equal((await site.send('GET', '/clips/exports', { headers })).status, 200);
    assert.equal((await site.send('GET', '/clips/exports')).status, 401);
    assert.ok(await site.world.records.managedUser('ben'));
  });

  it('knows no other request', () => {
    assert.throws(() => getNodeRequest(new Request('http://site.example')), /did not come through/);
  });
});

describe('nodeHandler: options', () => {
  it('an invalid origin is refused', () => {
    for (const origin of ['example.com', 'https://example.com/', '']) {
      assert.throws(() => nodeHandler(async () => new Response(), { origin }), TypeError);
    }
  });

  for (const [what, options, origin, status] of [
    ['without options', {}, 'https://www.example.com', 403],
    ['with the origin', { origin: 'https://www.example.com' }, 'https://www.example.com', 200],
    ['with trustProxy', { trustProxy: true }, 'https://www.example.com', 200],
    ['with the origin', { origin: 'https://www.example.com' }, 'https://evil.example', 403],
    ['with trustProxy', { trustProxy: true }, 'https://evil.example', 403],
  ] as const) {
    it(`${what}, a page of ${origin} behind a proxy is ${status}`, async (t) => {
      const site = await openMounted(t, (host) =>
        listen(createServer(nodeHandler(host, options)), t),
      );
      const answered = await send(site.url, 'POST', '/clips/token', {
        body: {},
        headers: {
          Cookie: 'user=ann',
          Origin: origin,
          'X-Forwarded-Host': 'www.example.com',
          'X-Forwarded-Proto': 'https',
        },
      });
      assert.equal(answered.status, status);
    });
  }
});
