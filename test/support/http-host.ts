import { createServer } from 'node:http';
import { nodeHandler } from '../../packages/host/src/adapters/node.ts';
import {
  createClipHost,
  memoryStore,
  type ClipHostOptions,
} from '../../packages/host/src/index.ts';
import { FakeService, type FakeServiceOptions } from './fake-service.ts';
import { type Ending, listen } from './mounted-host.ts';

type Handler = (request: Request) => Promise<Response>;

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
  /** The host as a handler. */
  answer: Handler = fetch;
  endpoint = '';
  readonly folder = 'folder-1';
  project = '';

  private constructor(service: FakeService) {
    this.service = service;
  }

  static async open(t: Ending, options: HttpHostOptions = {}): Promise<HttpHost> {
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
    world.answer = (request) => wrap(request, host, world);
    const handler = nodeHandler(world.answer);
    t.after(async () => {
      host.close();
      await service.close();
    });
    world.endpoint = `${await listen(createServer(handler), t)}/clips`;
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
