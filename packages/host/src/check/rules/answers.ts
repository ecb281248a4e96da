import type { Exchange } from '../exchange.ts';
import { isProblem } from '../judges.ts';
import type { Rule } from '../rule.ts';
import { broken, held, unchecked, type Verdict } from '../verdict.ts';
import type { CheckWorld } from '../world.ts';

/** Broken by the first of all seen answers to which `look` objects. */
async function everyAnswer(
  world: CheckWorld,
  look: (exchange: Exchange) => string | null,
): Promise<Verdict> {
  await world.survey();
  for (const exchange of world.seen) {
    const found = exchange.received.status === 0 ? null : look(exchange);
    if (found !== null) return broken(found, exchange);
  }
  return held;
}

/** The secrets of a request, which no answer may contain. */
function secretsOf(world: CheckWorld, probe: string): string[] {
  const { cookie, headers, other } = world.options;
  return [
    ...`${cookie ?? ''};${other?.cookie ?? ''}`
      .split(';')
      .map((part) => part.split('=').at(-1) ?? ''),
    ...Object.values({ ...headers, ...other?.headers }),
    probe,
  ]
    .map((part) => part.trim())
    .filter((secret) => secret.length >= 8);
}

/** These rules look at all answers to the other rules, so they come last. */
export const answerRules: readonly Rule[] = [
  {
    id: 'no-store',
    title: 'Every answer has Cache-Control: no-store',
    why: 'No cache between host and page may store tokens or the state of exports.',
    fix: 'Set Cache-Control: no-store on all answers, errors too.',
    check: (world) =>
      everyAnswer(world, ({ sent, received }) =>
        sent.method === 'OPTIONS' ||
        /(^|[\s,])no-store($|[\s,])/i.test(received.headers['cache-control'] ?? '')
          ? null
          : `the answer ${received.status} has Cache-Control: ${received.headers['cache-control'] ?? '(none)'}`,
      ),
  },
  {
    id: 'problem-shape',
    title: 'Every error is application/problem+json with a known code and its status',
    why: 'The code decides what the elements show and whether they try again.',
    fix: "Answer every error yourself, including those of your framework: {type, title, status, code}, with the contract's codes.",
    check: (world) =>
      everyAnswer(world, (exchange) =>
        exchange.received.status >= 400 &&
        exchange.sent.method !== 'HEAD' &&
        exchange.sent.method !== 'OPTIONS'
          ? isProblem(exchange)
          : null,
      ),
  },
  {
    id: 'json-type',
    title: 'Every successful answer except the file is application/json',
    why: 'A browser that reads an answer as HTML would run the scripts in it.',
    fix: 'Set Content-Type: application/json.',
    check: (world) =>
      everyAnswer(world, ({ sent, received }) =>
        received.status !== 200 && received.status !== 201
          ? null
          : sent.method === 'HEAD' ||
              sent.method === 'OPTIONS' ||
              /\/download(\?|$)/.test(sent.url) ||
              /^application\/json\s*(;|$)/i.test(received.headers['content-type'] ?? '')
            ? null
            : `the answer has the content type ${received.headers['content-type'] ?? '(none)'}`,
      ),
  },
  {
    id: 'no-echo',
    title: 'No answer contains a key, a cookie or an Authorization header',
    why: 'The secrets of a request must not end up on a page or in a log.',
    fix: 'Never put headers of the request, or headers sent to the service, into an answer. No stack traces, no upstream errors.',
    check: async (world) => {
      const probe = `probe-${world.nothing()}`;
      const headers = { Authorization: `Bearer ${probe}`, 'X-Api-Key': probe };
      await world.get('clip-host-check', { headers });
      await world.get(`exports/${world.nothing()}`, { headers });
      await world.post('token', '{', { headers });
      await world.badStart({}, { headers });
      await world.get('exports', { as: 'nobody', headers });
      const secrets = secretsOf(world, probe);
      return everyAnswer(world, ({ received }) => {
        const names = Object.entries(received.headers).filter(([name]) => name !== 'set-cookie');
        const all = `${received.text}\n${JSON.stringify(names)}`;
        if (secrets.some((secret) => all.includes(secret))) {
          return 'the answer contains a secret of the request';
        }
        return /\bBearer [\w.-]{8,}/.test(all)
          ? 'the answer contains an Authorization header'
          : null;
      });
    },
  },
  {
    id: 'rate-limit',
    title: 'A 429 has a Retry-After header',
    why: 'The elements wait that long. Without it they have to guess.',
    fix: 'Send Retry-After in whole seconds with every 429, and the code rate-limited.',
    check: async (world) => {
      await world.survey();
      const limited = world.seen.filter(({ received }) => received.status === 429);
      if (!limited.length) return unchecked('no 429 was seen; the check does not provoke one');
      const wrong = limited.find(
        ({ received }) => !/^\d+$/.test(received.headers['retry-after'] ?? ''),
      );
      return wrong ? broken('a 429 has no Retry-After in seconds', wrong) : held;
    },
  },
];
