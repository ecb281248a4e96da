import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { exportSchema, type Export } from '../../src/contract/export.ts';
import {
  attemptKeySchema,
  hostStartExportSchema,
  tokenAnswerSchema,
  tokenRequestSchema,
} from '../../src/contract/host.ts';
import { problemSchema, problemStatuses, type ProblemCode } from '../../src/contract/problem.ts';
import { knownState, taskState } from '../../src/contract/known-state.ts';
import { projectSchema, type Project } from '../../src/contract/project.ts';
import { taskSchema, type Task } from '../../src/contract/task.ts';
import { attachment } from '../../packages/host/src/http/attachment.ts';
import { sendFile } from './fake-file.ts';
import { waitSeconds } from '../../src/contract/wait.ts';

/**
 * How a world's host behaves. A test sets what it needs; counters such as `failTokens` count down.
 * A later change also affects delayed answers and running renders: a test can hold one with a long
 * time, and release it with none.
 */
export interface Behaviour {
  /** Lifetime of a token in seconds. */
  tokenLife: number;
  /** This many token requests are answered 503. */
  failTokens: number;
  /** Milliseconds until a token is answered. */
  tokenDelay: number;
  /** `act-then-*`: the export is started, but the answer is a 502 or missing. */
  start:
    'ok' | 'limit' | 'not-found' | 'fail' | 'act-then-fail' | 'act-then-drop' | 'drop' | 'hang';
  /** Milliseconds until a start is carried out; until then a question about it is 202. */
  actDelay: number;
  /** Milliseconds until the answer about a start. */
  startDelay: number;
  /**
   * `kept`: stores attempt keys, as the contract says. `forgotten`: stores none; every question
   * about one is answered `[]`. `ignored`: the question is read as one about all exports.
   */
  attempts: 'kept' | 'forgotten' | 'ignored';
  /** Lists omit running exports. */
  hidesRunning: boolean;
  /** Every path is answered like an unknown path of a web server. */
  elsewhere: boolean;
  /** Duration of a render in milliseconds, and the first estimate. */
  render: number;
  estimate: number;
  /** Milliseconds for which a render has already run when it is started. */
  age: number;
  outcome: 'ready' | 'error';
  holds: boolean;
  /** This many questions about exports are answered 503. */
  failPolls: number;
  retryAfter: number;
  /** Milliseconds that the host's clock is ahead. */
  skew: number;
  csrf: string | null;
  unauthenticated: boolean;
  /** Calls carry a session, whose user is the account; null: the site's cookie is enough. */
  session: SessionBehaviour | null;
  /** Who is logged in: exports and attempts are the account's own. Null: the host sends no tag. */
  account: string | null;
  /** The clips of every folder, as their names; null: the folder is not known. */
  clips: readonly string[] | null;
  /** So many more clips without any field. */
  brokenClips: number;
  /** Fields of each clip. */
  clip: Partial<Project>;
  /** The revision of every clip's edit; null: the service has no editor. */
  revision: number | null;
  /** Fields of the task; null: it is not known. */
  task: Partial<Task> | null;
  /** This many questions about clips are answered 503. */
  failLists: number;
}

/** How the site of a world gives sessions at `/host/{world}/_session`. */
export interface SessionBehaviour {
  /** Id of the user; null: no user is signed in. */
  user: string | null;
  /** Lifetime in seconds. */
  life: number;
  /** What the site answers instead. */
  answers?: 'page' | 'text' | 'redirect' | 500 | 404;
  /** This many calls with a session are refused as ended. */
  expired?: number;
  /** Why the host refuses every session. */
  refused?: string;
}

interface Logged {
  method: string;
  path: string;
  query: string;
  key: string | null;
  prefer: string | null;
  account: string | null;
  cacheControl: string | null;
  session: string | null;
  cookie: boolean;
  body: unknown;
}

interface Rendering {
  object: Export;
  /** Milliseconds of the host's clock. */
  began: number;
  account: string | null;
}

