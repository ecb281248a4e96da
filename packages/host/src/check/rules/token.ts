import { isDateTime } from '../export-shape.ts';
import { isObject, jsonOf, type Exchange } from '../exchange.ts';
import { status } from '../judges.ts';
import type { Rule } from '../rule.ts';
import { broken, held, judged } from '../verdict.ts';

function field(exchange: Exchange, name: string): unknown {
  const body = jsonOf(exchange);
  return isObject(body) ? body[name] : undefined;
}

function hasToken(exchange: Exchange): string | null {
  const token = field(exchange, 'external_access_token');
  return typeof token === 'string' && token !== ''
    ? null
    : 'the answer has no "external_access_token"';
}

function hasExpiry(exchange: Exchange): string | null {
  const end = field(exchange, 'expires_at');
  if (end === undefined || end === null) return null;
  if (!isDateTime(end)) {
    return `"expires_at" is ${JSON.stringify(end)}, which is not an ISO 8601 date`;
  }
  return Date.parse(String(end)) > Date.now()
    ? null
    : `the token has already expired, at ${String(end)}`;
}

export const tokenRules: readonly Rule[] = [
  {
    id: 'token-shape',
    title: 'POST /token answers 200 with external_access_token',
    why: 'clip-embed opens the player with this token.',
    fix: "Ask the service for a token of the user's managed user (POST /users/{id}/tokens) and answer {external_access_token, expires_at}.",
    check: async (world) => judged([await world.post('token', {}), status(200), hasToken]),
  },
  {
    id: 'token-expiry',
    title: 'expires_at is an ISO 8601 date in the future, null, or omitted',
    why: 'The element renews the token before it expires. A wrong date makes it renew too late or all the time.',
    fix: 'Answer the "exp" of the token as 2026-01-31T10:00:00Z, or null if it has none. Never return an expired token.',
    check: async (world) => judged([await world.post('token', {}), status(200), hasExpiry]),
  },
  {
    id: 'token-project',
    title: 'POST /token accepts a project_id',
    why: 'clip-embed sends the id of the clip that it shows.',
    fix: 'Accept {"project_id": "..."} as the body; a host that does not need it for its token ignores it.',
    check: async (world) => {
      const clip = await world.clip();
      const project_id = clip?.project_id ?? world.nothing();
      const exchange = await world.post('token', { project_id });
      // A host may check the clip. It then answers 404 to an unknown id.
      return clip === null && exchange.received.status === 404
        ? held
        : judged([exchange, status(200), hasToken]);
    },
  },
  {
    id: 'token-own',
    title: 'Two users get different tokens',
    why: 'A token opens the clips of its managed user. A shared token shows one user the clips of another.',
    fix: 'Keep one managed user for each user of the site, and cache tokens by user.',
    needs: ['other'],
    check: async (world) => {
      const mine = await world.post('token', {});
      const theirs = await world.post('token', {}, { as: 'other' });
      const verdict = judged([mine, status(200), hasToken], [theirs, status(200), hasToken]);
      if (verdict.state !== 'held') return verdict;
      return field(mine, 'external_access_token') === field(theirs, 'external_access_token')
        ? broken('both users got the same token', mine, theirs)
        : held;
    },
  },
];
