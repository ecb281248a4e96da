/** The floor of the service's answers: bare Hono that makes the same JSON of an object it has. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { serve } from './child.ts';

await serve<{ body: string }>(async ({ body }) => {
  const answer = JSON.parse(body) as object;
  const app = new Hono();
  app.get('*', (c) => c.json(answer));
  const server = createAdaptorServer(app) as Server;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.closeAllConnections(),
  };
});
