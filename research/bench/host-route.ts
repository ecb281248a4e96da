/**
 * The host's route beside the same route written by hand on bare Hono, with the same call to the
 * service. Only this: `node research/bench/host-route.ts`, after `npm run build`.
 */
import { randomUUID } from 'node:crypto';
import { anExport, measure, type Target } from './api.ts';
import { startServer } from './measured-server.ts';
import { median, ratios } from './statistics.ts';
import { markdownTable } from './table.ts';

const rounds = 5;
const seconds = 1.5;

export interface HostRouteFigures {
  /** Microseconds of processor time a request, medians. */
  readonly host: number;
  readonly byHand: number;
  /** Median of each round's own ratio. */
  readonly ratio: number;
}

export async function benchHostRoute(): Promise<HostRouteFigures> {
  const managedUser = randomUUID();
  const found = anExport(managedUser);
  const upstream = await startServer('floor', { body: JSON.stringify(found) });
  const settings = { serviceUrl: upstream.url, managedUser };
  const servers = await Promise.all([startServer('host', settings), startServer('hono', settings)]);
  try {
    const [host, byHand] = servers.map((server): Target => ({
      name: '',
      server,
      path: `/clips/exports/${found.id}?project_id=${found.project_id}`,
      headers: {},
    })) as [Target, Target];
    const seen = { host: [] as number[], byHand: [] as number[] };
    for (const target of [host, byHand]) await measure(target, 1); // Until it is compiled.
    for (let round = 0; round < rounds; round += 1) {
      seen.host.push((await measure(host, seconds)).cpuPerRequest);
      seen.byHand.push((await measure(byHand, seconds)).cpuPerRequest);
    }
    return {
      host: median(seen.host),
      byHand: median(seen.byHand),
      ratio: median(ratios(seen.host, seen.byHand)),
    };
  } finally {
    await Promise.all([...servers, upstream].map((server) => server.stop()));
  }
}

export const hostRouteTable = ({ host, byHand, ratio }: HostRouteFigures): string =>
  markdownTable(
    ['`GET /clips/exports/{id}`', 'CPU a request', 'ratio'],
    [
      ['by hand on bare Hono', `${Math.round(byHand)} µs`, ''],
      ['`clip-host`', `${Math.round(host)} µs`, ratio.toFixed(2)],
    ],
  );

if (import.meta.main) console.log(hostRouteTable(await benchHostRoute()));
