import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileStore } from '@tus/file-store';
import { Server, Upload as TusUpload } from '@tus/server';
import { attemptKeySchema } from '../../src/contract/host.ts';
import { taskPageSchema, taskSchema, type Task } from '../../src/contract/task.ts';
import { newUploadSchema, uploadSchema, type Upload } from '../../src/contract/upload.ts';
import { waitSeconds } from '../../src/contract/wait.ts';

/** How a world's host behaves. Counters count down. */
export interface UploadsBehaviour {
  protocol: 'tus' | 's3';
  partSize: number;
  /** The bytes of tus come by way of the host, which wants this CSRF token. */
  behindHost: string | null;
  /** After so many bytes the connection that sends them is cut; 0: none is. */
  cutAfter: number;
  /** This many connections are cut. */
  cuts: number;
  /** After the last cut nobody answers. */
  cutsEndOffline: boolean;
  /** Nobody answers: every connection is cut. */
  offline: boolean;
  /** Bytes wait while it is true. */
  isHeld: boolean;
  /** The answer to `POST /uploads`; 0: the upload is opened. */
  refuse: number;
  /** Uploads are opened, and the answers are lost. */
  losesOpens: boolean;
  /** The answer to the bytes; 0: they are taken. */
  refuseBytes: number;
  /** Seconds of `Retry-After` in refusals. */
  retryAfter: number;
  /** `act-then-drop`: the task is started, and the answer is lost. `fail`, `full`: 502, 507. */
  start: 'ok' | 'limit' | 'refused' | 'act-then-drop' | 'fail' | 'full';
  /** Whether attempt keys are kept. */
  keepsKeys: boolean;
  holds: boolean;
  account: string | null;
  /** The answer to `DELETE /tasks/{id}`; 0: it is deleted. */
  refuseDelete: number;
}

interface Logged {
  method: string;
  path: string;
  query: string;
  key: string | null;
  prefer: string | null;
  account: string | null;
  body: unknown;
}

interface World {
  behaviour: UploadsBehaviour;
  uploads: Map<string, Upload>;
  parts: Map<string, Map<number, number>>;
  tasks: Task[];
  attempts: Map<string, string>;
  /** Whose an upload or a task is, by its id: of the account that has made it. */
  owners: Map<string, string | null>;
  log: Logged[];
  /** Bytes that have come, also those that came twice. */
  bytes: number;
  sinceCut: number;
  /** Counts changes of tasks, for who waits for one. */
  version: number;
}

