import { makeHost } from './host.js';

let host;

export default {
  /** A worker's settings come with its requests. */
  fetch: (request, env) => (host ??= makeHost(env))(request),
};
