import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { takePort, type HttpServer } from '../../src/api/server.ts';
import { ApiError } from '../../src/api-error.ts';
import { answerProblem } from '../../src/api/problem.ts';

describe('a request that does not arrive', () => {
  let door: HttpServer;
  before(async () => {
    door = await takePort(0, '127.0.0.1', 1000);
    door.open(async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/refused') {
        return answerProblem(new ApiError('unauthenticated', 'No key.'));
      }
      const body = await request.text();
      // Longer than a request may take to arrive.
      if (pathname === '/held') await setTimeout(2500);
      return new Response(`read ${body.length}`);
    });
  });
  after(() => door.close());

  const open = async (): Promise<{ socket: Socket; answer: Promise<string> }> => {
    const socket = connect(door.port, '127.0.0.1');
    await once(socket, 'connect');
    // A client that drips into a closed connection.
    socket.on('error', () => {});
    let text = '';
    socket.setEncoding('latin1').on('data', (piece: string) => (text += piece));
    return { socket, answer: once(socket, 'close').then(() => text) };
  };
  /** A byte now and then, for as long as it is taken. */
  const drip = async (socket: Socket): Promise<void> => {
    while (!socket.destroyed && socket.writable) {
      socket.write('x');
      await setTimeout(20);
    }
  };
  const head = (method: string, path: string): string =>
    `${method} ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n`;

  for (const [what, start] of [
    ['in its body', head('POST', '/')],
    ['in its headers', 'POST / HTTP/1.1\r\nHost: a\r\nX-Slow: '],
  ] as const) {
    it(`is 408 with a problem and its connection is closed, however steadily it drips: ${what}`, async () => {
      const { socket, answer } = await open();
      socket.write(start);
      await drip(socket);
      const [top = '', body = ''] = (await answer).split('\r\n\r\n');
      assert.match(top, /^HTTP\/1\.1 408 Request Timeout\r\n/);
      assert.match(top, /\r\nContent-Type: application\/problem\+json\r\n/);
      assert.match(top, /\r\nConnection: close/);
      const problem = JSON.parse(body);
      assert.deepEqual([problem.status, problem.code], [408, 'invalid-request']);
      assert.match(problem.detail, /too long/);
    });
  }

  it('and is a GET, whose body nobody reads, is closed as well', async () => {
    const { socket, answer } = await open();
    socket.write(head('GET', '/'));
    await drip(socket);
    assert.match(await answer, /^HTTP\/1\.1 200 /);
  });

  it('and has been answered already gets no second answer', async () => {
    const { socket, answer } = await open();
    socket.write(head('POST', '/refused'));
    await drip(socket);
    assert.deepEqual((await answer).match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 401']);
  });

  it('is no request that is held: that one has arrived', async () => {
    const answer = await fetch(`http://127.0.0.1:${door.port}/held`, {
      method: 'POST',
      body: 'abc',
    });
    assert.equal(await answer.text(), 'read 3');
  });

  it('and one that is no HTTP is 400 with a problem', async () => {
    const { socket, answer } = await open();
    socket.write('this is not HTTP\r\n\r\n');
    assert.match(await answer, /^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*"code":"invalid-request"/);
  });
});

describe('a connection that sends a file', () => {
  const waitMs = 100;
  let door: HttpServer;
  before(async () => {
    door = await takePort(0, '127.0.0.1', waitMs);
    door.open(async (request) => {
      await request.text();
      // Longer than a file may stop arriving.
      if (request.url.endsWith('/checked')) await setTimeout(10 * waitMs);
      return new Response(null, { status: 204 });
    });
  });
  after(() => door.close());

  const send = (path: string, body: string): { socket: Socket; answer: () => string } => {
    const socket = connect(door.port, '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').on('data', (piece: string) => (text += piece));
    socket.write(`PATCH /uploads/${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n${body}`);
    return { socket, answer: () => text };
  };

  it('is closed if nothing of it comes any more', async () => {
    const { socket, answer } = send('one', 'abc');
    await once(socket, 'close');
    assert.equal(answer(), '');
  });

  it('is not closed while the file that has arrived is checked, and then when it is idle', async () => {
    const { socket, answer } = send('checked', 'abcde');
    await once(socket, 'close');
    assert.match(answer(), /^HTTP\/1\.1 204 /);
  });
});
