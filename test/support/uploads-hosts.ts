import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Task } from '../../src/contract/task.ts';
import type { Upload } from '../../src/contract/upload.ts';
import { createClipHost, memoryStore, type ClipHost } from '../../packages/host/src/index.ts';
import { nodeHandler } from '../../packages/host/src/adapters/node.ts';
import { s3Uploads } from '../../packages/host/src/uploads/s3-uploads.ts';
import { ByteFaults } from './byte-faults.ts';
import { FakeBucket } from './fake-bucket.ts';
import type { Failure, Order } from './fake-service-failures.ts';
import { FakeService } from './fake-service.ts';

/** How a world's host, its service and the connections behave. */
export interface UploadsBehaviour extends Partial<
  Pick<ByteFaults, 'cutAfter' | 'cuts' | 'cutsEndOffline' | 'isHeld' | 'offline' | 'refuseBytes'>
> {
  protocol?: 'tus' | 's3';
  /** The bytes of tus come by way of the host, which wants this CSRF token. */
  behindHost?: string;
  /** The answer to `POST /uploads` of the service; 0: the upload is opened. */
  refuse?: number;
  /** Seconds of `Retry-After` in that answer. */
  retryAfter?: number;
  /** Uploads are opened, and the answers are lost. */
  losesOpens?: boolean;
  /** What becomes of starts of tasks. `fail`, `full`: 502, 507. */
  start?: 'ok' | 'limit' | 'refused' | 'fail' | 'full';
  holds?: boolean;
  account?: string;
  /** Every call needs a session that has not ended; its user is the account. */
  needsSession?: boolean;
  /** The next request of this method is refused because its session has ended. */
  endsSessionAt?: 'PATCH' | 'HEAD' | '';
  /** The answer of a host that others wrote to `DELETE /tasks/{id}`. */
  refuseDelete?: number;
}

const starts: Readonly<Record<NonNullable<UploadsBehaviour['start']>, Failure | null>> = {
  ok: null,
  limit: { status: 402 },
  refused: {
    status: 422,
    body: { errors: [{ path: 'style_preset_id', message: 'There is no style "none".' }] },
  },
  fail: { status: 502 },
  full: { status: 507 },
};

function claimsOf(authorization: string | null): { sub: string; exp: number } | null {
  const [, payload] = authorization?.split('.') ?? [];
  return payload ? JSON.parse(Buffer.from(payload, 'base64url').toString()) : null;
}

/** The real host over a fake service, or over one and a bucket. */
class World {
  readonly #path: string;
  #origin = 'http://127.0.0.1';
  readonly #service: FakeService;
  readonly #faults = new ByteFaults();
  readonly #store = memoryStore();
  readonly #behaviour: UploadsBehaviour;
  readonly #host: ClipHost;
  readonly #log: object[] = [];
  /** Uploads that were opened, by id. */
  readonly #opened = new Set<string>();

  private constructor(
    path: string,
    behaviour: UploadsBehaviour,
    service: FakeService,
    bucket: FakeBucket,
  ) {
    this.#path = path;
    this.#service = service;
    this.#behaviour = behaviour;
    service.byteFaults = this.#faults;
    bucket.byteFaults = this.#faults;
    this.#host = createClipHost({
      service: { baseUrl: service.baseUrl, apiKey: service.apiKey },
      authenticate: () => ({ id: this.#user }),
      basePath: path,
      store: this.#store,
      uploads:
        behaviour.protocol === 's3'
          ? s3Uploads({ client: bucket.client(), bucketUrl: bucket.url })
          : behaviour.behindHost === undefined
            ? 'service'
            : 'host',
      rateLimit: false,
      log: () => {},
    });
    this.set(behaviour);
  }

  static async open(path: string, behaviour: UploadsBehaviour): Promise<World> {
    const service = await FakeService.open({ keepsKeys: true });
    return new World(path, behaviour, service, await FakeBucket.open());
  }

