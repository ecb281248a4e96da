import { exportSchema, fieldErrors, problemStatuses, projectSchema } from 'clip-kit/contract';
import { type CheckOptions, type Exchange, jsonOf, send } from './world.ts';

/** What a judge may compare an answer with. */
export interface Judged {
  readonly options: CheckOptions;
  /** The answer to the rule's first request. */
  first: Exchange | null;
  /** The export that each attempt key has started. */
  readonly exports: Record<string, string>;
  /** Replaces `$name` by its value. */
  fill(word: string): string;
}

/** What is wrong with an exchange, in plain words; otherwise null or false. */
type Objection = string | false | null;
type Judge = (exchange: Exchange, value: string, judged: Judged) => Objection | Promise<Objection>;

/** The codes that frameworks use to report that their own CSRF token is missing. */
const csrfCodes = ['csrf-failed', 'csrf_failed', 'rest_cookie_invalid_nonce'];
const codes: Readonly<Record<string, number>> = {
  ...problemStatuses,
  ...Object.fromEntries(csrfCodes.map((code) => [code, 403])),
};

/** An ISO 8601 date and time with an offset. */
const isDate = (value: unknown): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.test(String(value)) &&
  !Number.isNaN(Date.parse(String(value)));

/** A moment in one spelling; other values as they are, a missing one too. */
const spelling = (value: unknown): string =>
  isDate(value) ? new Date(String(value)).toISOString() : (JSON.stringify(value) ?? 'missing');

/**
 * Each object of the answer is what the contract's reader makes of it: one that the reader must
 * mend, such as a former status or a missing field, is not normalised.
 */
const normalised =
  (what: string, schema: typeof exportSchema | typeof projectSchema): Judge =>
  (exchange) => {
    for (const item of [jsonOf(exchange)].flat()) {
      const { data, error } = schema.safeParse(item);
      const [fault] = error ? fieldErrors(error) : [];
      if (fault) return `the ${what} is not valid: ${fault.path || 'it'} ${fault.message}`;
      for (const [name, value] of Object.entries(data!)) {
        // What is beside the specification, or inside of a field, is the reader's alone.
        if (value === undefined || (typeof value === 'object' && value !== null)) continue;
        const found = spelling(Object(item)[name]);
        if (found === spelling(value)) continue;
        return `the ${what} is not valid: "${name}" is ${found}, but should be ${spelling(value)}`;
      }
    }
    return null;
  };

/** What is at a path of the body, such as `errors.0.path`. */
const field = (exchange: Exchange, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, name) => Object(value ?? {})[name] as unknown, jsonOf(exchange));

/** The ids of a list, or of one object. */
export const idsOf = (exchange: Exchange): string[] =>
  [jsonOf(exchange)].flat().map((item) => String(Object(item ?? {})['id']));

const sorted = (ids: readonly string[]): string => [...ids].sort().join(', ') || 'nothing';

/** Objects to a body that is not a list, and to its ids. */
const list =
  (look: (ids: readonly string[], value: string) => Objection): Judge =>
  (exchange, value) =>
    Array.isArray(jsonOf(exchange))
      ? look(idsOf(exchange), value)
      : 'the answer is not a JSON array';

/** The secrets of a request, which no answer may contain. */
const secretsOf = ({ always, user, other }: CheckOptions): string[] =>
  [always, user, other]
    .flatMap((headers) => Object.values(headers ?? {}))
    .flatMap((secret) => secret.split(';'))
    .map((part) => part.replace(/^\s*[\w-]+=/, '').trim())
    .filter(({ length }) => length >= 8);

