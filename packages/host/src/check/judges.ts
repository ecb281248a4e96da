import { problemStatuses, statuses } from 'clip-kit/contract';
import { isObject, jsonOf, send, type Exchange } from './http.ts';
import type { CheckWorld } from './world.ts';

/** What a judge may compare an answer with. */
export interface Judged {
  readonly world: CheckWorld;
  /** The answer to the rule's first request. */
  readonly first: Exchange | null;
}

/** Checks one exchange; returns what is wrong with it, in plain words, or null. */
type Judge = (
  exchange: Exchange,
  value: string,
  judged: Judged,
) => string | null | Promise<string | null>;

/** The codes that frameworks use to report that their own CSRF token is missing. */
const csrfCodes = ['csrf-failed', 'csrf_failed', 'rest_cookie_invalid_nonce'];
const codes: Readonly<Record<string, number>> = {
  ...problemStatuses,
  ...Object.fromEntries(csrfCodes.map((code) => [code, 403])),
};

type Kind = readonly [words: string, fits: (value: unknown) => boolean];

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;
const isDate = (value: unknown): boolean =>
  typeof value === 'string' && dateTime.test(value) && !Number.isNaN(Date.parse(value));
const isUrl = (value: unknown): boolean =>
  typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value);

const kinds: Readonly<Record<string, Kind>> = {
  id: ['a non-empty string', (value) => typeof value === 'string' && value !== ''],
  text: ['a string', (value) => typeof value === 'string'],
  date: ['an ISO 8601 date and time with an offset', isDate],
  flag: ['true or false', (value) => typeof value === 'boolean'],
  url: ['an http or https URL', isUrl],
  number: ['a number', (value) => typeof value === 'number'],
  status: [statuses.join(', '), (value) => (statuses as readonly unknown[]).includes(value)],
};

/** The fields of a normalised object; those with "?" may be null. */
const exportFields =
  'id:id status:status src_url:url? estimated_ready_at:date? project_id:id created_at:date finished_at:date? name:text author_id:text folder_id:id? descriptions:text? watermarked:flag?';
const clipFields =
  'id:id author_id:text folder_id:id? name:text created_at:date virality_score:number? virality_score_explanation:text?';

function misfit(fields: string, value: unknown): string | null {
  if (!isObject(value)) return 'it is not a JSON object';
  for (const field of fields.split(' ')) {
    const [, name = '', kind = '', orNull] = /^(\w+):(\w+)(\?)?$/.exec(field)!;
    const [words, fits] = kinds[kind]!;
    if (!(name in value)) return `"${name}" is missing (an empty field must be null, not omitted)`;
    if (!fits(value[name]) && !(orNull && value[name] === null)) {
      const wanted = `${words}${orNull ? ' or null' : ''}`;
      return `"${name}" is ${JSON.stringify(value[name])}, but should be ${wanted}`;
    }
  }
  return null;
}

/** Every object of the answer has these fields. */
const shaped =
  (what: string, fields: string): Judge =>
  (exchange) => {
    const found = [jsonOf(exchange)].flat().map((item) => misfit(fields, item));
    const wrong = found.find((item) => item !== null);
    return wrong === undefined ? null : `the ${what} is not valid: ${wrong}`;
  };

const field = (exchange: Exchange, name: string): unknown => {
  const body = jsonOf(exchange);
  return isObject(body) ? body[name] : undefined;
};

/** The ids of a list, or of one object. */
export const idsOf = (exchange: Exchange): string[] =>
  [jsonOf(exchange)].flat().map((item) => (isObject(item) ? String(item['id']) : '?'));

const sorted = (ids: readonly string[]): string => [...ids].sort().join(', ') || 'nothing';
const objection = (isRight: boolean, words: string): string | null => (isRight ? null : words);
const header = ({ received }: Exchange, name: string): string => received.headers[name] ?? '(none)';

function list(exchange: Exchange, look: (ids: readonly string[]) => string | null): string | null {
  return Array.isArray(jsonOf(exchange)) ? look(idsOf(exchange)) : 'the answer is not a JSON array';
}

/** The secrets of a request, which no answer may contain. */
const secretsOf = ({ cookie, headers, other }: CheckWorld['options']): string[] =>
  [...`${cookie ?? ''};${other?.cookie ?? ''}`.split(';').map((part) => part.split('=').at(-1)!)]
    .concat(Object.values({ ...headers }), Object.values({ ...other?.headers }))
    .map((secret) => secret.trim())
    .filter(({ length }) => length >= 8);

const isAttachment = (exchange: Exchange): boolean =>
  /^attachment\s*;\s*filename/i.test(header(exchange, 'content-disposition'));

