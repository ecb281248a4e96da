import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import fastify from 'fastify';
import { nodeHandler } from 'clip-host/node';
import { clips } from './clips.js';

const handle = nodeHandler(clips);
const app = fastify();
app.register(async (scope) => {
  // The host reads the body itself, and only as much of it as it needs.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (request, payload, done) => done(null));
  scope.all('/clips/*', (request, reply) => {
    reply.hijack();
    handle(request.raw, reply.raw);
  });
});
app.register(fastifyStatic, { root: join(import.meta.dirname, 'public'), extensions: ['html'] });
app.addHook('preClose', async () => clips.close());
process.on('SIGTERM', () => app.close());

await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' });
