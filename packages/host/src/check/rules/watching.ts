import { listOf, status } from '../judges.ts';
import type { Exchange } from '../exchange.ts';
import type { Rule } from '../rule.ts';
import { absent, broken, held, judged, unchecked } from '../verdict.ts';
import type { CheckWorld } from '../world.ts';
import { statusOf } from './reading.ts';

const applied = ({ received }: Exchange): string | undefined =>
  received.headers['preference-applied'];

const hold = (world: CheckWorld, id: string, seconds: number, signal?: AbortSignal) =>
  world.get('exports', {
    query: { id },
    headers: { Prefer: `wait=${seconds}` },
    ...(signal ? { signal } : {}),
  });

const noneProcessing = unchecked('no export is processing: use --start with --project');

/** How long the check asks the host to hold a request. */
const holdSeconds = 1;
/** How much time a network and a busy host may add to a hold. */
const toleranceMs = 10_000;

export const watchingRules: readonly Rule[] = [
  {
    id: 'prefer-ignored',
    title: 'A Prefer header that is not understood is ignored',
    why: 'Preferences are optional (RFC 7240), so none of them is an error.',
    fix: 'Read wait=N if N is a whole number, and ignore everything else.',
    check: async (world) => {
      const query = { id: world.nothing() };
      for (const Prefer of ['wait=soon', 'respond-async, handling=lenient', 'wait=-1', 'wait']) {
        const exchange = await world.get('exports', { query, headers: { Prefer } });
        const verdict = judged([exchange, status(200), listOf()]);
        if (verdict.state !== 'held') return verdict;
        if (exchange.received.milliseconds > toleranceMs) {
          return broken('the answer was held', exchange);
        }
      }
      return held;
    },
  },
  {
    id: 'wait',
    title: 'Prefer: wait=N holds the answer until an export changes, and sends Preference-Applied',
    why: 'The page learns about the end at once, with few requests.',
    fix: 'Hold at most N seconds, answer as soon as one of the exports changes, and send Preference-Applied: wait=N only then. A host that does not hold ignores the header and is polled.',
    optional: true,
    check: async (world) => {
      const sample = await world.sample('processing');
      if (sample === null) return noneProcessing;
      const before = await world.get('exports', { query: { id: sample.id } });
      const exchange = await hold(world, sample.id, holdSeconds);
      const verdict = judged([exchange, listOf(sample.id)]);
      if (verdict.state !== 'held') return verdict;
      const { milliseconds } = exchange.received;
      const waited = milliseconds >= holdSeconds * 1000 - 100;
      if (
        statusOf(exchange) !== 'processing' ||
        (!waited && before.received.text !== exchange.received.text)
      ) {
        return unchecked('the export changed while it was watched: run the check again');
      }
      if (milliseconds > holdSeconds * 1000 + toleranceMs) {
        return broken(
          `held for ${Math.round(milliseconds / 1000)} s, asked for ${holdSeconds}`,
          exchange,
        );
      }
      const preference = applied(exchange);
      if (preference === undefined)
        return absent('the host does not hold requests; the page polls it');
      if (preference.replace(/\s/g, '') !== `wait=${holdSeconds}`) {
        return broken(
          `Preference-Applied is "${preference}", but should be "wait=${holdSeconds}"`,
          exchange,
        );
      }
      return waited
        ? held
        : broken('Preference-Applied was sent, but the answer was not held', exchange);
    },
  },
  {
    id: 'wait-leave',
    title: 'A client that aborts a held request frees its slot',
    why: 'Pages are closed all the time, and their held requests must not pile up.',
    fix: "Watch for the end of the connection (the request's signal) and end the hold then.",
    optional: true,
    check: async (world) => {
      const sample = await world.sample('processing');
      if (sample === null) return noneProcessing;
      for (let round = 0; round < 3; round++) {
        const leaving = new AbortController();
        const holds = Array.from({ length: 5 }, () => hold(world, sample.id, 25, leaving.signal));
        // The requests must arrive before they are aborted. The answer to a later request shows
        // that they have arrived.
        await world.get('exports', { query: { id: sample.id } });
        leaving.abort();
        await Promise.all(holds);
      }
      const after = await hold(world, sample.id, holdSeconds);
      if (after.received.status === 200 && applied(after) === undefined) {
        return absent('the host does not hold requests');
      }
      if (after.received.milliseconds > holdSeconds * 1000 + toleranceMs) {
        return broken('after aborted requests, the next one was answered late', after);
      }
      return judged([after, status(200), listOf(sample.id)]);
    },
  },
];
