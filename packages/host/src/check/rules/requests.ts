import { isObject, jsonOf } from '../exchange.ts';
import { codeOf, isProblem, problem, refused, status } from '../judges.ts';
import type { Rule } from '../rule.ts';
import { broken, held, judged, type Judge } from '../verdict.ts';

const invalid = problem(400, 'invalid-request');

const hasFieldErrors: Judge = (exchange) => {
  const body = jsonOf(exchange);
  const errors = isObject(body) ? body['errors'] : undefined;
  return Array.isArray(errors) &&
    errors.length > 0 &&
    errors.every(
      (item) =>
        isObject(item) && typeof item['path'] === 'string' && typeof item['message'] === 'string',
    )
    ? null
    : 'the problem has no "errors" [{path, message}]';
};

/** A host that closes the connection because a body is far too big has refused it. */
const tooBig: Judge = (exchange) =>
  exchange.received.status === 0
    ? null
    : (status(413, 400)(exchange) ??
      problem(exchange.received.status, 'body-too-large', 'invalid-request')(exchange));

const notTaken: Judge = (exchange) => status(415, 400)(exchange) ?? isProblem(exchange);

/** Path segments that a careless host splits into more segments. */
const tricks = [
  'exports/..%2Fexports',
  'exports/..%2f..%2fexports',
  'exports/%2e%2e%2fexports',
  'exports/%2e%2e',
  'exports/..%5cexports',
  'exports/.%2fdownload',
  'exports/%00',
  'exports/%ff%fe',
  'exports/%',
  'projects/..%2Fexports',
  'tasks/..%2Fexports',
];