  get #user(): string {
    return this.#behaviour.account ?? 'ann';
  }

  set(change: UploadsBehaviour): void {
    Object.assign(this.#behaviour, change);
    const { cutAfter, cuts, cutsEndOffline, isHeld, offline, refuseBytes } = change;
    const faults = { cutAfter, cuts, cutsEndOffline, isHeld, offline, refuseBytes };
    for (const [name, value] of Object.entries(faults)) {
      if (value !== undefined) Object.assign(this.#faults, { [name]: value });
    }
    const { start = 'ok', refuse, retryAfter } = this.#behaviour;
    const lasting = (method: Order['method'], path: RegExp, how: Failure) => {
      this.#service.order({ method, path, how, lasts: true });
    };
    this.#service.forgetOrders();
    if (starts[start]) lasting('POST', /^\/tasks\//, starts[start]);
    const headers = retryAfter ? { 'Retry-After': String(retryAfter) } : {};
    if (refuse) lasting('POST', /^\/uploads$/, { status: refuse, headers });
  }

  async setTasks(tasks: readonly Partial<Task>[]): Promise<void> {
    const { world } = this.#service;
    await this.#ask('/tasks');
    const author = (await this.#store.managedUser(this.#user))!;
    world.tasks.clear();
    for (const { type = 'video-to-shorts', ...more } of tasks.toReversed()) {
      world.addTask(author, type, {
        name: undefined,
        output_id: `folder-of-${more.id ?? ''}`,
        progress: { stage: 'scan', share: 0.25, seconds_left: 90 },
        ...more,
      });
    }
  }

  /** What was sent, what has become of it, and how many cuts are left. */
  async log(): Promise<object> {
    const answers = await Promise.all([...this.#opened].map((id) => this.#ask(`/uploads/${id}`)));
    const uploads = await Promise.all(
      answers.filter(({ ok }) => ok).map((answer) => answer.json() as Promise<Upload>),
    );
    const bytes = this.#service.tusRequests.map(({ method }) => ({ method, path: '/tus' }));
    const { bytes: came, cuts } = this.#faults;
    return { requests: [...this.#log, ...bytes], bytes: came, uploads, cuts };
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    if (this.#faults.offline) return void request.socket.destroy();
    nodeHandler((asked) => this.#respond(asked, response))(request, response);
  }

  async #respond(request: Request, response: ServerResponse): Promise<Response> {
    const { method, headers } = request;
    const url = new URL(request.url);
    this.#origin = url.origin;
    const path = url.pathname.slice(this.#path.length);
    const { behindHost, holds = true, losesOpens, refuseDelete } = this.#behaviour;
    const isBytes = method === 'HEAD' || method === 'PATCH';
    const session = headers.get('Authorization');
    if (this.#behaviour.needsSession) {
      const claims = claimsOf(session);
      const isEnded = this.#behaviour.endsSessionAt === method;
      if (isEnded) this.#behaviour.endsSessionAt = '';
      const code = !claims ? 'unauthenticated' : isEnded && 'session-expired';
      if (code) {
        this.#log.push({ method, path, query: url.search, session, refused: code });
        return Response.json({ code }, { status: 401 });
      }
      this.#behaviour.account = claims!.sub;
      headers.delete('Authorization');
    }
    if (isBytes && (headers.get('X-CSRF-Token') ?? '') !== behindHost) {
      return new Response(null, { status: 403 });
    }
    const text = isBytes ? '' : await request.clone().text();
    this.#log.push({
      method,
      path,
      query: url.search,
      key: headers.get('Idempotency-Key'),
      prefer: headers.get('Prefer'),
      account: headers.get('Clip-Account'),
      session,
      cookie: headers.has('Cookie'),
      body: text ? (JSON.parse(text) as unknown) : undefined,
    });
    if (refuseDelete && method === 'DELETE') return Response.json({}, { status: refuseDelete });
    if (!holds) request.headers.delete('Prefer');
    const answer = await this.#host(request);
    if (method === 'POST' && path === '/uploads' && answer.ok) {
      this.#opened.add(((await answer.clone().json()) as Upload).id);
      if (losesOpens) response.destroy();
    }
    return answer;
  }

  /** A question that no page has asked. */
  #ask(path: string): Promise<Response> {
    const headers = { 'Sec-Fetch-Site': 'same-origin' };
    return this.#host(new Request(this.#origin + this.#path + path, { headers }));
  }
}

/**
 * Backends of pages with uploads and a list of tasks. One world for each test:
 * `/uploads-host/{world}/…`; only the test uses `_set`, `_tasks` and `_log`.
 */
export class UploadsHosts {
  readonly #worlds = new Map<string, World>();

  /** Answers a request below `/uploads-host/`; false for any other. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const [, mount, name = '', command] = (request.url ?? '/').split('?')[0]!.split('/');
    if (mount !== 'uploads-host') return false;
    const world = this.#worlds.get(name);
    if (world && !command?.startsWith('_')) {
      world.answer(request, response);
      return true;
    }
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const told = (text ? JSON.parse(text) : {}) as unknown;
    if (!world) {
      const opened = await World.open(`/${mount}/${name}`, told as UploadsBehaviour);
      this.#worlds.set(name, opened);
    } else if (command === '_set') world.set(told as UploadsBehaviour);
    else if (command === '_tasks') await world.setTasks(told as Partial<Task>[]);
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(command === '_log' ? await world!.log() : {}));
    return true;
  }
}
