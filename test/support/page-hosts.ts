import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Export } from '../../src/contract/export.ts';
import type { Project } from '../../src/contract/project.ts';
import type { Task } from '../../src/contract/task.ts';
import type { Upload } from '../../src/contract/upload.ts';
import type { ViewBatch } from '../../src/contract/views.ts';
import { createClipHost, memoryStore, type ClipHost } from '../../packages/host/src/index.ts';
import { nodeHandler } from '../../packages/host/src/adapters/node.ts';
import { HostRecords } from '../../packages/host/src/stores/records.ts';
import { ByteFaults } from 'clip-testkit/byte-faults';
import { Held, type Failure } from 'clip-testkit/fake-service-failures';
import { FakeService } from 'clip-testkit/fake-service';
import { standardBehaviour, type Behaviour } from './page-behaviour.ts';
import { PageFaults } from './page-faults.ts';
import { sessionOf, siteSecret } from 'clip-testkit/site-session';

const webhookKey = Buffer.alloc(32, 7);

const byteFaults = [
  'cutAfter',
  'cuts',
  'cutsEndOffline',
  'isHeld',
  'offline',
  'refuseBytes',
] as const;

const refusedStarts: Readonly<Partial<Record<Behaviour['start'], Failure>>> = {
  limit: { status: 402 },
  refused: {
    status: 422,
    body: { errors: [{ path: 'style_preset_id', message: 'There is no style "none".' }] },
  },
  fail: { status: 502 },
  full: { status: 507 },
};

/** A site with the real host, over a fake service. */
class World {
  readonly #path: string;
  #origin = 'http://127.0.0.1';
  readonly #service: FakeService;
  readonly #byteFaults = new ByteFaults();
  readonly #store = memoryStore();
  readonly #records = new HostRecords(this.#store, Date.now);
  readonly #behaviour: Behaviour;
  readonly #faults: PageFaults;
  /**
   * Two processes that share the store: what one of them starts, the other one is asked about, as
   * it may be in any site.
   */
  readonly #hosts: readonly [starting: ClipHost, asked: ClipHost];
  /** Uploads that were opened, by id. */
  readonly #opened = new Set<string>();
  readonly #renders = new Map<string, NodeJS.Timeout>();
  #held: Held | null = null;
  /** What the host has taken of views. */
  readonly #batches: ViewBatch[] = [];
  /** How often the site was asked for a session. */
  #sessions = 0;

  private constructor(path: string, behaviour: Behaviour, service: FakeService) {
    this.#path = path;
    this.#behaviour = behaviour;
    this.#service = service;
    this.#faults = new PageFaults(behaviour);
    service.byteFaults = this.#byteFaults;
    service.world.onExport = (one) => this.#render(one);
    this.#hosts = [this.#newHost(), this.#newHost()];
  }

  static async open(path: string, change: Partial<Behaviour>): Promise<World> {
    const behaviour = { ...standardBehaviour, ...change };
    const now = () => Date.now() + behaviour.skew;
    const service = await FakeService.open({ keepsKeys: behaviour.keepsKeys, now });
    const world = new World(path, behaviour, service);
    await world.set(behaviour);
    return world;
  }

  #newHost(): ClipHost {
    const { session } = this.#behaviour;
    return createClipHost({
      service: { baseUrl: this.#service.baseUrl, apiKey: this.#service.apiKey },
      ...(session
        ? { sessions: { secrets: [siteSecret] } }
        : {
            authenticate: () =>
              this.#behaviour.unauthenticated ? null : { id: this.#behaviour.account },
          }),
      basePath: this.#path,
      store: this.#store,
      onViews: (batch) => void this.#batches.push(batch),
      webhookSecrets: [`whsec_${webhookKey.toString('base64')}`],
      now: () => Date.now() + this.#behaviour.skew,
      log: () => {},
    });
  }

