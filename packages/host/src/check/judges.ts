import { problemStatuses } from 'clip-kit/contract';
import { isObject, jsonOf, type Exchange } from './exchange.ts';
import type { Judge } from './verdict.ts';

/** The codes that frameworks use to report that their own CSRF token is missing. */
const csrfCodes = ['csrf-failed', 'csrf_failed', 'rest_cookie_invalid_nonce'];

const answered = ({ received }: Exchange): string =>
  received.status === 0
    ? `no answer came (${received.failure})`
    : `the answer was ${received.status}`;

/** The answer has one of these statuses. */
export const status =
  (...wanted: readonly number[]): Judge =>
  (exchange) =>
    wanted.includes(exchange.received.status)
      ? null
      : `${answered(exchange)}, but should have been ${wanted.join(' or ')}`;

/** The answer is 4xx. */
export const refused: Judge = (exchange) =>
  exchange.received.status >= 400 && exchange.received.status < 500
    ? null
    : `${answered(exchange)}, but should have been a refusal (4xx)`;

/** The code of a problem, or null. */
export function codeOf(exchange: Exchange): string | null {
  const body = jsonOf(exchange);
  return isObject(body) && typeof body['code'] === 'string' ? body['code'] : null;
}

/**
 * An error answer is a problem with a code of the contract, and the code belongs to this status.
 */
export const isProblem: Judge = (exchange) => {
  const { received } = exchange;
  const type = received.headers['content-type'] ?? 'none';
  if (!/^application\/problem\+json\s*(;|$)/i.test(type)) {
    return `the answer ${received.status} has the content type ${type}, not application/problem+json`;
  }
  const body = jsonOf(exchange);
  if (!isObject(body)) return `the answer ${received.status} is not a JSON object`;
  const code = codeOf(exchange);
  if (code === null) return `the problem ${received.status} has no "code"`;
  const known = csrfCodes.includes(code)
    ? 403
    : (problemStatuses as Readonly<Record<string, number>>)[code];
  if (known === undefined) return `the code "${code}" is not a code of the contract`;
  if (known !== received.status) {
    return `the code "${code}" belongs to status ${known}, not to ${received.status}`;
  }
  if (body['status'] !== undefined && body['status'] !== received.status) {
    return `the problem says status ${JSON.stringify(body['status'])}, the answer is ${received.status}`;
  }
  return typeof body['title'] === 'string' && body['title']
    ? null
    : `the problem ${received.status} has no "title"`;
};

/** The answer is a problem with this status and one of these codes. */
export const problem =
  (wanted: number, ...codes: readonly string[]): Judge =>
  (exchange) => {
    const wrong = status(wanted)(exchange) ?? isProblem(exchange);
    if (wrong !== null) return wrong;
    const code = codeOf(exchange);
    return code !== null && codes.includes(code)
      ? null
      : `the code is "${code}", but should have been ${codes.map((code) => `"${code}"`).join(' or ')}`;
  };

/** A 200 with a JSON array; `look` checks its items. */
export const list =
  (look: (items: readonly unknown[]) => string | null = () => null): Judge =>
  (exchange) => {
    const wrong = status(200)(exchange);
    if (wrong !== null) return wrong;
    const body = jsonOf(exchange);
    return Array.isArray(body) ? look(body) : 'the answer is not a JSON array';
  };

/** A JSON array of exports with exactly these ids, in any order. */
export const listOf = (...ids: readonly string[]): Judge =>
  list((items) => {
    const found = items.map((item) => (isObject(item) ? String(item['id']) : '?'));
    return JSON.stringify([...found].sort()) === JSON.stringify([...ids].sort())
      ? null
      : `the list has ${found.length ? found.join(', ') : 'nothing'}, but should have ${ids.length ? ids.join(', ') : 'nothing'}`;
  });