const standard: UploadsBehaviour = {
  protocol: 'tus',
  partSize: 256 * 1024,
  behindHost: null,
  cutAfter: 0,
  cuts: 0,
  cutsEndOffline: false,
  offline: false,
  isHeld: false,
  refuse: 0,
  losesOpens: false,
  refuseBytes: 0,
  retryAfter: 0,
  start: 'ok',
  keepsKeys: true,
  holds: true,
  account: null,
  refuseDelete: 0,
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function read(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text ? JSON.parse(text) : undefined;
}

/**
 * A page's backend with uploads and a list of tasks, over a real tus server. One world for each
 * test: `/uploads-host/{world}/…`; only the test uses `_set`, `_tasks` and `_log`.
 */
export class FakeUploads {
  readonly #worlds = new Map<string, World>();
  readonly #store = new FileStore({ directory: mkdtempSync(join(tmpdir(), 'fake-uploads-')) });
  readonly #tus = new Server({ path: '/tus', datastore: this.#store });

  constructor() {
    process.on('exit', () => void rm(this.#store.directory, { recursive: true, force: true }));
  }

  /** Answers a request below `/uploads-host/`, `/tus/` and `/s3/`; false for any other. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const url = new URL(request.url ?? '/', 'http://host');
    const [, mount, name = '', ...rest] = url.pathname.split('/');
    if (mount === 'tus') return this.#bytes(request, response, name);
    if (mount === 's3') return this.#part(request, response, name, rest);
    if (mount !== 'uploads-host') return false;
    if (/^(HEAD|PATCH)$/.test(request.method ?? '')) {
      const world = this.#world(name);
      const isOwn = request.headers['x-csrf-token'] === world.behaviour.behindHost;
      request.url = `/tus/${rest[1] ?? ''}`;
      if (isOfAnother(request, response, world)) problem(response, 409, 'account-changed');
      else if (isOwn) await this.#bytes(request, response, rest[1] ?? '');
      else problem(response, 403, 'forbidden');
      return true;
    }
    await this.#host(request, response, this.#world(name), `/${rest.join('/')}`, url);
    return true;
  }

  #world(name: string): World {
    let world = this.#worlds.get(name);
    if (!world) {
      world = {
        behaviour: { ...standard },
        uploads: new Map(),
        parts: new Map(),
        tasks: [],
        attempts: new Map(),
        owners: new Map(),
        log: [],
        bytes: 0,
        sinceCut: 0,
        version: 0,
      };
      this.#worlds.set(name, world);
    }
    return world;
  }

  #worldOf(uploadId: string): World | undefined {
    return [...this.#worlds.values()].find(({ uploads }) => uploads.has(uploadId));
  }

  async #host(
    request: IncomingMessage,
    response: ServerResponse,
    world: World,
    path: string,
    url: URL,
  ): Promise<void> {
    const { behaviour } = world;
    const body = await read(request);
    const method = request.method ?? '';
    if (path === '/_set') {
      Object.assign(behaviour, body);
      return json(response, 200, {});
    }
    if (path === '/_tasks') {
      world.tasks = (body as Partial<Task>[]).map(task);
      world.version++;
      return json(response, 200, {});
    }
    if (path === '/_log') {
      const uploads = await Promise.all([...world.uploads.values()].map((one) => this.#now(one)));
      const { cuts } = behaviour;
      return json(response, 200, { requests: world.log, bytes: world.bytes, uploads, cuts });
    }
    if (behaviour.offline) return void request.socket.destroy();
    const header = (key: string) => (request.headers[key] as string | undefined) ?? null;
    const key = header('idempotency-key');
    const prefer = header('prefer');
    const account = header('clip-account');
    world.log.push({ method, path, query: url.search, key, prefer, account, body });
    if (isOfAnother(request, response, world)) return problem(response, 409, 'account-changed');
    const [, noun, id = '', more] = path.split('/');
    if (noun === 'uploads') return this.#uploads(request, response, world, id, more, body);
    if (noun === 'tasks') {
      if (method === 'POST') return start(response, world, id, body, key);
      if (method === 'DELETE') {
        if (behaviour.refuseDelete)
          return problem(response, behaviour.refuseDelete, 'unprocessable');
        world.tasks = world.tasks.filter((one) => one.id !== id);
        world.version++;
        response.writeHead(204).end();
        return;
      }
      return tasks(response, world, url, prefer);
    }
    problem(response, 404, 'endpoint-not-found');
  }

  async #uploads(
    request: IncomingMessage,
    response: ServerResponse,
    world: World,
    id: string,
    more: string | undefined,
    body: unknown,
  ): Promise<void> {
    const { behaviour } = world;
    if (!id) {
      const wanted = newUploadSchema.parse(body);
      const key = attemptKeySchema.parse(request.headers['idempotency-key']);
      const attempt = `${behaviour.account} ${key}`;
      const known = world.attempts.get(attempt);
      if (known !== undefined) {
        const upload = world.uploads.get(known);
        if (behaviour.losesOpens) return void response.destroy();
        if (!upload) return problem(response, 409, 'attempt-mismatch');
        return json(response, 201, await this.#now(upload));
      }
      if (behaviour.refuse) return refused(response, behaviour, behaviour.refuse);
      const origin = `http://${request.headers.host}`;
      const opened = uploadSchema.parse({
        id: randomUUID().replaceAll('-', ''),
        status: 'open',
        protocol: behaviour.protocol,
        url: origin,
        name: wanted.name,
        size: wanted.size,
        offset: 0,
        ...(behaviour.protocol === 's3' && { part_size: behaviour.partSize }),
        created_at: new Date().toISOString(),
        expires_at: new Date(Date.now() + 86_400_000).toISOString(),
      });
      opened.url =
        behaviour.behindHost === null
          ? `${origin}/tus/${opened.id}`
          : `${origin}${request.url}/${opened.id}`;
      if (behaviour.protocol === 'tus') {
        await this.#store.create(new TusUpload({ id: opened.id, size: wanted.size, offset: 0 }));
      }
      world.parts.set(opened.id, new Map());
      world.uploads.set(opened.id, opened);
      world.owners.set(opened.id, behaviour.account);
      world.attempts.set(attempt, opened.id);
      if (behaviour.losesOpens) return void response.destroy();
      return json(response, 201, opened);
    }
    const upload = world.uploads.get(id);
    if (!upload || world.owners.get(id) !== behaviour.account) {
      return problem(response, 404, 'not-found');
    }
    if (request.method === 'DELETE') {
      world.uploads.delete(id);
      response.writeHead(204).end();
      return;
    }
    const parts = world.parts.get(id)!;
    if (more === 'parts' && request.method === 'GET') {
      return json(response, 200, {
        parts: [...parts].map(([number, size]) => ({ number, size, etag: `"${number}"` })),
      });
    }
    if (more === 'parts') {
      const { numbers } = body as { numbers: number[] };
      const origin = `http://${request.headers.host}`;
      return json(response, 200, {
        parts: numbers.map((number) => ({ number, url: `${origin}/s3/${id}/${number}` })),
      });
    }
    if (more === 'complete') upload.status = 'finished';
    return json(response, 200, await this.#now(upload));
  }

  async #now(upload: Upload): Promise<Upload> {
    if (upload.protocol === 's3') return upload;
    const { offset } = await this.#store.getUpload(upload.id);
    return { ...upload, offset, status: offset === upload.size ? 'finished' : 'open' };
  }

  /** Counts the bytes of a request, and cuts its connection or holds it. */
  #watch(request: IncomingMessage, world: World): void {
    const { behaviour } = world;
    const push = request.push.bind(request);
    request.push = (chunk: Buffer | null, ...rest) => {
      world.sinceCut += chunk?.length ?? 0;
      world.bytes += chunk?.length ?? 0;
      const isCut =
        behaviour.cuts > 0 && behaviour.cutAfter > 0 && world.sinceCut > behaviour.cutAfter;
      if (isCut && !request.socket.destroyed) {
        world.sinceCut = 0;
        behaviour.offline = --behaviour.cuts === 0 && behaviour.cutsEndOffline;
        request.socket.destroy();
      }
      return push(chunk, ...rest);
    };
  }

  async #bytes(request: IncomingMessage, response: ServerResponse, id: string): Promise<boolean> {
    const world = this.#worldOf(id);
    if (!world) {
      response.writeHead(404).end();
      return true;
    }
    const { behaviour } = world;
    world.log.push({
      method: request.method ?? '',
      path: '/tus',
      query: '',
      key: null,
      prefer: null,
      account: (request.headers['clip-account'] as string | undefined) ?? null,
      body: undefined,
    });
    const refuses = request.method === 'PATCH' && behaviour.refuseBytes;
    while (request.method === 'PATCH' && behaviour.isHeld && !request.socket.destroyed) {
      await pause(10);
    }
    if (behaviour.offline) request.socket.destroy();
    else if (refuses) refused(response, behaviour, behaviour.refuseBytes);
    else {
      if (request.method === 'PATCH') this.#watch(request, world);
      await this.#tus.handle(request, response).catch(() => {});
    }
    return true;
  }

  async #part(
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
    [number]: readonly string[],
  ): Promise<boolean> {
    const world = this.#worldOf(id);
    if (!world || world.behaviour.offline) {
      request.socket.destroy();
      return true;
    }
    this.#watch(request, world);
    let size = 0;
    try {
      for await (const chunk of request) size += (chunk as Buffer).length;
    } catch {
      return true;
    }
    world.parts.get(id)!.set(Number(number), size);
    response.writeHead(200, { ETag: `"${number}"` }).end();
    return true;
  }
}