  async close(): Promise<void> {
    for (const timer of this.#renders.values()) clearTimeout(timer);
    await Promise.all(this.#hosts.map((host) => host.close()));
    await this.#service.close();
  }

  async set(change: Partial<Behaviour>): Promise<void> {
    Object.assign(this.#behaviour, change);
    for (const name of byteFaults) {
      if (change[name] !== undefined) Object.assign(this.#byteFaults, { [name]: change[name] });
    }
    this.#setOrders();
    await this.#setClips();
    if (change.task !== undefined) await this.#setTask();
    for (const one of this.#service.world.exports.values()) {
      if (one.status === 'processing') this.#finishInTime(one);
    }
  }

  /** How the service fails. */
  #setOrders(): void {
    const { start, refuse, retryAfter, holdsStarts } = this.#behaviour;
    const service = this.#service;
    service.forgetOrders();
    const how = refusedStarts[start];
    if (how) service.order({ method: 'POST', path: /\/exports$|^\/tasks\//, how, lasts: true });
    if (holdsStarts) {
      this.#held ??= new Held();
      service.order({ method: 'POST', path: /\/exports$/, how: this.#held, lasts: true });
    } else {
      this.#held?.release();
      this.#held = null;
    }
    if (refuse) {
      const headers = retryAfter ? { 'Retry-After': String(retryAfter) } : {};
      const refusal = { status: refuse, headers };
      service.order({ method: 'POST', path: /^\/uploads$/, how: refusal, lasts: true });
    }
    if (this.#behaviour.clips === null) {
      const missing = { status: 404, body: { message: 'Not found.' } };
      service.order({ method: 'GET', path: /^\/projects\//, how: missing, lasts: true });
    }
  }

  async #setClips(): Promise<void> {
    const { world } = this.#service;
    const { clips, clip, revision, views } = this.#behaviour;
    const author = await this.#author();
    for (const id of world.projects.keys()) if (id.startsWith('id-')) world.projects.delete(id);
    for (const [at, name] of (clips ?? []).entries()) {
      world.addProject(author, 'f', {
        id: `id-${name}`,
        name,
        created_at: new Date(0).toISOString(),
        virality_score: 0.74,
        virality_score_explanation: `Why ${name}.`,
        ...(views[at] !== undefined && { views: views[at] }),
        ...clip,
      });
    }
    for (const one of world.projects.values()) {
      if (revision === null) delete one.revision;
      else one.revision = revision;
    }
    // The folder is there without a clip too: it is one of a task.
    if (!world.tasks.size) {
      world.addTask(author, 'video-to-shorts', { id: 'old', output_id: 'f', status: 'ready' });
    }
  }

  async #setTask(): Promise<void> {
    const { tasks } = this.#service.world;
    tasks.delete('t');
    if (!this.#behaviour.task) return;
    const task = { id: 't', output_id: 'f', ...this.#behaviour.task };
    const author = await this.#author();
    this.#service.world.addTask(author, 'video-to-shorts', task);
    const { status } = tasks.get('t')!;
    if (status !== 'processing') await this.#tell(`task.${status}`, tasks.get('t')!);
  }

  /** The managed user of who is signed in, to whom all clips belong. */
  async #author(): Promise<string> {
    const { session, account } = this.#behaviour;
    const user = session?.user ?? account;
    const author =
      (await this.#records.managedUser(user)) ??
      (await this.#records.keepManagedUser(user, this.#service.world.addUser().id));
    for (const one of this.#service.world.projects.values()) one.author_id = author;
    return author;
  }

  /** Exports become ready by the clock. */
  #render(one: Export): void {
    const { exports, now } = this.#service.world;
    const { age, estimate } = this.#behaviour;
    // Read once: an export without an estimate has both times in the same millisecond.
    const time = now();
    const begun: Export = {
      ...one,
      created_at: new Date(time - age).toISOString(),
      estimated_ready_at: new Date(time + estimate).toISOString(),
    };
    exports.set(one.id, begun);
    this.#finishInTime(begun);
  }

  #finishInTime({ id, created_at }: Export): void {
    const { world } = this.#service;
    clearTimeout(this.#renders.get(id));
    const leftMs = Date.parse(created_at) + this.#behaviour.render - world.now();
    const finish = () => {
      const { outcome } = this.#behaviour;
      void this.#tell(`export.${outcome}`, world.finish(id, outcome));
    };
    if (leftMs > 0) this.#renders.set(id, setTimeout(finish, leftMs).unref());
    else finish();
  }

  /** The service's webhook. */
  async #tell(type: string, data: object): Promise<void> {
    const timestamp = new Date(this.#service.world.now());
    const body = JSON.stringify({ type, timestamp: timestamp.toISOString(), data });
    const seconds = String(Math.floor(timestamp.getTime() / 1000));
    const signature = createHmac('sha256', webhookKey).update(`m.${seconds}.${body}`);
    const headers = {
      'Content-Type': 'application/json',
      'webhook-id': 'm',
      'webhook-timestamp': seconds,
      'webhook-signature': `v1,${signature.digest('base64')}`,
    };
    for (const host of this.#hosts) {
      const url = `${this.#origin}${this.#path}/webhook`;
      await host(new Request(url, { method: 'POST', headers, body }));
    }
  }

  async setTasks(all: readonly Partial<Task>[]): Promise<void> {
    const { tasks } = this.#service.world;
    const author = await this.#author();
    tasks.clear();
    for (const { type = 'video-to-shorts', ...more } of all.toReversed()) {
      this.#service.world.addTask(author, type, {
        name: undefined,
        output_id: `folder-of-${more.id ?? ''}`,
        progress: { stage: 'scan', share: 0.25, seconds_left: 90 },
        ...more,
      });
    }
  }

  /** What was sent, what has become of it, and how many cuts are left. */
  async log(): Promise<object> {
    const tus = this.#service.tusRequests.map(({ method }) => ({ method, path: '/tus' }));
    const { bytes, cuts } = this.#byteFaults;
    return {
      requests: [...this.#faults.sent, ...tus],
      open: this.#faults.open,
      sessions: this.#sessions,
      batches: this.#batches,
      bytes,
      uploads: await this.#uploads(),
      cuts,
    };
  }

  async #uploads(): Promise<Upload[]> {
    const headers = new Headers({ 'Sec-Fetch-Site': 'same-origin' });
    const { session, account } = this.#behaviour;
    if (session && this.#opened.size) {
      headers.set('Authorization', `Bearer ${await sessionOf(session.user ?? account)}`);
    }
    const answers = await Promise.all(
      [...this.#opened].map((id) =>
        this.#hosts[1](new Request(`${this.#origin}${this.#path}/uploads/${id}`, { headers })),
      ),
    );
    return Promise.all(
      answers.filter(({ ok }) => ok).map((answer) => answer.json() as Promise<Upload>),
    );
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    if (this.#byteFaults.offline) return void request.socket.destroy();
    response.setHeader('Date', new Date(Date.now() + this.#behaviour.skew).toUTCString());
    nodeHandler((asked) => {
      const path = new URL(asked.url).pathname.slice(this.#path.length);
      return this.#faults.carry(asked, path, response, (carried) => this.#ask(carried, path));
    })(request, response);
  }

  async #ask(request: Request, path: string): Promise<Response> {
    const isStart = request.method === 'POST' && path === '/exports';
    this.#origin = new URL(request.url).origin;
    await this.#author();
    if (isStart) await this.#addClip((await request.clone().json()) as StartedClip);
    const answer = await this.#hosts[request.method === 'POST' ? 0 : 1](request);
    if (request.method === 'POST' && path === '/uploads' && answer.ok) {
      this.#opened.add(((await answer.clone().json()) as Upload).id);
    }
    return answer;
  }

  /** The clip of a start, which the test needs not tell. */
  async #addClip({ project_id: id, folder_id = null }: StartedClip): Promise<void> {
    const { world } = this.#service;
    const { start, revision } = this.#behaviour;
    if (world.projects.has(id) || start === 'not-found') return;
    world.addProject(await this.#author(), folder_id, {
      id,
      name: 'My clip, no. 1',
      ...(revision !== null && { revision }),
    });
  }

  /** The site: the session of the user of its cookie. */
  async session(cookie: string | undefined): Promise<Response> {
    this.#sessions++;
    const { session } = this.#behaviour;
    const { answers } = session ?? {};
    if (answers === 'redirect') {
      return new Response(null, { status: 302, headers: { Location: '/host/other/_login' } });
    }
    if (answers === 'page') {
      const headers = { 'Content-Type': 'text/html' };
      return new Response('<!doctype html><h1>Hello</h1>', { headers });
    }
    if (answers === 'text') return Response.json({ token: 'a.b.c' });
    if (answers) return Response.json({}, { status: answers });
    if (!session?.user || cookie === undefined) return Response.json({}, { status: 401 });
    const secret = session.isForeign ? siteSecret.toUpperCase() : siteSecret;
    return Response.json({ session: await sessionOf(session.user, { secret }) });
  }

  /** The site: the token against cross-site requests. */
  csrf(): Response {
    return Response.json({ token: this.#behaviour.csrf });
  }
}

type StartedClip = Pick<Project, 'folder_id'> & { project_id: string };

/**
 * Backends of pages. One world for each test: `/host/{world}/…`; only the test uses `_set`,
 * `_tasks` and `_log`, and `_session` and `_csrf` are the site's.
 */
export class PageHosts {
  readonly #worlds = new Map<string, Promise<World>>();

  /** Answers a request below `/host/`; false for any other. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const [, mount, name = '', command] = (request.url ?? '/').split('?')[0]!.split('/');
    if (mount !== 'host' || !name) return false;
    if (!command?.startsWith('_')) {
      (await this.#world(name)).answer(request, response);
      return true;
    }
    nodeHandler((asked) => this.#command(name, command, asked))(request, response);
    return true;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#worlds.values()].map(async (world) => (await world).close()));
  }

  #world(name: string, behaviour: Partial<Behaviour> = {}): Promise<World> {
    let world = this.#worlds.get(name);
    if (!world) this.#worlds.set(name, (world = World.open(`/host/${name}`, behaviour)));
    return world;
  }

  async #command(name: string, command: string, request: Request): Promise<Response> {
    if (command === '_set') {
      const behaviour = (await request.json()) as Partial<Behaviour>;
      const isNew = !this.#worlds.has(name);
      const world = await this.#world(name, behaviour);
      if (!isNew) await world.set(behaviour);
      return Response.json({});
    }
    const world = await this.#world(name);
    if (command === '_tasks') await world.setTasks((await request.json()) as Partial<Task>[]);
    if (command === '_session') return world.session(request.headers.get('Cookie') ?? undefined);
    if (command === '_csrf') return world.csrf();
    return Response.json(command === '_log' ? await world.log() : {});
  }
}
