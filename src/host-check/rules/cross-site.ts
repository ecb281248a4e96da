import type { Exchange } from '../exchange.ts';
import { problem } from '../judges.ts';
import type { Rule } from '../rule.ts';
import { broken, held, judged, type Judge } from '../verdict.ts';
import type { CheckWorld } from '../world.ts';

const forbidden = problem(403, 'forbidden', 'csrf-failed', 'csrf_failed');
const forbiddenOrMissing: Judge = (exchange) =>
  exchange.came.status === 404 ? null : forbidden(exchange);

const foreign = (world: CheckWorld): string[] => {
  const { protocol, host, hostname } = new URL(world.options.endpoint);
  return [
    'https://clip-host-check.example',
    `${protocol}//${hostname}.clip-host-check.example`,
    `${protocol}//clip-host-check${host}`,
    'null',
  ];
};

/** Every unsafe call with these headers. */
const unsafe = async (
  world: CheckWorld,
  headers: Readonly<Record<string, string | null>>,
): Promise<[Exchange, Judge][]> => [
  [await world.post('token', {}, { headers }), forbidden],
  [await world.badStart({}, { headers }), forbidden],
  [await world.post('tasks/video-to-shorts', {}, { headers }), forbiddenOrMissing],
];

const allowed = ({ came }: Exchange): string | undefined =>
  came.headers['access-control-allow-origin'];

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
    title: 'A POST from a page of another site is refused 403 (Sec-Fetch-Site)',
    why: "Else any page that a user visits can start exports with the user's cookie.",
    mend: 'Refuse every unsafe method whose Sec-Fetch-Site is there and not "same-origin", unless its Origin is one that you list.',
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
    title: 'A POST with a foreign Origin is refused 403 where there is no Sec-Fetch-Site',
    why: 'Older browsers send Origin alone. Addresses that only look like the own one are foreign too.',
    mend: "Without Sec-Fetch-Site compare the whole Origin with the site's own, character by character.",
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
    title: 'A POST with neither Sec-Fetch-Site nor Origin is refused 403',
    why: 'Every browser sends one of them with a POST: what has neither cannot show where it came from.',
    mend: 'Refuse an unsafe method that has neither header.',
    check: async (world) =>
      judged(...(await unsafe(world, { 'Sec-Fetch-Site': null, Origin: null }))),
  },
  {
    id: 'cors-foreign',
    title: 'A foreign origin is given no leave to read or to send (CORS)',
    why: 'A page of another site could read what the user sees.',
    mend: 'Send Access-Control-Allow-Origin for the origins that you list and for no other; never hand back whatever Origin came, nor "null".',
    check: async (world) => {
      for (const origin of foreign(world)) {
        const answers = [
          await world.get('exports', {
            headers: { Origin: origin, 'Sec-Fetch-Site': 'cross-site' },
          }),
          await preflight(world, origin),
        ];
        const wrong = answers.find((one) => allowed(one) === origin);
        if (wrong) return broken(`Access-Control-Allow-Origin lets ${origin} in`, wrong);
      }
      return held;
    },
  },
  {
    id: 'cors-wildcard',
    title: 'Access-Control-Allow-Origin is never "*"',
    why: 'What is here is for one user; a wildcard beside credentials is refused by browsers, and without them says that anybody may read.',
    mend: 'Take the wildcard out: list origins, or send no header at all.',
    check: async (world) => {
      await world.survey();
      await preflight(world, 'https://clip-host-check.example');
      const wrong = world.seen.find((one) => allowed(one) === '*');
      return wrong ? broken('Access-Control-Allow-Origin is "*"', wrong) : held;
    },
  },
];