/** The words of the table. */
const judges: Readonly<Record<string, Judge>> = {
  problem: (exchange) => {
    const { status } = exchange.received;
    const type = header(exchange, 'content-type');
    // Nothing can be read in an answer without a body.
    if (['HEAD', 'OPTIONS'].includes(exchange.sent.method)) return null;
    if (!/^application\/problem\+json\s*(;|$)/i.test(type)) {
      return `the answer ${status} has the content type ${type}, not application/problem+json`;
    }
    const [code, title] = [field(exchange, 'code'), field(exchange, 'title')];
    if (typeof code !== 'string') return `the problem ${status} has no "code"`;
    if (!(code in codes)) return `the code "${code}" is not a code of the contract`;
    if (codes[code] !== status) {
      return `the code "${code}" belongs to ${codes[code]}, but the answer is ${status}`;
    }
    const said = field(exchange, 'status');
    if (said !== status) return `the problem says status ${JSON.stringify(said)}, not ${status}`;
    return objection(!!title && typeof title === 'string', `the problem ${status} has no "title"`);
  },
  fieldErrors: (exchange) => {
    const errors = field(exchange, 'errors');
    const names = (item: unknown) =>
      isObject(item) && typeof item['path'] === 'string' && typeof item['message'] === 'string';
    const isRight = Array.isArray(errors) && errors.length > 0 && errors.every(names);
    return objection(isRight, 'the problem has no "errors" [{path, message}]');
  },
  export: shaped('export', exportFields),
  clip: shaped('clip', clipFields),
  hasId: (exchange) => objection(!!field(exchange, 'id'), 'the answer has no "id"'),
  id: (exchange, id) => objection(field(exchange, 'id') === id, `the answer is not that of ${id}`),
  ofClip: (exchange, _, { world }) => {
    const wrong = Object.entries(world.startBody).find(
      ([name, value]) => field(exchange, name) !== value,
    );
    return wrong ? `"${wrong[0]}" is not ${wrong[1]}, which was exported` : null;
  },
  list: (exchange) => list(exchange, () => null),
  ids: (exchange, ids) =>
    list(exchange, (found) => {
      const wanted = ids.split(',').filter(Boolean);
      const words = `the list has ${sorted(found)}, but should have ${sorted(wanted)}`;
      return objection(sorted(found) === sorted(wanted), words);
    }),
  with: (exchange, id) =>
    list(exchange, (ids) => objection(ids.includes(id), `the list has no ${id}`)),
  without: (exchange, id) =>
    list(exchange, (ids) => objection(!ids.includes(id), `the list has ${id} of the other user`)),
  onlyOf: (exchange, clip) => {
    const items = [jsonOf(exchange)].flat();
    const isRight = items.every((item) => isObject(item) && item['project_id'] === clip);
    return objection(isRight, `the list is not that of the clip ${clip}`);
  },
  // Only the ids, because the exports themselves may change at any time.
  sameList: (exchange, _, { first }) => {
    const isSame = sorted(idsOf(exchange)) === sorted(first ? idsOf(first) : []);
    return objection(isSame, 'what was claimed has changed what the user sees');
  },
  token: (exchange) => {
    const token = field(exchange, 'external_access_token');
    const isToken = typeof token === 'string' && token !== '';
    return objection(isToken, 'the answer has no "external_access_token"');
  },
  otherToken: (exchange, _, { first }) => {
    const [one, two] = [first!, exchange].map((each) => field(each, 'external_access_token'));
    return objection(one !== two, 'both users got the same token');
  },
  expiry: (exchange) => {
    const end = field(exchange, 'expires_at');
    if (end === undefined || end === null) return null;
    if (!isDate(end)) {
      return `"expires_at" is ${JSON.stringify(end)}, which is not an ISO 8601 date`;
    }
    const isFuture = Date.parse(String(end)) > Date.now();
    return objection(isFuture, `the token has already expired, at ${String(end)}`);
  },
  revision: (exchange) => {
    const revision = field(exchange, 'revision');
    const etag = header(exchange, 'etag');
    if (!Number.isSafeInteger(revision)) return 'the edit has no "revision"';
    const isSame = etag.replace(/^W\//, '') === `"${revision}"`;
    return objection(isSame, `the ETag is ${etag}, but the revision is ${revision}`);
  },
  names: (exchange, key) => {
    const named = exchange.received.headers['idempotency-key'];
    if (named === key) return null;
    return named === undefined
      ? 'the host names no keys: it cannot know whether a lost start was paid for, so a second one may be'
      : `the header has the key ${named}`;
  },
  noAccount: ({ received }) => objection(!received.headers['clip-account'], 'an account is named'),
  within: ({ received: { milliseconds } }, seconds) =>
    objection(
      milliseconds <= Number(seconds) * 1000,
      `the answer was held for ${Math.round(milliseconds / 1000)} s`,
    ),
  mp4: (exchange) => {
    const type = header(exchange, 'content-type');
    return objection(/^video\/mp4/i.test(type), `the file has the content type ${type}`);
  },
  attachment: (exchange, name) => {
    const isNamed =
      isAttachment(exchange) && header(exchange, 'content-disposition').includes(name);
    const wanted = name ? `"${name}", which was asked for` : '"..."';
    return objection(
      isNamed,
      `the file has no Content-Disposition: attachment; filename=${wanted}`,
    );
  },
  range: (exchange) => {
    const isRight = /^bytes 0-0\//.test(header(exchange, 'content-range'));
    return objection(isRight, 'a 206 for bytes=0-0 has no Content-Range: bytes 0-0/...');
  },
  // A redirect must lead to a file that the browser saves and does not play.
  redirect: async (exchange) => {
    const { location = '' } = exchange.received.headers;
    const target = location && URL.parse(location, exchange.sent.url)?.href;
    if (!target || !/^https?:/.test(target) || /token/.test(target)) {
      return 'Location is not an http URL, or contains a token';
    }
    const headers = { Range: 'bytes=0-0', 'User-Agent': 'clip-host-check' };
    const sent = { method: 'GET', url: target, headers, body: null };
    const found = { sent, received: await send(sent, 30_000) };
    const words = 'the file at Location has no Content-Disposition: attachment';
    return objection(isAttachment(found), words);
  },
  closed: (exchange) => {
    const origin = exchange.sent.headers['Origin']!;
    const isOpen = exchange.received.headers['access-control-allow-origin'] === origin;
    return objection(!isOpen, `Access-Control-Allow-Origin lets ${origin} in`);
  },
  noWildcard: ({ received }) => {
    const isOpen = received.headers['access-control-allow-origin'] === '*';
    return objection(!isOpen, 'Access-Control-Allow-Origin is "*"');
  },
  noStore: (exchange) => {
    const [value, { method }] = [header(exchange, 'cache-control'), exchange.sent];
    const isRight = method === 'OPTIONS' || /(^|[\s,])no-store($|[\s,])/i.test(value);
    return objection(isRight, `the answer ${exchange.received.status} has Cache-Control: ${value}`);
  },
  json: (exchange) => {
    const { method, url } = exchange.sent;
    if (['HEAD', 'OPTIONS'].includes(method) || /\/download(\?|$)/.test(url)) return null;
    const type = header(exchange, 'content-type');
    const isJson = /^application\/json\s*(;|$)/i.test(type);
    return objection(isJson, `the answer has the content type ${type}`);
  },
  noEcho: ({ received }, _, { world }) => {
    const names = Object.entries(received.headers).filter(([name]) => name !== 'set-cookie');
    const all = `${received.text}\n${JSON.stringify(names)}`;
    const isEcho =
      /\bprobe-\w/.test(all) || secretsOf(world.options).some((one) => all.includes(one));
    if (isEcho) return 'the answer contains a secret of the request';
    return objection(!/\bBearer [\w.-]{8,}/.test(all), 'it contains an Authorization header');
  },
  retryAfter: (exchange) =>
    objection(/^\d+$/.test(header(exchange, 'retry-after')), 'a 429 has no Retry-After in seconds'),
};

/** Whether a status is one of a list such as `400,415`, `2xx,4xx` or `any`. */
export const hasStatus = ({ received: { status } }: Exchange, wanted: string): boolean =>
  wanted.split(',').some((one) => one === `${status}` || one === `${Math.floor(status / 100)}xx`) ||
  (wanted === 'any' && status > 0);

/** What is wrong with an answer, by what the table expects of it; null if nothing is. */
export async function objectionTo(
  exchange: Exchange,
  expected: string,
  judged: Judged,
): Promise<string | null> {
  const alternatives = expected.split(' | ').map((one) => one.trim().split(' '));
  const { status, failure } = exchange.received;
  const fitting = alternatives.find(([statuses = '']) => hasStatus(exchange, statuses));
  if (!fitting) {
    const answer = status ? `the answer was ${status}` : `no answer came (${failure})`;
    return `${answer}, but should have been ${alternatives.map(([one]) => one).join(' or ')}`;
  }
  const words = fitting.slice(1).flatMap((word) => (word === 'csrf' ? csrfCodes : [word]));
  const wanted = words.filter((word) => word in codes);
  if (wanted.length) {
    const wrong = await judges['problem']!(exchange, '', judged);
    if (wrong !== null) return wrong;
    const code = String(field(exchange, 'code'));
    if (!wanted.includes(code)) {
      return `the code is "${code}", but should have been ${wanted.join(' or ')}`;
    }
  }
  for (const word of words.filter((one) => !(one in codes))) {
    const [, name = '', value = ''] = /^(\w+):?(.*)$/.exec(word) ?? [];
    const judge = judges[name];
    if (!judge) throw new Error(`The table of rules has the unknown word "${word}".`);
    const wrong = await judge(exchange, value, judged);
    if (wrong !== null) return wrong;
  }
  return null;
}