interface World {
  behaviour: Behaviour;
  exports: Map<string, Rendering>;
  attempts: Map<string, { id: string | null; body: string }>;
  log: Logged[];
  open: number;
  tokens: number;
  /** How often the site was asked for a session. */
  sessions: number;
}

const standard: Behaviour = {
  tokenLife: 3600,
  failTokens: 0,
  tokenDelay: 0,
  start: 'ok',
  actDelay: 0,
  startDelay: 0,
  attempts: 'kept',
  hidesRunning: false,
  elsewhere: false,
  render: 400,
  estimate: 400,
  age: 0,
  outcome: 'ready',
  holds: true,
  failPolls: 0,
  retryAfter: 0,
  skew: 0,
  csrf: null,
  unauthenticated: false,
  session: null,
  account: null,
  clips: [],
  brokenClips: 0,
  clip: {},
  revision: null,
  task: null,
  failLists: 0,
};

type Fault = [code: ProblemCode, more?: object];

/** In the address of a file instead of a session. */
const grant = 'grant-of-the-file';

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A session whose signature nobody checks here. */
const jwt = (claims: object) =>
  `${base64url({ alg: 'HS256' })}.${base64url({ aud: 'clip-host', ...claims })}.${randomUUID().replaceAll('-', '')}`;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function read(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text ? JSON.parse(text) : undefined;
}

/**
 * A page's backend by the host contract, with a service that renders nothing: exports become ready
 * by the clock. One world for each test: `/host/{world}/…`; only the test uses `/host/{world}/_set`
 * and `/_log`.
 */
export class FakeHost {
  readonly #worlds = new Map<string, World>();

