import type { Exchange } from '../exchange.ts';
import { problem } from '../judges.ts';
import type { Rule } from '../rule.ts';
import { broken, held, judged, type Judge } from '../verdict.ts';
import type { CheckWorld } from '../world.ts';

const forbidden = problem(403, 'forbidden', 'csrf-failed', 'csrf_failed');
const forbiddenOrMissing: Judge = (exchange) =>
  [404, 405].includes(exchange.received.status) ? null : forbidden(exchange);

function foreign(world: CheckWorld): string[] {
  const { protocol, host, hostname } = new URL(world.options.endpoint);
  return [
    'https://clip-host-check.example',
    `${protocol}//${hostname}.clip-host-check.example`,
    `${protocol}//clip-host-check${host}`,
    'null',
  ];
}

/** Sends every unsafe call with these headers. */
const unsafe = async (
  world: CheckWorld,
  headers: Readonly<Record<string, string | null>>,
): Promise<[Exchange, Judge][]> => [
  [await world.post('token', {}, { headers }), forbidden],
  [await world.badStart({}, { headers }), forbidden],
  [await world.post('tasks/video-to-shorts', {}, { headers }), forbiddenOrMissing],
  [await world.post('uploads', {}, { headers }), forbiddenOrMissing],
  [await world.ask('DELETE', `tasks/${world.nothing()}`, { headers }), forbiddenOrMissing],
  [await world.ask('DELETE', `uploads/${world.nothing()}`, { headers }), forbiddenOrMissing],
];

const allowed = ({ received }: Exchange): string | undefined =>
  received.headers['access-control-allow-origin'];

const preflight = (world: CheckWorld, origin: string): Promise<Exchange> =>
  world.ask('OPTIONS', 'exports', {
    as: 'nobody',
    headers: {
      Origin: origin,
      'Sec-Fetch-Site': 'cross-site',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type,idempotency-key',
    },
  });

export const crossSiteRules: readonly Rule[] = [
  {
    id: 'cross-site-fetch',
    title: 'A POST from a page of another site is refused with 403 (Sec-Fetch-Site)',
    why: "Otherwise any page that a user visits can start exports with the user's cookie.",
    fix: 'Refuse every unsafe method with a Sec-Fetch-Site other than "same-origin", unless its Origin is on your list.',
    check: async (world) =>
      judged(
        ...(await unsafe(world, {
          'Sec-Fetch-Site': 'cross-site',
          Origin: 'https://clip-host-check.example',
        })),
        ...(await unsafe(world, { 'Sec-Fetch-Site': 'same-site', Origin: null })),
      ),
  },
  {
    id: 'cross-site-origin',
    title: 'A POST with a foreign Origin and no Sec-Fetch-Site is refused with 403',
    why: 'Older browsers send only Origin. Origins that only look like your own are foreign too.',
    fix: "Without Sec-Fetch-Site compare the whole Origin with the site's own, character by character.",
    check: async (world) => {
      for (const Origin of foreign(world)) {
        const verdict = judged(...(await unsafe(world, { 'Sec-Fetch-Site': null, Origin })));
        if (verdict.state !== 'held') return verdict;
      }
      return held;
    },
  },
  {
    id: 'cross-site-neither',
    title: 'A POST with neither Sec-Fetch-Site nor Origin is refused with 403',
    why: 'Every browser sends one of them with a POST. Without both, the source of a request is unknown.',
    fix: 'Refuse an unsafe method that has neither header.',
    check: async (world) =>
      judged(...(await unsafe(world, { 'Sec-Fetch-Site': null, Origin: null }))),
  },
  {
    id: 'cors-foreign',
    title: 'A foreign origin gets no permission to read or send (CORS)',
    why: 'A page of another site could read what the user sees.',
    fix: 'Send Access-Control-Allow-Origin only for the origins on your list; never for any Origin that a request sends, and never for "null".',
    check: async (world) => {
      for (const origin of foreign(world)) {
        const answers = [
          await world.get('exports', {
            headers: { Origin: origin, 'Sec-Fetch-Site': 'cross-site' },
          }),
          await preflight(world, origin),
        ];
        const wrong = answers.find((exchange) => allowed(exchange) === origin);
        if (wrong) return broken(`Access-Control-Allow-Origin lets ${origin} in`, wrong);
      }
      return held;
    },
  },
  {
    id: 'cors-wildcard',
    title: 'Access-Control-Allow-Origin is never "*"',
    why: 'Every answer is for one user. Browsers refuse a wildcard with credentials; without credentials it lets everyone read.',
    fix: 'Remove the wildcard: list origins, or send no header at all.',
    check: async (world) => {
      await world.survey();
      await preflight(world, 'https://clip-host-check.example');
      const wrong = world.seen.find((exchange) => allowed(exchange) === '*');
      return wrong ? broken('Access-Control-Allow-Origin is "*"', wrong) : held;
    },
  },
];
