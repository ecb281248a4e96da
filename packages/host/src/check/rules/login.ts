import { isObject, jsonOf, type Exchange } from '../exchange.ts';
import { problem, status } from '../judges.ts';
import type { Rule } from '../rule.ts';
import type { CheckWorld } from '../world.ts';
import { broken, held, judged, type Judge, type Verdict } from '../verdict.ts';

const unauthenticated = problem(401, 'unauthenticated');

/** A framework may check its own CSRF token before it checks the login. */
const unauthenticatedOrCsrf: Judge = (exchange) =>
  problem(403, 'csrf-failed', 'csrf_failed', 'rest_cookie_invalid_nonce')(exchange) === null
    ? null
    : unauthenticated(exchange);

/** Optional routes may be missing for every user. */
const unauthenticatedOrMissing: Judge = (exchange) =>
  [404, 405].includes(exchange.received.status) ? null : unauthenticatedOrCsrf(exchange);

const claims = (world: CheckWorld): string[] => [
  ...(world.options.otherUser === null ? [] : [world.options.otherUser]),
  '1',
];

const headerNames = ['X-User-Id', 'X-User', 'X-Remote-User', 'X-Forwarded-User', 'X-On-Behalf-Of'];
const queryNames = ['user', 'user_id', 'on_behalf_of'];

const claimHeaders = (id: string): Record<string, string> =>
  Object.fromEntries(headerNames.map((name) => [name, id]));

/** Only the ids of a list, because the exports themselves may change at any time. */
function idsOf(exchange: Exchange): string {
  const body = jsonOf(exchange);
  return Array.isArray(body)
    ? JSON.stringify(body.map((item) => (isObject(item) ? String(item['id']) : '?')).sort())
    : '';
}

/** A claimed identity must not change what the user sees. */
const sameAs = (plain: Exchange, claimed: Exchange, how: string): Verdict =>
  claimed.received.status === 200 && idsOf(claimed) !== idsOf(plain)
    ? broken(`${how} changed what the user sees`, plain, claimed)
    : held;

export const loginRules: readonly Rule[] = [
  {
    id: 'login-required',
    title: 'Without a login, every call is answered 401 unauthenticated',
    why: 'Everything behind these calls costs money or is private.',
    fix: 'Ask your own session who is logged in before anything else; if nobody is, answer 401 as problem+json with code unauthenticated. Do not redirect to a login page: the caller is a script.',
    check: async (world) => {
      const nobody = { as: 'nobody' } as const;
      const query = { project_id: world.nothing() };
      const id = world.nothing();
      return judged(
        [await world.post('token', {}, nobody), unauthenticatedOrCsrf],
        [await world.badStart({}, nobody), unauthenticatedOrCsrf],
        [await world.get('exports', nobody), unauthenticated],
        [await world.get('exports', { ...nobody, query: { id } }), unauthenticated],
        [await world.get('exports', { ...nobody, query: { attempt: world.key } }), unauthenticated],
        [await world.get(`exports/${id}`, { ...nobody, query }), unauthenticated],
        [await world.get(`exports/${id}/download`, { ...nobody, query }), unauthenticatedOrMissing],
        [await world.get(`projects/${id}`, nobody), unauthenticatedOrMissing],
        [await world.get(`tasks/${id}`, nobody), unauthenticatedOrMissing],
        [await world.get('tasks', nobody), unauthenticatedOrMissing],
        [await world.ask('DELETE', `tasks/${id}`, nobody), unauthenticatedOrMissing],
        [await world.post('uploads', {}, nobody), unauthenticatedOrMissing],
        [await world.get(`uploads/${id}`, nobody), unauthenticatedOrMissing],
        [await world.ask('DELETE', `uploads/${id}`, nobody), unauthenticatedOrMissing],
      );
    },
  },
  {
    id: 'identity-header',
    title: 'No request header decides who the user is',
    why: 'Anyone can send X-User-Id. Only the session is reliable.',
    fix: 'Take the user from the session. If a proxy in front identifies users by a header, it must remove that header from outside requests.',
    check: async (world) => {
      // A list that is not empty shows which user it belongs to.
      await world.sample();
      const plain = await world.get('exports');
      for (const id of claims(world)) {
        const headers = claimHeaders(id);
        const nobody = await world.get('exports', { as: 'nobody', headers });
        const verdict = judged([nobody, unauthenticated]);
        if (verdict.state !== 'held') return verdict;
        const seen = sameAs(plain, await world.get('exports', { headers }), 'A header');
        if (seen.state !== 'held') return seen;
      }
      return judged([plain, status(200)]);
    },
  },
  {
    id: 'identity-query',
    title: 'No query parameter decides who the user is',
    why: 'Anyone can write ?user= into a URL. Only the session is reliable.',
    fix: 'Take the user from the session, and refuse unknown query parameters.',
    check: async (world) => {
      // A list that is not empty shows which user it belongs to.
      await world.sample();
      const plain = await world.get('exports');
      for (const name of queryNames) {
        for (const id of claims(world)) {
          const query = { [name]: id };
          const verdict = judged([
            await world.get('exports', { as: 'nobody', query }),
            (exchange) =>
              exchange.received.status === 400
                ? problem(400, 'invalid-request')(exchange)
                : unauthenticated(exchange),
          ]);
          if (verdict.state !== 'held') return verdict;
          const seen = sameAs(plain, await world.get('exports', { query }), `?${name}=`);
          if (seen.state !== 'held') return seen;
        }
      }
      return judged([plain, status(200)]);
    },
  },
];
