import { makeHost } from './host.js';

const env = (name) => globalThis.Deno.env.get(name);
const host = makeHost({ SERVICE_URL: env('SERVICE_URL'), SERVICE_KEY: env('SERVICE_KEY') });
globalThis.Deno.serve(
  { hostname: '127.0.0.1', port: Number(env('PORT')), onListen: () => console.log('listening') },
  (request) => host(request),
);
