import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, isIP, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import {
  connectTimeoutMs,
  createGuardedLookup,
  mayConnect,
  PrivateAddress,
} from './guarded-agent.ts';

/** A proxy on loopback for the connections of one program. */
export interface GuardedProxy {
  /** Such as `http://127.0.0.1:40001`. */
  readonly url: string;
  /** Ends all of its connections. */
  close(): Promise<void>;
}

/**
 * Opens an HTTP proxy for a program that opens its own connections. It only tunnels (`CONNECT`), so
 * only https passes, and only to addresses that the engine may connect to. Others are answered 403.
 */
export async function openGuardedProxy(allowPrivate: boolean): Promise<GuardedProxy> {
  const lookup = createGuardedLookup(allowPrivate);
  const sockets = new Set<Socket>();
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  const server = createServer((_, response) => void response.writeHead(403).end());
  server.on('connection', track);
  server.on('connect', ({ url = '' }, client: Socket, head) => {
    client.on('error', () => client.destroy());
    const [, host = '', digits] = /^\[?([^[\]]+?)\]?:(\d{1,5})$/.exec(url) ?? [];
    const port = Number(digits);
    // An address is not looked up.
    const isRefused = isIP(host) !== 0 && !mayConnect(host, allowPrivate);
    if (!(port > 0 && port < 65_536) || isRefused) {
      client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const upstream = connect({ host, port, lookup, timeout: connectTimeoutMs });
    track(upstream);
    upstream.once('timeout', () => upstream.destroy(new Error('The connection took too long.')));
    upstream.once('error', (error) => {
      const status = error instanceof PrivateAddress ? '403 Forbidden' : '502 Bad Gateway';
      if (upstream.pending) client.end(`HTTP/1.1 ${status}\r\n\r\n`);
    });
    upstream.once('connect', () => {
      upstream.setTimeout(0);
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      pipeline(client, upstream, client, () => {});
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
