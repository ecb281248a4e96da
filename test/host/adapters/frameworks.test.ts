/** The host in Node's frameworks, mounted as docs/hosts/javascript.md says. */
import { createAdaptorServer } from '@hono/node-server';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { createServer, type Server } from 'node:http';
import { nodeHandler } from '../../../src/host/adapters/node.ts';
import { describeMount } from '../../support/mount-suite.ts';
import { listen, type Mount } from '../../support/mounted-host.ts';

const expressBelow =
  (...before: express.RequestHandler[]): Mount =>
  (host, t) => {
    const app = express();
    for (const one of before) app.use(one);
    app.use('/clips', nodeHandler(host));
    return listen(createServer(app), t);
  };

describeMount('Node’s http', (host, t) => listen(createServer(nodeHandler(host)), t));
describeMount('Express', expressBelow());
describeMount('Express, after its body parser', expressBelow(express.json()));

describeMount('Fastify', async (host, t) => {
  const app = fastify();
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.all('/clips/*', (request, reply) => {
      reply.hijack();
      clips(request.raw, reply.raw);
    });
  });
  const clips = nodeHandler(host);
  t.after(() => app.close());
  return app.listen({ port: 0, host: '127.0.0.1' });
});

describeMount('Hono', (host, t) => {
  const app = new Hono();
  app.all('/clips/*', (c) => host(c.req.raw));
  return listen(createAdaptorServer({ fetch: app.fetch }) as Server, t);
});
