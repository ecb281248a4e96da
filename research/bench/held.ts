/**
 * What it costs a host to hold requests: 10,000 on one process, for as long as `Prefer: wait=25`
 * says, by many users or by few. Only this: `node research/bench/held.ts`, after `npm run build`.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { startServer } from './measured-server.ts';
import { markdownTable } from './table.ts';

const watchers = 10_000;
/** How many exports they watch, each of a user of its own. */
const exportCounts = [10, 1000, 10_000] as const;
/** Connections that are opened at a time. */
const atOnce = 200;

export interface HeldResult {
  readonly watchers: number;
  readonly exports: number;
  /** Resident memory of the host's process while it holds them all, bytes. */
  readonly memory: number;
  /** Microseconds of processor time for each of them, from its coming to its answer. */
  readonly cpu: number;
  /** Requests to the service from the first that came until the last had its answer. */
  readonly upstream: number;
}

async function hold(url: URL, user: string): Promise<{ socket: Socket; answer: Promise<void> }> {
  const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
  await once(socket, 'connect');
  const answer = (async () => {
    const [first] = (await once(socket, 'data')) as [Buffer];
    const head = first.toString('latin1');
    if (!head.startsWith('HTTP/1.1 200') || !/preference-applied: wait=25/i.test(head)) {
      throw new Error(`Not held: ${head.slice(0, 200)}`);
    }
    socket.destroy();
  })();
  socket.write(
    `GET /clips/exports?id=export-of-${user} HTTP/1.1\r\nHost: ${url.host}\r\nX-Bench-User: ${user}\r\nPrefer: wait=25\r\n\r\n`,
  );
  return { socket, answer };
}

async function measure(exports: number): Promise<HeldResult> {
  const upstream = await startServer('rendering', {});
  const server = await startServer('host-held', { serviceUrl: upstream.url });
  try {
    const url = new URL(server.url);
    const asked = async () => Number(await (await fetch(`${upstream.url}/asked`)).text());
    const before = await server.usage();
    const answers: Promise<void>[] = [];
    for (let at = 0; at < watchers; at += atOnce) {
      const some = Array.from({ length: atOnce }, (_, n) =>
        hold(url, `user-${(at + n) % exports}`),
      );
      for (const { answer } of await Promise.all(some)) answers.push(answer);
    }
    // All have been written; a question of ours is answered after them.
    await fetch(`${server.url}/clips/nothing`);
    const { memory } = await server.usage();
    await Promise.all(answers);
    const after = await server.usage();
    return {
      watchers,
      exports,
      memory,
      cpu: (after.cpu - before.cpu) / watchers,
      upstream: await asked(),
    };
  } finally {
    await server.stop();
    await upstream.stop();
  }
}

export async function benchHeld(): Promise<HeldResult[]> {
  const results: HeldResult[] = [];
  for (const exports of exportCounts) results.push(await measure(exports));
  return results;
}

export const heldTable = (results: readonly HeldResult[]): string =>
  markdownTable(
    ['requests held', 'exports watched', 'memory', 'CPU each', 'requests to the service'],
    results.map((one) => [
      one.watchers.toLocaleString('en'),
      one.exports.toLocaleString('en'),
      `${Math.round(one.memory / 1e6)} MB`,
      `${Math.round(one.cpu)} µs`,
      one.upstream.toLocaleString('en'),
    ]),
  );

if (import.meta.main) console.log(heldTable(await benchHeld()));
