/**
 * Servers in processes of their own, whose processor time can be asked for. This file is also the
 * program of such a process: its arguments are the kind of server and its settings.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import { createClipHost, memoryStore } from 'clip-host';
import { Hono } from 'hono';
import { logLines } from '../packages/service/src/telemetry/log-lines.ts';
import { startService } from '../packages/service/src/service.ts';

interface Started {
  url: string;
  close(): unknown;
}

async function listen(answer: RequestListener): Promise<Started> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.closeAllConnections() };
}

interface Site {
  serviceUrl: string;
  managedUser: string;
}
const apiKey = 'no-key-that-is-checked';

const kinds = {
  /** Node's own server, which answers every request with the same JSON. */
  floor: ({ body }: { body: string }) =>
    listen((_request, response) => {
      const headers = { 'Content-Type': 'application/json' };
      response.writeHead(200, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
    }),
  /** The whole service: API and worker in one process. */
  service: (settings: { dataDir: string; apiKey: string }) =>
    startService({
      ...{ port: 0, host: '127.0.0.1', allowPrivateSources: true },
      ...{ log: logLines('info'), ...settings },
    }),
  /** The host's handler alone, before another server that stands in for the service. */
  host({ serviceUrl, managedUser }: Site) {
    let asked = 0;
    const host = createClipHost({
      service: { baseUrl: `${serviceUrl}/v2`, apiKey },
      ...{ basePath: '/clips', log: () => {} },
      store: { ...memoryStore(), read: async () => ({ at: 0, value: managedUser }) },
      // So many that the limit of none is reached.
      authenticate: () => ({ id: `ada-${asked++ % 10_000}` }),
    });
    return listen(getRequestListener(host));
  },
  /** The host's route as somebody writes it by hand: the same call, nothing checked. */
  byHand({ serviceUrl, managedUser }: Site) {
    const app = new Hono();
    app.get('/clips/exports/:id', async (c) => {
      const project = encodeURIComponent(c.req.query('project_id') ?? '');
      const id = encodeURIComponent(c.req.param('id'));
      const answer = await fetch(`${serviceUrl}/v2/projects/${project}/exports/${id}`, {
        signal: AbortSignal.timeout(30_000),
        headers: { Authorization: `Bearer ${apiKey}`, 'X-On-Behalf-Of': managedUser },
      });
      c.header('Cache-Control', 'no-store');
      return c.json((await answer.json()) as object);
    });
    return listen(getRequestListener(app.fetch));
  },
};

export interface MeasuredServer {
  url: string;
  /** Reads the microseconds of processor time that it has used, user and system. */
  readCpu(): Promise<number>;
  /** Stops it; resolves when its process is gone. */
  stop(): Promise<void>;
}

export async function startServer<Kind extends keyof typeof kinds>(
  kind: Kind,
  settings: Parameters<(typeof kinds)[Kind]>[0],
): Promise<MeasuredServer> {
  const child = fork(fileURLToPath(import.meta.url), [kind, JSON.stringify(settings)], {
    // The log is written, and nobody reads it.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const receive = <T>(): Promise<T> =>
    Promise.race([
      once(child, 'message').then(([message]) => message as T),
      ended.then(() => Promise.reject(new Error(`The ${kind} server of the bench ended.`))),
    ]);
  const url = await receive<string>();
  return {
    url,
    readCpu() {
      const answer = receive<number>();
      child.send('cpu');
      return answer;
    },
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

if (import.meta.main) {
  const [kind, settings] = process.argv.slice(2) as [keyof typeof kinds, string];
  const started = await kinds[kind](JSON.parse(settings) as never);
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
  // The channel closes when the bench stops the server, and when the bench itself ends.
  process.once('disconnect', () => {
    void Promise.resolve(started.close()).finally(() => process.exit());
  });
  process.send?.(started.url);
}
