import { makeHost } from './host.js';

const host = makeHost(process.env);
globalThis.Bun.serve({
  hostname: '127.0.0.1',
  port: Number(process.env.PORT),
  // In seconds: a held request is silent for longer than Bun's default of 10.
  idleTimeout: 60,
  fetch: (request) => host(request),
});
console.log('listening');
