import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Rule } from '../rules.ts';
import { runRule, type Result } from '../run.ts';
import { pause, type CheckWorld } from '../world.ts';
import { LateService } from './late-service.ts';

/** The service that fails as the rules say, as an HTTP server on this machine. */
export class FaultService {
  readonly apiKey = 'key-of-the-fault-service';
  readonly #rules: readonly Rule[];
  readonly #service: LateService;
  readonly #run = Date.now().toString(36);
  readonly #server = createServer(async (request, response) => {
    try {
      const headers = new Headers(request.headers as Record<string, string>);
      const { method = 'GET' } = request;
      const sent = await text(request);
      const body = method === 'GET' ? null : sent || '{}';
      const asked = new Request(new URL(request.url!, this.baseUrl), { method, headers, body });
      const answer = await this.#service.answer(asked);
      response.writeHead(answer.status, [...answer.headers].flat()).end(await answer.text());
    } catch {
      // A broken connection is one of the faults.
      response.destroy();
    }
  });

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
    const faultsOf = (clip: string) => rules.find((rule) => this.#clipOf(rule) === clip)?.service;
    this.#service = new LateService({
      apiKey: this.apiKey,
      startOf: (clip, number) => faultsOf(clip)?.starts[number] ?? {},
      listOf: (clip) => faultsOf(clip) ?? {},
    });
  }

  /** Listens on 127.0.0.1; port 0 takes a free one. Rejects if the port is taken. */
  listen(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v2`;
  }

  /**
   * Checks the rules on a host that calls this service, all at the same time: some take two
   * minutes. `kill` kills the host when all its starts are here, and starts it again.
   */
  run(
    world: CheckWorld,
    report: (result: Result) => void,
    kill?: (arrived: Promise<void>) => Promise<void>,
  ): Promise<Result[]> {
    const run = async (rule: Rule): Promise<Result> => {
      const id = this.#clipOf(rule);
      const clip = this.#service.clipOf(id);
      const arrival = async () => {
        while (!clip.starts) await pause(20);
      };
      const killed = kill && { kill: () => kill(arrival()) };
      const result = await runRule(world, rule, { id, clip, ...killed });
      report(result);
      return result;
    };
    return Promise.all(this.#rules.map(run));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** The clip of a rule, a new one in each run: the store of the host may outlive a run. */
  #clipOf({ id }: Rule): string {
    return `${id}-${this.#run}`;
  }
}
