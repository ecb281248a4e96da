/** What a site talks to: a service, the pages of its clips, and a host in front of the site. */
import { readFile } from 'node:fs/promises';
import {
  createServer,
  request as ask,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { answerFrame } from '../support/fake-frames.ts';
import { answerTus } from 'clip-testkit/fake-service-tus';
import { FakeService } from 'clip-testkit/fake-service';
import type { PackedKit } from './packed-kit.ts';
import type { Served } from './site.ts';

/** The clip on the pages of each site. */
export const clipId = 'clip-1';

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

async function listen(listener: RequestListener): Promise<{ server: Server; origin: string }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function close(server: Server): void {
  server.close();
  server.closeAllConnections();
}

/** The first of the files that there is. */
async function sendFile(paths: readonly string[], response: ServerResponse): Promise<void> {
  for (const path of paths) {
    try {
      const content = await readFile(path);
      const type = mediaTypes[extname(path)] ?? 'application/octet-stream';
      response.writeHead(200, { 'Content-Type': type }).end(content);
      return;
    } catch {
      // There is no such file.
    }
  }
  response.writeHead(404).end();
}

/**
 * Player and embed pages, at `/player/{id}` and `/embed/{id}`, with a player that plays and a
 * poster; the addresses of uploads; and a host for sessions at `/host`, if there is one.
 */
const framesOf =
  (service: FakeService, host: () => RequestListener | null): RequestListener =>
  (request, response) => {
    if (request.url?.startsWith('/host/')) {
      host()?.(request, response);
      return;
    }
    // As the pages of the service.
    response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    const { pathname } = new URL(request.url ?? '/', 'http://frames');
    if (pathname.startsWith('/uploads/')) {
      void answerTus(request, response, service.world);
      return;
    }
    if (/^\/(node_modules\/player\.js|test\/support)\//.test(pathname)) {
      void sendFile([pathname.slice(1)], response);
      return;
    }
    const isPoster = pathname.endsWith('/poster.jpg');
    request.url = `/frames/${isPoster ? 'poster/0' : 'media'}${request.url}`;
    if (!answerFrame(request, response)) response.writeHead(404).end();
  };

/** The site's own server, or its files. */
type Upstream = { readonly port: number } | Extract<Served, { directory: string }>;

/** Everything around one site. */
export class ClipWorld {
  readonly service: FakeService;
  /** Base of the player and embed pages, and of uploads. */
  readonly frames: string;
  /** The origin of the site, as the browser sees it. */
  readonly origin: string;
  #upstream: Upstream = { port: 9 };
  readonly #servers: readonly Server[];

  private constructor(service: FakeService, frames: string, origin: string, servers: Server[]) {
    this.service = service;
    this.frames = frames;
    this.origin = origin;
    this.#servers = servers;
  }

  /**
   * `kit`: has the host that answers below `/clips`, or, `withSessions`, below `/host` of the
   * service. Null if the site has its own host. The service's first user owns the clip.
   */
  static async open(
    kit: Partial<Pick<PackedKit, 'host' | 'sessionHost'>> | null,
    withSessions = false,
  ): Promise<ClipWorld> {
    // Its renders end, as it says, after a second: until then clients wait instead of asking.
    let frames = '';
    const service = await FakeService.open({
      now: () => Date.now() - 39_000,
      origin: () => frames,
    });
    const { world } = service;
    const addUser = world.addUser.bind(world);
    world.addUser = () => {
      const user = addUser();
      world.projects.delete(clipId);
      world.addProject(user.id, null, { id: clipId });
      return user;
    };
    let sessions: RequestListener | null = null;
    const pages = await listen(framesOf(service, () => sessions));
    frames = pages.origin;
    const clips = withSessions ? null : kit?.host?.(service);
    const front = await listen((request, response) => {
      // A starter without an icon is not what is tested here.
      if (request.url === '/favicon.ico') response.writeHead(204).end();
      else if (clips && /^\/clips(\/|$)/.test(request.url ?? '')) clips(request, response);
      else opened.#pass(request, response);
    });
    if (withSessions) sessions = kit?.sessionHost?.(service, front.origin) ?? null;
    const opened = new ClipWorld(service, frames, front.origin, [front.server, pages.server]);
    // The connection of a development server that tells of changes.
    front.server.on('upgrade', (request, socket, head) => {
      const { port } = opened.#upstream as { port: number };
      const upstream = connect(port, '127.0.0.1', () => {
        const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
        upstream.write(`GET ${request.url} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
        upstream.write(head);
        upstream.pipe(socket).pipe(upstream);
      });
      upstream.on('error', () => socket.destroy());
      socket.on('error', () => upstream.destroy());
    });
    return opened;
  }

  /** From now on the site is this. */
  serve(upstream: Upstream): void {
    this.#upstream = upstream;
  }

  /** The bodies of the paid starts so far. */
  get starts(): unknown[] {
    return this.service.sent('POST', /\/exports$/).map(({ body }) => body);
  }

  /** The bodies of the started tasks so far. */
  get tasks(): unknown[] {
    return this.service.sent('POST', /^\/tasks\//).map(({ body }) => body);
  }

  async close(): Promise<void> {
    this.#servers.forEach(close);
    await this.service.close();
  }

  #pass(request: IncomingMessage, response: ServerResponse): void {
    const upstream = this.#upstream;
    if ('directory' in upstream) {
      const path = normalize(decodeURIComponent(new URL(request.url!, this.origin).pathname));
      const { directory, fallback } = upstream;
      const names = [path, `${path}.html`, join(path, 'index.html'), fallback];
      const files = names.flatMap((name) => (name === undefined ? [] : [join(directory, name)]));
      void sendFile(files, response);
      return;
    }
    const { method, url, headers } = request;
    const passed = ask(
      { host: '127.0.0.1', port: upstream.port, method, path: url, headers },
      (answer) => {
        response.writeHead(answer.statusCode!, answer.rawHeaders);
        answer.pipe(response);
      },
    );
    passed.on('error', () => response.destroy());
    response.on('close', () => passed.destroy());
    request.pipe(passed);
  }
}
