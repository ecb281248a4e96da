import { makeHost } from './host.js';

const env = (name) => globalThis.Deno.env.get(name);
const host = makeHost({ CLIP_API_URL: env('CLIP_API_URL'), CLIP_API_KEY: env('CLIP_API_KEY') });
globalThis.Deno.serve(
  { hostname: '127.0.0.1', port: Number(env('PORT')), onListen: () => console.log('listening') },
  (request) => host(request),
);
