/**
 * What watching an export costs a host, and how long a person waits: the kit's client in virtual
 * time, beside the best that can be done where the host only answers questions and its first
 * estimate stays. Only this: `node research/bench/watching.ts`.
 */
import { WatchingWorld } from '../../test/support/watching-world.ts';
import { median } from './statistics.ts';
import { markdownTable } from './table.ts';

const runs = 400;
const second = 1000;
/** Renders take so long, in milliseconds, every length as likely as any other. */
const shortest = 20 * second;
const longest = 120 * second;
/** Estimates are off by up to this share, every error as likely as any other. */
const error = 0.3;

export interface WatchingFigures {
  readonly name: string;
  /** Requests an export, in the mean. */
  readonly requests: number;
  /** Milliseconds from ready at the host to ready on the page: mean, middle and 95 of 100. */
  readonly mean: number;
  readonly median: number;
  readonly p95: number;
}

const figures = (name: string, requests: number, lags: readonly number[]): WatchingFigures => ({
  name,
  requests: requests / lags.length,
  mean: lags.reduce((sum, lag) => sum + lag, 0) / lags.length,
  median: median(lags),
  p95: lags.toSorted((a, b) => a - b)[Math.floor(lags.length * 0.95)]!,
});

async function watched(
  name: string,
  host: { readonly holds: boolean; readonly stays: boolean },
): Promise<WatchingFigures> {
  const world = new WatchingWorld();
  Object.assign(world.host, { ...host, error });
  const lags: number[] = [];
  try {
    for (let run = 0; run < runs; run++) {
      world.host.renderTime = shortest + world.clock.random() * (longest - shortest);
      const one = await world.started(`clip-${run}`);
      await world.clock.passUntil(() => one.lag !== null, 300 * second);
      lags.push(one.lag!);
    }
    return figures(name, world.host.count('poll'), lags);
  } finally {
    world.close();
  }
}

/**
 * The floor for an estimate that stays. Nothing is known but that every end within the error is as
 * likely as any other, so no steps are better than even ones; `step` is their share of the
 * estimate.
 */
function evenSteps(name: string, step: number): WatchingFigures {
  let seed = 1;
  const random = (): number => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
  const lags: number[] = [];
  let requests = 0;
  for (let run = 0; run < 50 * runs; run++) {
    const end = shortest + random() * (longest - shortest);
    const estimate = end * (1 + error * (2 * random() - 1));
    // The first step ends one step after the earliest end there can be.
    let asked = estimate / (1 + error);
    do {
      asked += step * estimate;
      requests++;
    } while (asked < end);
    lags.push(asked - end);
  }
  return figures(name, requests, lags);
}

/** The widest even steps for which something still holds that narrow ones have. */
function widestSteps(name: string, holds: (found: WatchingFigures) => boolean): WatchingFigures {
  let [narrow, wide] = [0.005, 0.5];
  for (let turn = 0; turn < 12; turn++) {
    const middle = (narrow + wide) / 2;
    if (holds(evenSteps(name, middle))) narrow = middle;
    else wide = middle;
  }
  return evenSteps(name, narrow);
}

export async function benchWatching(): Promise<readonly WatchingFigures[]> {
  const stays = await watched('a plain host whose first estimate stays', {
    holds: false,
    stays: true,
  });
  return [
    await watched('a host that holds', { holds: true, stays: false }),
    await watched('a plain host that renews its estimate', { holds: false, stays: false }),
    stays,
    widestSteps('floor for that: as many requests', ({ requests }) => requests >= stays.requests),
    widestSteps('floor for that: 4.2 requests', ({ requests }) => requests >= 4.2),
    widestSteps('floor for that: 0.8 s', ({ mean }) => mean <= 0.8 * second),
  ];
}

export function watchingTable(all: readonly WatchingFigures[]): string {
  const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
  return markdownTable(
    ['an export of 20 to 120 s', 'requests', 'ready to shown: mean', 'median', 'p95'],
    all.map((one) => [
      one.name,
      one.requests.toFixed(1),
      ...[one.mean, one.median, one.p95].map(seconds),
    ]),
  );
}

if (import.meta.main) console.log(watchingTable(await benchWatching()));
