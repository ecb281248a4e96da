import { d1Store } from 'clip-host/d1';
import { makeHost } from './host.js';

let host;

export default {
  /** A worker's settings come with its requests. */
  fetch: (request, env) => (host ??= makeHost(env, env.DB && d1Store(env.DB)))(request),
};
