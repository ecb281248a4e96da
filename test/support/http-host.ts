import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import {
  createClipHost,
  memoryStore,
  type ClipHostOptions,
} from '../../packages/host/src/index.ts';
import { FakeService, type FakeServiceOptions } from './fake-service.ts';

export type Handler = (request: Request) => Promise<Response>;

/** Serves a handler over HTTP on a free port; returns the origin and a function that stops it. */
export async function serve(
  handler: Handler,
): Promise<{ origin: string; close: () => Promise<void> }> {
  const server = createServer((incoming, outgoing) => {
    const leaving = new AbortController();
    outgoing.on('close', () => leaving.abort());
    const headers = new Headers();
    for (const [name, value] of Object.entries(incoming.headers)) {
      if (value !== undefined) headers.set(name, String(value));
    }
    const bodiless = incoming.method === 'GET' || incoming.method === 'HEAD';
    const body = bodiless
      ? null
      : new ReadableStream<Uint8Array>({
          start: async (controller) => {
            try {
              for await (const part of incoming) controller.enqueue(new Uint8Array(part));
              controller.close();
            } catch {
              // The other side has disconnected, or the body was not wanted.
            }
          },
        });
    const answer = async (): Promise<void> => {
      const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
        method: incoming.method ?? 'GET',
        headers,
        signal: leaving.signal,
        ...(body ? { body, duplex: 'half' } : {}),
      });
      const response = await handler(request);
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      outgoing.end(Buffer.from(await response.arrayBuffer()));
    };
    answer().catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface HttpHostOptions {
  readonly service?: FakeServiceOptions;
  readonly host?: Partial<Omit<ClipHostOptions, 'service' | 'basePath' | 'authenticate'>>;
  /** Runs between the server and the host. */
  readonly wrap?: (request: Request, host: Handler, world: HttpHost) => Promise<Response>;
}

/**
 * The project's own host on a real HTTP server, with a fake service; two users, each with a clip in
 * a folder. The first has a task.
 */
export class HttpHost {
  /** The sessions of the two users, as cookies. */
  static readonly ann = 'session=s-ann-3f9c1d77';
  static readonly ben = 'session=s-ben-81b2e0aa';
  readonly service: FakeService;
  endpoint = '';
  readonly folder = 'folder-1';
  project = '';

  private constructor(service: FakeService) {
    this.service = service;
  }

  static async open(t: TestContext, options: HttpHostOptions = {}): Promise<HttpHost> {
    const service = await FakeService.open(options.service);
    const world = new HttpHost(service);
    const store = memoryStore();
    const host = createClipHost({
      service: { baseUrl: service.baseUrl, apiKey: service.apiKey },
      basePath: '/clips',
      authenticate: (request) => {
        const user = /\bsession=s-(\w+)-/.exec(request.headers.get('Cookie') ?? '')?.[1];
        return user === undefined ? null : { id: user };
      },
      store,
      log: () => {},
      ...options.host,
    });
    const wrap = options.wrap ?? ((request, next) => next(request));
    const server = await serve((request) => wrap(request, host, world));
    t.after(async () => {
      host.close();
      await server.close();
      await service.close();
    });
    world.endpoint = `${server.origin}/clips`;
    const managed = service.world.addUser().id;
    await store.keepManagedUser('ann', managed);
    world.project = service.world.addProject(managed, world.folder).id;
    service.world.addTask(managed, 'video-to-shorts');
    return world;
  }

  /** Ends every running render. */
  finishAll(): void {
    for (const { id, status } of this.service.world.exports.values()) {
      if (status === 'processing') this.service.world.finish(id);
    }
  }
}
