import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Output } from '../report.ts';
import { pause, startTimeoutMs, type CheckWorld } from '../world.ts';
import { LateService } from './late-service.ts';
import { runVector, vectors, type Vector } from './vectors.ts';

/** The service of the fault vectors as an HTTP server on this machine. Each vector has a clip. */
export class FaultService {
  readonly apiKey = 'key-of-the-fault-service';
  readonly service: LateService;
  readonly #server: Server;
  readonly #run = Date.now().toString(36);

  private constructor(server: Server, vectors: readonly Vector[]) {
    this.#server = server;
    const byClip = new Map(vectors.map((vector) => [this.clipOf(vector), vector]));
    this.service = new LateService({
      apiKey: this.apiKey,
      startOf: (clip, number) => byClip.get(clip)?.starts[number] ?? {},
      listOf: (clip) => byClip.get(clip) ?? {},
    });
    server.on('request', (request, response) => void this.#answer(request, response));
  }

  /** Listens on 127.0.0.1; port 0 takes a free one. Rejects if the port is taken. */
  static async open(port: number, vectors: readonly Vector[]): Promise<FaultService> {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    return new FaultService(server, vectors);
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v2`;
  }

  clipOf(vector: Vector): string {
    return `${vector.name.replace(/\W+/g, '-')}-${this.#run}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const sent = await text(request);
      const headers = new Headers(request.headers as Record<string, string>);
      const { method = 'GET' } = request;
      const url = new URL(request.url ?? '/', this.baseUrl);
      const body = method === 'GET' ? null : sent || '{}';
      const answer = await this.service.answer(new Request(url, { method, headers, body }));
      response
        .writeHead(answer.status, Object.fromEntries(answer.headers))
        .end(await answer.text());
    } catch {
      // A broken connection is one of the faults.
      response.destroy();
    }
  }
}

export interface FaultResult {
  readonly vector: Vector;
  /** What the host did wrong; null if nothing. */
  readonly fault: string | null;
}

/**
 * Runs the vectors on a host that calls the service, all at the same time: some take two minutes.
 * `kill` kills the host when all its starts are at the service, and starts it again.
 */
export const runFaults = (
  vectors: readonly Vector[],
  world: CheckWorld,
  faultService: FaultService,
  report: (result: FaultResult) => void,
  kill?: (arrived: Promise<void>) => Promise<void>,
): Promise<FaultResult[]> =>
  Promise.all(
    vectors.map(async (vector) => {
      const { service } = faultService;
      const clip = faultService.clipOf(vector);
      const arrival = async () => {
        while (!service.startsOf(clip)) await pause(20);
      };
      const fault = await runVector(vector, {
        start: (key, more) => world.postStart(key, { project_id: clip, ...more }),
        ask: (key) => world.ask('GET', `exports?attempt=${key}`, { timeoutMs: startTimeoutMs }),
        made: () => service.madeOf(clip),
        until: (milliseconds) => pause(service.lastStartAt(clip) + milliseconds - Date.now()),
        ...(kill && { kill: () => kill(arrival()) }),
      });
      const result = { vector, fault };
      report(result);
      return result;
    }),
  );

/** Runs the vectors that need no kill of the host; returns the exit code. */
export async function checkFaults(
  world: CheckWorld,
  port: number,
  { out, error }: Output,
  json: boolean,
): Promise<0 | 1 | 2> {
  const suitable = vectors.filter(({ steps }) => steps.every(({ kill }) => !kill));
  let service: FaultService;
  try {
    service = await FaultService.open(port, suitable);
  } catch (cause) {
    error(`The service cannot listen on port ${port}: ${(cause as Error).message}\n`);
    return 2;
  }
  try {
    error(`A service that fails listens at ${service.baseUrl}\nIts key: ${service.apiKey}\n`);
    error(`Start your host with it. Waiting for ${world.options.endpoint} ...\n`);
    while ((await world.ask('GET', 'exports')).received.status !== 200) await pause(500);
    const results = await runFaults(suitable, world, service, ({ vector: { name }, fault }) => {
      if (!json) out(fault === null ? `holds   ${name}\n` : `BROKEN  ${name}\n        ${fault}\n`);
    });
    const broken = results.filter(({ fault }) => fault !== null).length;
    const held = results.length - broken;
    const named = results.map(({ vector: { name }, fault }) => ({ name, fault }));
    out(
      json
        ? `${JSON.stringify({ held, broken, results: named }, null, 2)}\n`
        : `\n${held} held, ${broken} broken\n`,
    );
    return broken ? 1 : 0;
  } finally {
    await service.close();
  }
}
