import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Tells each message (type and body) from a stream of bytes. */
function messages(
  onMessage: (type: string, body: Buffer) => void,
  of: 'client' | 'server',
): (bytes: Buffer) => void {
  let left = Buffer.alloc(0);
  let started = of === 'server';
  return (bytes) => {
    left = Buffer.concat([left, bytes]);
    for (;;) {
      // The first message of a client has no type.
      const head = started ? 1 : 0;
      if (left.length < head + 4) return;
      const length = head + left.readUInt32BE(head);
      if (left.length < length) return;
      if (started) onMessage(String.fromCharCode(left[0]!), left.subarray(5, length));
      started = true;
      left = left.subarray(length);
    }
  };
}

/** A way to a Postgres server that sees each statement, and can be cut. */
export interface DatabaseProxy {
  url: string;
  /** The statements so far. */
  statements: string[];
  /** Whether the server has answered all that it was asked. */
  isIdle(): boolean;
  /** Nothing comes through the connections any more, and nobody is told; new ones work. */
  silence(): void;
  /** Breaks all connections; new ones are accepted. */
  cut(): void;
  close(): Promise<void>;
}

export async function databaseProxy(address: string): Promise<DatabaseProxy> {
  const target = new URL(address);
  const statements: string[] = [];
  const sockets = new Set<Socket>();
  /** By connection: how much of what was asked has no answer yet. */
  const asked = new Map<Socket, number>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const named = new Map<string, string>();
    const read = messages((type, body) => {
      const [name = '', text = ''] = body.toString('utf8').split('\0');
      if (type === 'Q') statements.push(name);
      if (type === 'P') named.set(name, text);
      if (type === 'B') statements.push(named.get(text) ?? '');
      // Query, Sync.
      if (type === 'Q' || type === 'S') asked.set(client, (asked.get(client) ?? 0) + 1);
    }, 'client');
    const readAnswers = messages((type) => {
      // ReadyForQuery: also once before anything is asked.
      if (type === 'Z') asked.set(client, Math.max(0, (asked.get(client) ?? 0) - 1));
    }, 'server');
    client.on('data', read);
    upstream.on('data', readAnswers);
    client.on('close', () => asked.delete(client));
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.pipe(other);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(address);
  url.port = String((server.address() as AddressInfo).port);
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    statements,
    isIdle: () => [...asked.values()].every((count) => count === 0),
    silence() {
      for (const socket of sockets) {
        socket.unpipe();
        socket.removeAllListeners('close');
        socket.pause();
      }
    },
    cut,
    async close() {
      server.close();
      cut();
      await once(server, 'close');
    },
  };
}
