import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LateService } from './late-service.ts';
import type { Vector } from './vector.ts';

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

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
      const text = await textOf(request);
      const headers = new Headers(request.headers as Record<string, string>);
      const { method = 'GET' } = request;
      const body = method === 'GET' ? null : text || '{}';
      const url = new URL(request.url ?? '/', this.baseUrl);
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