/** Names the account; true if the page shows another one. */
function isOfAnother(
  request: IncomingMessage,
  response: ServerResponse,
  { behaviour: { account } }: World,
): boolean {
  if (account === null) return false;
  response.setHeader('Clip-Account', account);
  return ![undefined, account].includes(request.headers['clip-account'] as string | undefined);
}

function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

function problem(
  response: ServerResponse,
  status: number,
  code: string,
  more: object = {},
  headers: Record<string, string> = {},
): void {
  json(response, status, { type: 'about:blank', title: 'Refused', status, code, ...more }, headers);
}

const refused = (
  response: ServerResponse,
  { retryAfter }: UploadsBehaviour,
  status: number,
): void =>
  problem(
    response,
    status,
    'unprocessable',
    { detail: 'This file holds no film: it is a picture.' },
    retryAfter ? { 'Retry-After': String(retryAfter) } : {},
  );

const task = (some: Partial<Task>): Task =>
  taskSchema.parse({
    id: randomUUID(),
    type: 'video-to-shorts',
    status: 'processing',
    created_at: new Date().toISOString(),
    output_type: 'folder',
    output_id: `folder-of-${some.id ?? ''}`,
    progress: { stage: 'scan', share: 0.25, seconds_left: 90 },
    ...some,
  });

