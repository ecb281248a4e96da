import type { Exchange } from '../exchange.ts';
import { isProblem } from '../judges.ts';
import type { Rule } from '../rule.ts';
import { broken, held, unchecked, type Verdict } from '../verdict.ts';
import type { CheckWorld } from '../world.ts';

/** Broken by the first of all answers seen that the look objects to. */
const everyAnswer = async (
  world: CheckWorld,
  look: (exchange: Exchange) => string | null,
): Promise<Verdict> => {
  await world.survey();
  for (const exchange of world.seen) {
    const found = exchange.came.status === 0 ? null : look(exchange);
    if (found !== null) return broken(found, exchange);
  }
  return held;
};

/** What a request carried that must not come back. */
const secretsOf = (world: CheckWorld, probe: string): string[] => {
  const { cookie, headers, other } = world.options;
  return [
    ...`${cookie ?? ''};${other?.cookie ?? ''}`
      .split(';')
      .map((one) => one.split('=').at(-1) ?? ''),
    ...Object.values({ ...headers, ...other?.headers }),
    probe,
  ]
    .map((one) => one.trim())
    .filter((one) => one.length >= 8);
};

/** These look at every answer that the others got: they come last. */
export const answerRules: readonly Rule[] = [
  {
    id: 'no-store',
    title: 'Every answer is Cache-Control: no-store',
    why: 'Tokens and the state of exports must not stay in a cache on the way.',
    mend: 'Set Cache-Control: no-store on all answers, errors too.',
    check: (world) =>
      everyAnswer(world, ({ sent, came }) =>
        sent.method === 'OPTIONS' ||
        /(^|[\s,])no-store($|[\s,])/i.test(came.headers['cache-control'] ?? '')
          ? null
          : `the answer ${came.status} has Cache-Control: ${came.headers['cache-control'] ?? '(none)'}`,
      ),
  },
  {
    id: 'problem-shape',
    title: 'Every error is application/problem+json with a known code and its status',
    why: 'The elements decide by the code what they say and whether they try again.',
    mend: "Answer every error yourself, also those of your framework: {type, title, status, code}, with the contract's codes.",
    check: (world) =>
      everyAnswer(world, (exchange) =>
        exchange.came.status >= 400 &&
        exchange.sent.method !== 'HEAD' &&
        exchange.sent.method !== 'OPTIONS'
          ? isProblem(exchange)
          : null,
      ),
  },
  {
    id: 'json-type',
    title: 'Every good answer but the file is application/json',
    why: 'A browser that takes it for HTML would run what stands in it.',
    mend: 'Set Content-Type: application/json.',
    check: (world) =>
      everyAnswer(world, ({ sent, came }) =>
        came.status !== 200 && came.status !== 201
          ? null
          : sent.method === 'HEAD' ||
              sent.method === 'OPTIONS' ||
              /\/download(\?|$)/.test(sent.url) ||
              /^application\/json\s*(;|$)/i.test(came.headers['content-type'] ?? '')
            ? null
            : `the answer has the content type ${came.headers['content-type'] ?? '(none)'}`,
      ),
  },
  {
    id: 'no-echo',
    title: 'No answer has a key, a cookie or an Authorization header in it',
    why: 'What a request carried must not come to stand on a page or in a log of it.',
    mend: 'Never put headers of the request, nor those sent to the service, into an answer; no stack traces, no upstream errors.',
    check: async (world) => {
      const probe = `probe-${world.nothing()}`;
      const headers = { Authorization: `Bearer ${probe}`, 'X-Api-Key': probe };
      await world.get('clip-host-check', { headers });
      await world.get(`exports/${world.nothing()}`, { headers });
      await world.post('token', '{', { headers });
      await world.badStart({}, { headers });
      await world.get('exports', { as: 'nobody', headers });
      const secrets = secretsOf(world, probe);
      return everyAnswer(world, ({ came }) => {
        const names = Object.entries(came.headers).filter(([name]) => name !== 'set-cookie');
        const all = `${came.text}\n${JSON.stringify(names)}`;
        if (secrets.some((one) => all.includes(one))) return 'a secret of the request came back';
        return /\bBearer [\w.-]{8,}/.test(all) ? 'an Authorization header came back' : null;
      });
    },
  },
  {
    id: 'rate-limit',
    title: 'A 429 says in Retry-After when to come back',
    why: 'The elements wait that long; without it they guess.',
    mend: 'Send Retry-After in whole seconds with every 429, with code rate-limited.',
    check: async (world) => {
      await world.survey();
      const limited = world.seen.filter(({ came }) => came.status === 429);
      if (!limited.length) return unchecked('no 429 was seen; the check does not provoke one');
      const wrong = limited.find(({ came }) => !/^\d+$/.test(came.headers['retry-after'] ?? ''));
      return wrong ? broken('a 429 has no Retry-After in seconds', wrong) : held;
    },
  },
];