/** The words of the table that are not comparisons. */
const judges: Readonly<Record<string, Judge>> = {
  problem: (exchange) => {
    const { status, headers } = exchange.received;
    const type = headers['content-type'] ?? 'none';
    if (!/^application\/problem\+json\s*(;|$)/i.test(type)) {
      return `the answer ${status} has the content type ${type}, not application/problem+json`;
    }
    const code = String(field(exchange, 'code'));
    if (!(code in codes)) return `the code "${code}" is not a code of the contract`;
    if (codes[code] !== status) {
      return `the code "${code}" belongs to ${codes[code]}, but the answer is ${status}`;
    }
    const isWhole = field(exchange, 'status') === status && field(exchange, 'title');
    return !isWhole && `the problem ${status} has another "status", or no "title"`;
  },
  export: normalised('export', exportSchema),
  clip: normalised('clip', projectSchema),
  list: list(() => null),
  ids: list((found, wanted) => {
    const ids = wanted || 'nothing';
    return sorted(found) !== ids && `the list has ${sorted(found)}, but should have ${ids}`;
  }),
  with: list((ids, id) => !ids.includes(id) && `the list has no ${id}`),
  without: list((ids, id) => ids.includes(id) && `the list has ${id} of another user`),
  onlyOf: (exchange, clip) => {
    const clips = [jsonOf(exchange)].flat().map((item) => Object(item ?? {})['project_id']);
    return clips.some((one) => one !== clip) && `the list is not that of the clip ${clip}`;
  },
  // Only the ids, because the exports themselves may change at any time.
  sameList: (exchange, _, { first }) =>
    sorted(idsOf(exchange)) !== sorted(idsOf(first!)) &&
    'what was claimed has changed what the user sees',
  sameExport: (exchange, key, { exports }) => {
    const [id = 'undefined', ...more] = idsOf(exchange);
    if (id === 'undefined' || more.length) return 'the answer is not one export';
    exports[key] ??= id;
    return exports[key] !== id && `it is another export than ${exports[key]} before`;
  },
  differs: (exchange, name, { first }) =>
    field(exchange, name) === field(first!, name) && `both users got the same ${name}`,
  expiry: (exchange) => {
    const end = field(exchange, 'expires_at') ?? null;
    if (end === null) return null;
    if (!isDate(end)) return `"expires_at" is ${JSON.stringify(end)}, not an ISO 8601 date`;
    return Date.parse(String(end)) <= Date.now() && `the token has already expired, at ${end}`;
  },
  etag: (exchange) => {
    const revision = `"${String(field(exchange, 'revision'))}"`;
    const { etag = 'none' } = exchange.received.headers;
    const words = `the ETag is ${etag}, but the revision is ${revision}`;
    return etag.replace(/^W\//, '') !== revision && words;
  },
  within: ({ received: { milliseconds } }, seconds) =>
    milliseconds > Number(seconds) * 1000 && `it took ${Math.round(milliseconds)} ms`,
  held: ({ received: { milliseconds, text } }, _, { first }) =>
    milliseconds < 900 && text === first!.received.text && 'the answer was not held',
  // A redirect must lead to a file that the browser saves and does not play.
  redirect: async (exchange, _, judged) => {
    const { location = '' } = exchange.received.headers;
    const url = location && URL.parse(location, exchange.sent.url)?.href;
    if (!url || !/^https?:/.test(url) || /token/.test(url)) {
      return 'Location is not an http URL, or contains a token';
    }
    const headers = { Range: 'bytes=0-0', 'User-Agent': 'clip-host-check' };
    const sent = { method: 'GET', url, headers, body: null };
    const file = { sent, received: await send(sent) };
    const wrong = await objectionTo(file, 'any content-disposition~^attachment', judged);
    return wrong && `at Location ${wrong}`;
  },
  closed: ({ sent, received }) => {
    const origin = sent.headers['Origin']!;
    const allowed = received.headers['access-control-allow-origin'];
    return allowed === origin && `Access-Control-Allow-Origin lets ${origin} in`;
  },
  noEcho: ({ received }, _, { options }) => {
    const names = Object.entries(received.headers).filter(([name]) => name !== 'set-cookie');
    const all = `${received.text}\n${JSON.stringify(names)}`;
    const isEcho = secretsOf(options).some((secret) => all.includes(secret));
    const isLike = /\bprobe-\w|\bBearer [\w.-]{8,}/.test(all);
    return (isEcho || isLike) && 'the answer contains a secret of the request';
  },
};

/** Compares a header, or a field of the body: `.id=7`, `retry-after~^\d+$`, `clip-account!~.` */
function compare(exchange: Exchange, word: string): Objection {
  const [, name = '', not, how, wanted = ''] = /^([\w.-]+?)(!)?([=~])(.*)$/.exec(word) ?? [];
  if (!how) throw new Error(`The table of rules has the unknown word "${word}".`);
  const isField = name.startsWith('.');
  const value = (isField ? field(exchange, name.slice(1)) : exchange.received.headers[name]) ?? '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const isSo = how === '=' ? text === wanted : new RegExp(wanted, 'i').test(text);
  const words = `${not ? 'not ' : ''}${how === '=' ? `"${wanted}"` : `like /${wanted}/`}`;
  const found = text ? `is "${text.slice(0, 200)}"` : 'is missing';
  const what = `${isField ? 'field' : 'header'} "${name.replace(/^\./, '')}"`;
  return isSo === !!not && `the ${what} ${found}, but should be ${words}`;
}

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
  const fitting = alternatives.filter(([statuses = '']) => hasStatus(exchange, statuses));
  if (!fitting.length) {
    const answer = status ? `the answer was ${status}` : `no answer came (${failure})`;
    return `${answer}, but should have been ${alternatives.map(([one]) => one).join(' or ')}`;
  }
  const wrongs = [];
  for (const [, ...words] of fitting) wrongs.push(await wrongWords(exchange, words, judged));
  return wrongs.includes(null) ? null : wrongs[0]!;
}

async function wrongWords(
  exchange: Exchange,
  expected: readonly string[],
  judged: Judged,
): Promise<string | null> {
  const words = expected.flatMap((word) => (word === 'csrf' ? csrfCodes : [word]));
  const wanted = words.filter((word) => word in codes);
  const code = String(field(exchange, 'code'));
  const others = words.filter((one) => !(one in codes)).map((one) => judged.fill(one));
  for (const word of wanted.length ? ['problem', ...others] : others) {
    const [name = '', ...value] = word.split(':');
    const judge = judges[name] ?? ((one) => compare(one, word));
    const wrong = await judge(exchange, value.join(':'), judged);
    if (wrong) return wrong;
  }
  if (!wanted.length || wanted.includes(code)) return null;
  return `the code is "${code}", but should have been ${wanted.join(' or ')}`;
}
