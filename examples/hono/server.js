import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { clips } from './clips.js';

const app = new Hono();
app.all('/clips/*', (c) => clips(c.req.raw));

const server = serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) });

process.on('SIGTERM', () => {
  server.close();
  clips.close(); // Ends held requests; the server would wait for them.
});