  /** Answers a request below `/host/`; false for any other. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const url = new URL(request.url ?? '/', 'http://host');
    const [, mount, name, ...rest] = url.pathname.split('/');
    if (mount !== 'host' || !name) return false;
    const world = this.#world(name);
    const path = `/${rest.join('/')}`;
    if (path === '/_set') {
      Object.assign(world.behaviour, await read(request));
      return this.#json(response, world, 200, {});
    }
    if (path === '/_log') {
      return this.#json(response, world, 200, {
        requests: world.log,
        open: world.open,
        sessions: world.sessions,
      });
    }
    if (path === '/_session') {
      return this.#session(response, world, request.headers.cookie ?? null);
    }
    if (path === '/_csrf') return this.#json(response, world, 200, { token: world.behaviour.csrf });
    const body = await read(request);
    const header = (key: string) => (request.headers[key] as string | undefined) ?? null;
    world.log.push({
      method: request.method ?? '',
      path,
      query: url.search,
      key: header('idempotency-key'),
      prefer: header('prefer'),
      account: header('clip-account'),
      cacheControl: header('cache-control'),
      session: header('authorization'),
      cookie: header('cookie') !== null,
      body,
    });
    world.open++;
    response.on('close', () => world.open--);
    const { behaviour } = world;
    const isGranted = url.searchParams.get('grant') === grant;
    if (behaviour.session && !isGranted) {
      const fault = this.#faultOf(behaviour, header('authorization'));
      if (fault) return this.#problem(response, world, ...fault);
    }
    if (behaviour.account !== null) response.setHeader('Clip-Account', behaviour.account);
    if (behaviour.elsewhere) {
      response.writeHead(404, { 'Content-Type': 'text/html' }).end('<h1>Not found</h1>');
      return true;
    }
    if (behaviour.unauthenticated) return this.#problem(response, world, 'unauthenticated');
    const shown = header('clip-account');
    if (behaviour.account !== null && shown !== null && shown !== behaviour.account) {
      return this.#problem(response, world, 'account-changed');
    }
    if (
      request.method === 'POST' &&
      behaviour.csrf !== null &&
      header('x-csrf-token') !== behaviour.csrf
    ) {
      return this.#json(response, world, 403, { code: 'csrf_failed', title: 'Refused' });
    }
    if (path === '/token') return this.#token(response, world, body);
    if (path === '/exports' && request.method === 'POST') {
      return this.#start(response, world, body, header('idempotency-key'));
    }
    if (path.startsWith('/exports/')) {
      const one = world.exports.get(decodeURIComponent(path.split('/')[2] ?? ''));
      if (!one || one.account !== behaviour.account) {
        return this.#problem(response, world, 'export-not-found');
      }
      if (path.endsWith('/download') && request.method === 'POST') {
        const address = `http://${request.headers.host}/host/${name}${path}?grant=${grant}`;
        return this.#json(response, world, 201, { url: address });
      }
      if (path.endsWith('/download')) {
        const name = url.searchParams.get('name') ?? one.object.name;
        sendFile(request, response, `mp4 of ${one.object.id}`, {
          'Content-Disposition': attachment(name),
        });
        return true;
      }
      return this.#json(response, world, 200, this.#now(world, one));
    }
    if (path.startsWith('/tasks/')) return this.#task(response, world, header('prefer'));
    if (path.startsWith('/projects')) return this.#clips(response, world, path);
    if (path === '/exports') return this.#list(response, world, url, header('prefer'));
    return this.#problem(response, world, 'not-found');
  }

  #world(name: string): World {
    let world = this.#worlds.get(name);
    if (!world) {
      world = {
        behaviour: { ...standard },
        exports: new Map(),
        attempts: new Map(),
        log: [],
        open: 0,
        tokens: 0,
        sessions: 0,
      };
      this.#worlds.set(name, world);
    }
    return world;
  }

  /** The site: gives the session of the user of its cookie. */
  #session(response: ServerResponse, world: World, cookie: string | null): boolean {
    world.sessions++;
    const { session } = world.behaviour;
    const answers = session?.answers;
    if (answers === 'redirect') {
      response.writeHead(302, { Location: '/host/other/_login' }).end();
      return true;
    }
    if (answers === 'page') {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><h1>Hello</h1>');
      return true;
    }
    if (answers === 'text') return this.#json(response, world, 200, { token: 'a.b.c' });
    if (answers) return this.#json(response, world, answers, {});
    if (!session?.user || cookie === null) return this.#json(response, world, 401, {});
    const seconds = Math.floor(Date.now() / 1000);
    const token = jwt({ sub: session.user, iat: seconds, exp: seconds + session.life });
    return this.#json(response, world, 200, { session: token });
  }

  /** Why a session is refused; null if it is good, and then its user is the account. */
  #faultOf(behaviour: Behaviour, authorization: string | null): Fault | null {
    const session = behaviour.session!;
    if (!authorization) return ['unauthenticated'];
    if (session.refused) return ['session-refused', { detail: session.refused }];
    const [, payload = ''] = authorization.replace('Bearer ', '').split('.');
    const { sub, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
      sub: string;
      exp: number;
    };
    if (session.expired || Date.now() >= exp * 1000) {
      session.expired = (session.expired ?? 1) - 1;
      return ['session-expired'];
    }
    behaviour.account = sub;
    return null;
  }

  async #delay(
    response: ServerResponse,
    { behaviour }: World,
    name: 'tokenDelay' | 'startDelay' | 'actDelay',
  ): Promise<void> {
    const began = Date.now();
    // A host finishes what it has started, even if the page has disconnected.
    const stays = name === 'actDelay';
    while ((stays || !response.destroyed) && Date.now() < began + behaviour[name]) await pause(5);
  }

  async #token(response: ServerResponse, world: World, body: unknown): Promise<boolean> {
    if (!tokenRequestSchema.safeParse(body).success) {
      return this.#problem(response, world, 'invalid-request');
    }
    await this.#delay(response, world, 'tokenDelay');
    if (world.behaviour.failTokens > 0) {
      world.behaviour.failTokens--;
      return this.#problem(response, world, 'service-unavailable');
    }
    const end = Date.now() + world.behaviour.skew + world.behaviour.tokenLife * 1000;
    return this.#json(
      response,
      world,
      200,
      tokenAnswerSchema.parse({
        external_access_token: `secret-${++world.tokens}-${randomUUID()}`,
        expires_at: new Date(end).toISOString(),
      }),
    );
  }

  async #start(
    response: ServerResponse,
    world: World,
    body: unknown,
    key: string | null,
  ): Promise<boolean> {
    const parsed = hostStartExportSchema.safeParse(body);
    if (!parsed.success || !attemptKeySchema.safeParse(key).success || !key) {
      return this.#problem(response, world, 'invalid-request');
    }
    const { behaviour } = world;
    if (behaviour.start === 'limit') return this.#problem(response, world, 'export-limit');
    if (behaviour.start === 'not-found') return this.#problem(response, world, 'clip-not-found');
    if (behaviour.start === 'fail') return this.#problem(response, world, 'service-unavailable');
    if (behaviour.start === 'hang') return true;
    if (behaviour.start === 'drop') {
      response.destroy();
      return true;
    }
    const text = JSON.stringify(parsed.data);
    const name = `${behaviour.account} ${key}`;
    const before = behaviour.attempts === 'kept' ? world.attempts.get(name) : undefined;
    if (before && before.body !== text) return this.#problem(response, world, 'attempt-mismatch');
    const attempt = before ?? { id: null, body: text };
    world.attempts.set(name, attempt);
    await this.#delay(response, world, 'actDelay');
    const id = (attempt.id ??= this.#create(world, parsed.data));
    await this.#delay(response, world, 'startDelay');
    if (behaviour.start === 'act-then-drop') {
      response.destroy();
      return true;
    }
    if (behaviour.start === 'act-then-fail') {
      return this.#problem(response, world, 'service-error', { unknown_outcome: true });
    }
    return this.#json(
      response,
      world,
      before ? 200 : 201,
      this.#now(world, world.exports.get(id)!),
    );
  }

  #create(world: World, body: { project_id: string; folder_id?: string | undefined }): string {
    const id = randomUUID();
    const now = Date.now() + world.behaviour.skew;
    const began = now - world.behaviour.age;
    world.exports.set(id, {
      account: world.behaviour.account,
      began,
      object: {
        id,
        status: 'processing',
        src_url: null,
        estimated_ready_at: new Date(now + world.behaviour.estimate).toISOString(),
        project_id: body.project_id,
        created_at: new Date(began).toISOString(),
        finished_at: null,
        name: 'My clip, no. 1',
        author_id: 'user-1',
        folder_id: body.folder_id ?? null,
        descriptions: null,
        watermarked: false,
        // That of the moment at which the service carries the start out.
        ...this.#revision(world),
      },
    });
    return id;
  }

  async #list(
    response: ServerResponse,
    world: World,
    url: URL,
    prefer: string | null,
  ): Promise<boolean> {
    if (world.behaviour.failPolls > 0) {
      world.behaviour.failPolls--;
      const { retryAfter } = world.behaviour;
      return this.#problem(
        response,
        world,
        'service-unavailable',
        {},
        retryAfter ? { 'Retry-After': String(retryAfter) } : {},
      );
    }
    const { searchParams } = url;
    const attempt = searchParams.get('attempt');
    if (attempt !== null) return this.#attempt(response, world, attempt);
    const found = (): Rendering[] =>
      this.#own(world).filter(({ object }) => searchParams.getAll('id').includes(object.id));
    const wait = world.behaviour.holds ? waitSeconds(prefer) : 0;
    const end = Date.now() + wait * 1000;
    const rendering = () => found().filter((one) => this.#now(world, one).status === 'processing');
    const before = rendering().length;
    while (wait && before && Date.now() < end && rendering().length === before) {
      if (response.destroyed) return true;
      await pause(10);
    }
    return this.#json(
      response,
      world,
      200,
      found()
        .map((one) => this.#now(world, one))
        .filter(({ status }) => !world.behaviour.hidesRunning || status !== 'processing'),
      wait ? { 'Preference-Applied': `wait=${wait}` } : {},
    );
  }

  #clips(response: ServerResponse, world: World, path: string): boolean {
    const { behaviour } = world;
    if (behaviour.failLists > 0) {
      behaviour.failLists--;
      return this.#problem(response, world, 'service-unavailable');
    }
    const clips = behaviour.clips?.map((name) =>
      projectSchema.parse({
        id: `id-${name}`,
        author_id: 'user-1',
        folder_id: 'f',
        name,
        created_at: new Date(0).toISOString(),
        virality_score: 0.74,
        virality_score_explanation: `Why ${name}.`,
        ...this.#revision(world),
        ...behaviour.clip,
      }),
    );
    const id = decodeURIComponent(path.split('/')[2] ?? '');
    const broken = Array.from({ length: behaviour.brokenClips }, () => ({}));
    const found = id ? clips?.find((one) => one.id === id) : clips && [...broken, ...clips];
    return found
      ? this.#json(response, world, 200, found)
      : this.#problem(response, world, 'clip-not-found');
  }

  #revision({ behaviour: { revision } }: World): { revision?: number } {
    return revision === null ? {} : { revision };
  }

  async #task(response: ServerResponse, world: World, prefer: string | null): Promise<boolean> {
    const { behaviour } = world;
    const state = () => behaviour.task && taskState({ status: 'processing', ...behaviour.task });
    const before = knownState(prefer) ?? state();
    const wait = behaviour.holds ? waitSeconds(prefer) : 0;
    const end = Date.now() + wait * 1000;
    while (behaviour.task?.status === 'processing' && Date.now() < end && state() === before) {
      if (response.destroyed) return true;
      await pause(10);
    }
    if (!behaviour.task) return this.#problem(response, world, 'not-found');
    const task = taskSchema.parse({
      id: 't',
      type: 'video-to-shorts',
      status: 'processing',
      created_at: new Date(0).toISOString(),
      output_type: 'folder',
      output_id: 'f',
      ...behaviour.task,
    });
    return this.#json(
      response,
      world,
      200,
      task,
      wait ? { 'Preference-Applied': `wait=${wait}` } : {},
    );
  }

  #own({ exports, behaviour }: World): Rendering[] {
    return [...exports.values()].filter(({ account }) => account === behaviour.account);
  }

  #attempt(response: ServerResponse, world: World, key: string): boolean {
    const { attempts } = world.behaviour;
    const all = this.#own(world).map((one) => this.#now(world, one));
    if (attempts === 'ignored') return this.#json(response, world, 200, all);
    if (attempts === 'forgotten') return this.#json(response, world, 200, []);
    const attempt = world.attempts.get(`${world.behaviour.account} ${key}`);
    const found = all.filter(({ id }) => id === attempt?.id);
    return this.#json(response, world, attempt && !found.length ? 202 : 200, found, {
      'Idempotency-Key': key,
    });
  }

  #now(world: World, { object, began }: Rendering): Export {
    const now = Date.now() + world.behaviour.skew;
    const readyAt = began + world.behaviour.render;
    if (now < readyAt) return exportSchema.parse(object);
    return exportSchema.parse({
      ...object,
      status: world.behaviour.outcome,
      src_url:
        world.behaviour.outcome === 'ready' ? `http://localhost/files/${object.id}.mp4` : null,
      finished_at: new Date(readyAt).toISOString(),
    });
  }

  #problem(
    response: ServerResponse,
    world: World,
    code: ProblemCode,
    more: object = {},
    headers: Record<string, string> = {},
  ): boolean {
    const status = problemStatuses[code];
    return this.#json(
      response,
      world,
      status,
      problemSchema.parse({ title: code, code, status, ...more }),
      { ...headers, 'Content-Type': 'application/problem+json' },
    );
  }

  #json(
    response: ServerResponse,
    world: World,
    status: number,
    body: unknown,
    headers: Record<string, string> = {},
  ): boolean {
    if (response.destroyed) return true;
    response.writeHead(status, {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      Date: new Date(Date.now() + world.behaviour.skew).toUTCString(),
      ...headers,
    });
    response.end(JSON.stringify(body));
    return true;
  }
}