export const requestRules: readonly Rule[] = [
  {
    id: 'unknown-fields',
    title: 'Unknown fields in a body are refused with 400',
    why: 'A misspelt field would be dropped silently, and a user id in a body must have no effect.',
    fix: 'Validate the body against the fields of the contract, and name every other field in the refusal.',
    check: async (world) =>
      judged(
        [await world.post('token', { clip_host_check: true }), invalid],
        [await world.post('token', { user_id: '1' }), invalid],
        [await world.badStart({ clip_host_check: true }), invalid],
        [
          await world.badStart({ watermark: { src_url: 'https://clip.example/w.png', x: 1 } }),
          invalid,
        ],
      ),
  },
  {
    id: 'field-checks',
    title: 'Fields of the wrong type are refused with 400',
    why: 'What you do not validate goes to the service, at your cost.',
    fix: 'project_id: a non-empty string. watermark: an object with src_url (http or https), pos_x and pos_y 0 to 1, scale above 0. watermark and preset_id never together.',
    check: async (world) => {
      const src_url = 'https://clip.example/w.png';
      return judged(
        [await world.post('token', { project_id: 1 }), invalid],
        [await world.badStart({ project_id: undefined }), invalid],
        [await world.badStart({ project_id: '' }), invalid],
        [await world.badStart({ project_id: ['a'] }), invalid],
        [await world.badStart({ folder_id: 7 }), invalid],
        [await world.badStart({ watermark: src_url }), invalid],
        [await world.badStart({ watermark: { src_url: 'javascript:alert(1)' } }), invalid],
        [await world.badStart({ watermark: { src_url, pos_x: 2 } }), invalid],
        [await world.badStart({ watermark: { src_url }, preset_id: 'p' }), invalid],
      );
    },
  },
  {
    id: 'field-errors',
    title: 'A 400 names the invalid field in errors',
    why: 'The developer of the page sees what to change.',
    fix: 'Add "errors": [{"path": "project_id", "message": "..."}] to the problem.',
    check: async (world) =>
      judged(
        [await world.post('token', { clip_host_check: true }), invalid, hasFieldErrors],
        [await world.badStart({ project_id: '' }), invalid, hasFieldErrors],
      ),
  },
  {
    id: 'query-checks',
    title: 'An invalid query is refused with 400',
    why: 'Without project_id an export cannot be found. An unknown parameter is a mistake or an attack.',
    fix: 'Validate the query: every required parameter must be there, and no unknown one.',
    check: async (world) => {
      const id = world.nothing();
      return judged(
        [await world.get(`exports/${id}`), invalid],
        [await world.get('exports', { query: { clip_host_check: '1' } }), invalid],
        [await world.get('exports', { query: { id, project_id: id } }), invalid],
        [await world.get('exports', { query: { id: '' } }), invalid],
      );
    },
  },
  {
    id: 'json-alone',
    title: 'A body that is not sent as application/json is refused',
    why: 'A form on another site can send text/plain and form types without a preflight.',
    fix: 'Check Content-Type before the body: answer 415 unsupported-media-type to everything except application/json.',
    check: async (world) => {
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'text/plain; application/json',
      ]) {
        const headers = { 'Content-Type': type };
        const verdict = judged(
          [await world.post('token', {}, { headers }), notTaken],
          [await world.badStart({}, { headers }), notTaken],
        );
        if (verdict.state !== 'held') return verdict;
      }
      return held;
    },
  },
  {
    id: 'json-broken',
    title: 'A body that is not a JSON object is refused with 400',
    why: 'An invalid body is a mistake of the caller, so it is never a 500.',
    fix: 'Catch the error of the JSON parser, and check that the value is an object.',
    check: async (world) => {
      const headers = { 'Idempotency-Key': world.nothing() };
      return judged(
        [await world.post('token', '{"project_id": '), invalid],
        [await world.post('token', '["project_id"]'), invalid],
        [await world.post('token', 'null'), invalid],
        [await world.post('exports', '{"project_id": ', { headers }), invalid],
        [await world.post('exports', '"text"', { headers }), invalid],
      );
    },
  },
  {
    id: 'body-limit',
    title: 'A body over 64 kB is refused',
    why: "No call needs more. Without a limit, an attacker can fill the host's memory.",
    fix: 'Stop reading after 64 kB and answer 413 body-too-large, whatever Content-Length says.',
    check: async (world) => {
      const project_id = 'a'.repeat(80 * 1024);
      return judged(
        [await world.post('token', { project_id }), tooBig],
        [await world.badStart({ project_id }), tooBig],
      );
    },
  },
  {
    id: 'path-tricks',
    title: 'Ids with encoded slashes and dots reach no other call',
    why: "An id that is put into the service's URL unchanged could reach other calls with your key.",
    fix: 'Split the path before decoding, take each id as one segment, and percent-encode it again in the service\'s URL. "." and ".." are not ids.',
    check: async (world) => {
      const query = { project_id: world.nothing() };
      for (const path of tricks) {
        const ask = { apart: true, ...(path.startsWith('exports/') ? { query } : {}) };
        const verdict = judged([await world.get(path, ask), refused]);
        if (verdict.state !== 'held') return verdict;
      }
      const id = world.nothing();
      for (const project_id of ['../exports', '..', '.', `${id}/exports/${id}?x=`, '%2e%2e']) {
        const verdict = judged([
          await world.get(`exports/${id}`, { query: { project_id } }),
          refused,
        ]);
        if (verdict.state !== 'held') return verdict;
      }
      return held;
    },
  },
  {
    id: 'unknown-path',
    title: 'An unknown path is answered 404 with a problem',
    why: "The elements read problems. They cannot read HTML, such as the site's own 404 page.",
    fix: 'Answer everything below the endpoint yourself: 404 with code endpoint-not-found to all other paths.',
    check: async (world) => {
      const nowhere = problem(404, 'endpoint-not-found', 'not-found');
      return judged(
        [await world.get('clip-host-check'), nowhere],
        [await world.get('exports/a/b/c'), nowhere],
        [await world.post('clip-host-check', {}), nowhere],
      );
    },
  },
  {
    id: 'methods',
    title: 'Other methods are answered 405, HEAD as GET or 405, OPTIONS without an error',
    why: 'A PUT that is handled as a POST starts something that nobody asked for.',
    fix: 'Check the method of each path: answer 405 method-not-allowed with Allow to all others.',
    check: async (world) => {
      const notAllowed = problem(405, 'method-not-allowed');
      const head = await world.ask('HEAD', 'exports');
      const options = await world.ask('OPTIONS', 'exports', { as: 'nobody' });
      if (options.received.status === 0 || options.received.status >= 500) {
        return broken('OPTIONS failed', options);
      }
      return judged(
        [await world.ask('PUT', 'exports', { body: {} }), notAllowed],
        [await world.ask('DELETE', `exports/${world.nothing()}`), notAllowed],
        [await world.ask('PATCH', 'token', { body: {} }), notAllowed],
        [await world.get('token'), notAllowed],
        [head, status(200, 405)],
      );
    },
  },
  {
    id: 'attempt-key',
    title: 'A start needs an Idempotency-Key of 8 to 128 characters of A-Z a-z 0-9 . _ -',
    why: 'Without it, a repeated request pays twice.',
    fix: 'Answer 400 invalid-request before you call the service.',
    check: async (world) => {
      for (const key of [null, 'short', 'k'.repeat(129), 'with a blank', 'per%20cent']) {
        const exchange = await world.badStart({}, { headers: { 'Idempotency-Key': key } });
        const wrong = invalid(exchange);
        if (wrong !== null) {
          const what = key === null ? 'no key' : `the key "${key}"`;
          const code = codeOf(exchange);
          return broken(`with ${what}: ${wrong}${code === null ? '' : ` (${code})`}`, exchange);
        }
      }
      return held;
    },
  },
];
