/** The host in Node's frameworks, mounted as docs/hosts/javascript.md says. */
import assert from 'node:assert/strict';
import { createAdaptorServer } from '@hono/node-server';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { createServer, type Server } from 'node:http';
import { describe, it } from 'node:test';
import type { Problem } from 'clip-kit/contract';
import { nodeHandler } from '../../src/adapters/node.ts';
import { describeMount } from '../support/mount-suite.ts';
import { listen, openMounted, type Mount } from 'clip-testkit/mounted-host';

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

const fastifyBelow =
  (prefix: string): Mount =>
  async (host, t) => {
    const app = fastify();
    app.register(
      async (scope) => {
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
        scope.all('/clips/*', (request, reply) => {
          reply.hijack();
          clips(request.raw, reply.raw);
        });
      },
      { prefix },
    );
    const clips = nodeHandler(host);
    t.after(() => app.close());
    return app.listen({ port: 0, host: '127.0.0.1' });
  };

const honoBelow =
  (mounted: (host: Parameters<Mount>[0]) => Hono): Mount =>
  (host, t) =>
    listen(createAdaptorServer({ fetch: mounted(host).fetch }) as Server, t);

const honoRoutes = (host: Parameters<Mount>[0]) =>
  new Hono().all('/clips/*', (c) => host(c.req.raw));

describeMount('Fastify', fastifyBelow(''));
describeMount('Hono', honoBelow(honoRoutes));

describe('below another router', () => {
  const expressRouter: Mount = (host, t) => {
    const router = express.Router().use('/clips', nodeHandler(host));
    return listen(createServer(express().use('/api', router)), t);
  };
  const hono = honoBelow((host) => new Hono().route('/api', honoRoutes(host)));
  const honoMount = honoBelow((host) => new Hono().mount('/api/clips', host));
  for (const [name, mount, seen] of [
    ['an Express router', expressRouter, '/api/clips/token'],
    ['Fastify with a prefix', fastifyBelow('/api'), '/api/clips/token'],
    ['Hono’s route()', hono, '/api/clips/token'],
    ['Hono’s mount(), which removes the path', honoMount, '/token'],
  ] as const) {
    it(`${name}: the host says what was asked, and where it is`, async (t) => {
      const { send } = await openMounted(t, mount);
      const answered = await send('POST', '/api/clips/token', { body: {} });
      const { code, detail } = answered.json<Problem>();
      assert.deepEqual([answered.status, code], [404, 'endpoint-not-found']);
      assert.ok(detail!.startsWith(`Nothing is at ${seen}: this host is mounted at /clips.`));
    });
  }

  for (const [name, mount] of [
    ['an Express router', expressRouter],
    ['Fastify with a prefix', fastifyBelow('/api')],
    ['Hono’s route()', hono],
  ] as const) {
    it(`${name}: answers with the whole path as its basePath`, async (t) => {
      const { send } = await openMounted(t, mount, { host: { basePath: '/api/clips' } });
      assert.equal((await send('POST', '/api/clips/token', { body: {} })).status, 200);
      const answered = await send('GET', '/api/clips/v1/token');
      const { code, detail } = answered.json<Problem>();
      assert.deepEqual([answered.status, code], [404, 'endpoint-not-found']);
      assert.match(
        detail!,
        /below \/api\/clips this host has account, token, exports, projects, tasks, uploads\.$/,
      );
    });
  }
});
