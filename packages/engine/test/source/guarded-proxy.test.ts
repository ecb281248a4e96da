import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { after, before, describe, it, type TestContext } from 'node:test';
import { openGuardedProxy } from '../../src/source/guarded-proxy.ts';

describe('a proxy with the address check', () => {
  /** Answers with what it receives. */
  const echo = createServer((socket) => socket.pipe(socket));
  let target: string;
  before(async () => {
    await once(echo.listen(0, '127.0.0.1'), 'listening');
    target = `127.0.0.1:${(echo.address() as AddressInfo).port}`;
  });
  after(() => echo.close());

  const connected = async (t: TestContext, allowPrivate: boolean, path: string) => {
    const proxy = await openGuardedProxy(allowPrivate);
    t.after(() => proxy.close());
    const asked = request(proxy.url, { method: 'CONNECT', path });
    const [response, socket] = (await once(asked.end(), 'connect')) as [
      { statusCode: number },
      Socket,
    ];
    socket.on('error', () => {});
    return { proxy, status: response.statusCode, socket };
  };

  it('tunnels what is sent both ways, and ends with its program', async (t) => {
    const { proxy, status, socket } = await connected(t, true, target);
    assert.equal(status, 200);
    socket.write('hello');
    const [data] = (await once(socket, 'data')) as [Buffer];
    assert.equal(String(data), 'hello');
    const closed = once(socket, 'close');
    await proxy.close();
    await closed;
  });

  for (const [path, allowPrivate, status] of [
    ['127.0.0.1:1', false, 403],
    ['[::1]:1', false, 403],
    ['localhost:1', false, 403],
    ['10.0.0.1:443', false, 403],
    ['169.254.169.254:80', true, 403],
    ['[::ffff:169.254.169.254]:80', true, 403],
    ['127.0.0.1:1', true, 502],
    ['nowhere.invalid:443', true, 502],
    ['nowhere', true, 403],
    ['127.0.0.1:99999', true, 403],
  ] as const) {
    const where = allowPrivate ? ', where private addresses are allowed' : '';
    it(`answers ${status} for ${path}${where}`, async (t) => {
      assert.equal((await connected(t, allowPrivate, path)).status, status);
    });
  }

  it('forwards no request that is not a tunnel', async (t) => {
    const proxy = await openGuardedProxy(true);
    t.after(() => proxy.close());
    const asked = request(proxy.url, { path: `http://${target}/` });
    const [{ statusCode }] = (await once(asked.end(), 'response')) as [{ statusCode: number }];
    assert.equal(statusCode, 403);
  });
});