function start(
  response: ServerResponse,
  world: World,
  type: string,
  body: unknown,
  key: string | null,
): void {
  const { behaviour } = world;
  if (!attemptKeySchema.safeParse(key).success) return problem(response, 400, 'invalid-request');
  if (behaviour.start === 'limit') return problem(response, 402, 'export-limit');
  if (behaviour.start === 'refused') {
    return problem(response, 422, 'unprocessable', { detail: 'There is no style "none".' });
  }
  if (behaviour.start === 'fail' || behaviour.start === 'full') {
    const isFull = behaviour.start === 'full';
    const code = isFull ? 'storage-full' : 'service-error';
    return problem(response, isFull ? 507 : 502, code, { unknown_outcome: true });
  }
  const attempt = `${behaviour.account} ${key}`;
  const before = world.attempts.get(attempt);
  if (!before) {
    const made = task({
      type: type as Task['type'],
      name: (body as { name: string }).name,
    });
    world.tasks.unshift(made);
    world.owners.set(made.id, behaviour.account);
    world.attempts.set(attempt, made.id);
    world.version++;
  }
  if (behaviour.start === 'act-then-drop') return void response.destroy();
  const { id } = world.tasks.find((one) => one.id === world.attempts.get(attempt))!;
  json(
    response,
    before ? 200 : 201,
    world.tasks.find((one) => one.id === id),
  );
}

async function tasks(
  response: ServerResponse,
  world: World,
  url: URL,
  prefer: string | null,
): Promise<void> {
  const { behaviour } = world;
  const attempt = url.searchParams.get('attempt');
  if (attempt !== null) {
    const known = world.attempts.get(`${behaviour.account} ${attempt}`);
    const id = behaviour.keepsKeys ? known : undefined;
    const found = world.tasks.filter((one) => one.id === id);
    const headers = behaviour.keepsKeys ? { 'Idempotency-Key': attempt } : {};
    return json(response, 200, found, headers as Record<string, string>);
  }
  const { limit = 20, cursor = '0' } = taskPageSchema.parse(Object.fromEntries(url.searchParams));
  const wait = behaviour.holds ? waitSeconds(prefer) : 0;
  const before = world.version;
  const end = Date.now() + wait * 1000;
  while (Date.now() < end && world.version === before && !response.destroyed) await pause(10);
  // Those that a test has put there are everyone's.
  const own = world.tasks.filter(({ id }) =>
    [undefined, behaviour.account].includes(world.owners.get(id)),
  );
  const from = Number(cursor);
  const next = from + limit < own.length ? from + limit : null;
  json(response, 200, own.slice(from, from + limit), {
    ...(wait && { 'Preference-Applied': `wait=${wait}` }),
    ...(next !== null && { Link: `<${url.pathname}?limit=${limit}&cursor=${next}>; rel="next"` }),
  });
}
