import { listOf, status } from '../judges.ts';
import type { Exchange } from '../exchange.ts';
import type { Rule } from '../rule.ts';
import { absent, broken, held, judged, unchecked } from '../verdict.ts';
import type { CheckWorld } from '../world.ts';
import { statusOf } from './reading.ts';

const applied = ({ came }: Exchange): string | undefined => came.headers['preference-applied'];

const hold = (world: CheckWorld, id: string, seconds: number, signal?: AbortSignal) =>
  world.get('exports', {
    query: { id },
    headers: { Prefer: `wait=${seconds}` },
    ...(signal ? { signal } : {}),
  });

const noneProcessing = unchecked('no export is processing: give --start with --project');

/** How long the check has a request held, in seconds. */
const seconds = 1;
/** What a network and a busy host may add to a hold, in milliseconds. */
const slack = 10_000;

export const watchingRules: readonly Rule[] = [
  {
    id: 'prefer-ignored',
    title: 'A Prefer header that is not understood is ignored',
    why: 'Preferences are wishes (RFC 7240): none of them is an error.',
    mend: 'Read wait=N where N is a whole number, and ignore the rest.',
    check: async (world) => {
      const query = { id: world.nothing() };
      for (const Prefer of ['wait=soon', 'respond-async, handling=lenient', 'wait=-1', 'wait']) {
        const exchange = await world.get('exports', { query, headers: { Prefer } });
        const verdict = judged([exchange, status(200), listOf()]);
        if (verdict.state !== 'held') return verdict;
        if (exchange.came.milliseconds > slack) return broken('the answer was held', exchange);
      }
      return held;
    },
  },
  {
    id: 'wait',
    title: 'Prefer: wait=N holds the answer until an export changes, and says Preference-Applied',
    why: 'The page learns of the end at once, with few requests.',
    mend: 'Hold at most N seconds, answer as soon as one of the exports changes, and say Preference-Applied: wait=N then and only then. A host that does not hold ignores the header and is polled.',
    optional: true,
    check: async (world) => {
      const one = await world.sample('processing');
      if (one === null) return noneProcessing;
      const before = await world.get('exports', { query: { id: one.id } });
      const exchange = await hold(world, one.id, seconds);
      const verdict = judged([exchange, listOf(one.id)]);
      if (verdict.state !== 'held') return verdict;
      const { milliseconds } = exchange.came;
      const waited = milliseconds >= seconds * 1000 - 100;
      if (
        statusOf(exchange) !== 'processing' ||
        (!waited && before.came.text !== exchange.came.text)
      ) {
        return unchecked('the export changed while it was watched: run the check again');
      }
      if (milliseconds > seconds * 1000 + slack) {
        return broken(
          `held for ${Math.round(milliseconds / 1000)} s, asked for ${seconds}`,
          exchange,
        );
      }
      const said = applied(exchange);
      if (said === undefined) return absent('the host does not hold requests; the page polls it');
      if (said.replace(/\s/g, '') !== `wait=${seconds}`) {
        return broken(`Preference-Applied is "${said}", and should be "wait=${seconds}"`, exchange);
      }
      return waited
        ? held
        : broken('Preference-Applied is said, but the answer was not held', exchange);
    },
  },
  {
    id: 'wait-leave',
    title: 'A client that leaves a held request frees its place',
    why: 'Pages are closed all the time: what they held must not pile up.',
    mend: 'Watch for the end of the connection (the signal of the request) and end the hold with it.',
    optional: true,
    check: async (world) => {
      const one = await world.sample('processing');
      if (one === null) return noneProcessing;
      for (let round = 0; round < 3; round++) {
        const leaving = new AbortController();
        const holds = Array.from({ length: 5 }, () => hold(world, one.id, 25, leaving.signal));
        // The requests have to arrive before they are left; the answer to one after them says that they have.
        await world.get('exports', { query: { id: one.id } });
        leaving.abort();
        await Promise.all(holds);
      }
      const after = await hold(world, one.id, seconds);
      if (after.came.status === 200 && applied(after) === undefined) {
        return absent('the host does not hold requests');
      }
      if (after.came.milliseconds > seconds * 1000 + slack) {
        return broken('after requests that were left, the next was answered late', after);
      }
      return judged([after, status(200), listOf(one.id)]);
    },
  },
];
