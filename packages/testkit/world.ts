import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  exportSchema,
  projectSchema,
  taskSchema,
  type Export,
  type Project,
  type Task,
} from 'clip-kit/contract';
import type { LogEntry, ServiceConfig } from '../service/src/config/config.ts';
import { startService, type RunningService } from '../service/src/service.ts';
import { DescribedAnswers } from './described-answers.ts';
import { waitFor } from './wait-for.ts';
import { makeFootage } from './footage.ts';
import { prepareDatabase } from './prepared-database.ts';
import { finished } from './settled.ts';
import { startSourceServer, type SourceServer } from './source-server.ts';

export interface Answer {
  status: number;
  headers: Headers;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what a test reads out of an answer is the test
  body: any;
}

export interface CallOptions {
  /** The managed user that the call is made for. */
  as?: string;
  /** Another key than the first organization's; null for none. */
  key?: string | null;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Of the footage's shape, so that no clip needs a window that follows its subject. */
const small = { width: 96, height: 54 };

/** A task that is ready, with the answer to its creation. */
export interface MadeTask {
  readonly created: Answer;
  readonly task: Task;
}

/** A user's projects. */
export interface Library {
  /** The user's id. */
  readonly as: string;
  readonly shortsTask: MadeTask;
  /** The shorts, best first. */
  readonly clips: readonly Project[];
  /** The best of them. */
  readonly clip: Project;
  readonly wholeTask: MadeTask;
  readonly whole: Project;
}

type Send = (path: string, init: RequestInit) => Response | Promise<Response>;

/** What the API says of itself: the same in all services. */
let described: DescribedAnswers | undefined;

/** A site with footage, and a way to call the API. Each answer must be as `openapi.json` says. */
export class ApiCalls {
  readonly #send: Send;
  readonly key: string;
  readonly sources: SourceServer;

  constructor(send: Send, key: string, sources: SourceServer) {
    this.#send = send;
    this.key = key;
    this.sources = sources;
  }

  /** Calls the API; `path` below `/v2`. A string body is sent as it is. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    options: CallOptions = {},
  ): Promise<Answer> {
    const key = options.key === undefined ? this.key : options.key;
    const response = await this.#send(`/v2${path}`, {
      method,
      headers: {
        ...(key !== null && { Authorization: `Bearer ${key}` }),
        ...(options.as !== undefined && { 'X-On-Behalf-Of': options.as }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...options.headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(options.signal && { signal: options.signal }),
    });
    const text = await response.text();
    const isJson = text && response.headers.get('content-type')?.includes('json');
    const json = isJson ? JSON.parse(text) : undefined;
    const { status, headers } = response;
    // A proxy in front may answer 5xx in its own words.
    if (path !== '/openapi.json' && status < 500) {
      if (!described) {
        const all = await this.get('/openapi.json', { key: null });
        if (all.status === 200) described = new DescribedAnswers(all.body);
      }
      described?.check(method, path, { status, headers, json });
    }
    return { status, headers, body: json ?? text };
  }

  /** Any address of the service, as it is. */
  async request(path: string, init: RequestInit): Promise<Response> {
    return this.#send(path, init);
  }

  get(path: string, options?: CallOptions): Promise<Answer> {
    return this.call('GET', path, undefined, options);
  }

  post(path: string, body: unknown = {}, options?: CallOptions): Promise<Answer> {
    return this.call('POST', path, body, options);
  }

  /** A new managed user's id. */
  async user(): Promise<string> {
    return (await this.post('/users')).body.id;
  }

  async token(userId: string): Promise<string> {
    return (await this.post(`/users/${userId}/tokens`)).body.external_access_token;
  }

  /** The body of a task that is quick to work: small shorts of the talk. */
  shorts(more: Record<string, unknown> = {}): Record<string, unknown> {
    return {
      source_video_url: this.sources.at('talk.mp4'),
      // The sources of tests are too short to be good.
      ...{ target_clip_count: 2, min_clip_count: 100 },
      min_duration: 3,
      max_duration: 5,
      target_duration: 4,
      dimensions: small,
      ...more,
    };
  }

  /** The body of a task that is quick to work: a small edit of the scene. */
  whole(more: Record<string, unknown> = {}): Record<string, unknown> {
    return {
      source_video_url: this.sources.at('scene.mp4'),
      name: 'Morning run',
      editing_options: {},
      dimensions: small,
      ...more,
    };
  }
}

/** A running service. */
export class World extends ApiCalls {
  readonly service: RunningService;
  readonly directory: string;
  readonly log: LogEntry[];

  constructor(
    service: RunningService,
    sources: SourceServer,
    directory: string,
    log: LogEntry[],
    key: string,
  ) {
    super((path, init) => fetch(service.url + path, init), key, sources);
    this.service = service;
    this.directory = directory;
    this.log = log;
  }

  static async start(config: Partial<ServiceConfig> = {}): Promise<World> {
    const directory = await mkdtemp(join(tmpdir(), 'clip-service-'));
    const footage = join(directory, 'footage');
    await mkdir(footage);
    const log: LogEntry[] = [];
    const dataDir = join(directory, 'data');
    if (config.databaseUrl === undefined) await prepareDatabase(config.dataDir ?? dataDir);
    const [service] = await Promise.all([
      startService({
        port: 0,
        dataDir,
        allowPrivateSources: true,
        // A source is judged before the answer, however slow the machine is.
        ingestWaitMs: 3_600_000,
        log: (entry) => log.push(entry),
        // Loading the network would cost each test file a second.
        faces: 'off',
        ...config,
      }),
      makeFootage(footage),
    ]);
    const sources = await startSourceServer(footage);
    const key = config.apiKey ?? service.apiKey;
    assert.ok(key, 'a new service gives its key');
    return new World(service, sources, directory, log, key);
  }

  async close(): Promise<void> {
    await this.service.close();
    await this.sources.close();
    await rm(this.directory, { recursive: true, force: true });
  }

  /** Waits for the end of a task, whichever. */
  finishTask(id: string, as?: string): Promise<Task> {
    return this.#finish(`/tasks/${id}`, taskSchema, as);
  }

  /** Waits for the end of an export, whichever. */
  finishExport(started: Export, as?: string): Promise<Export> {
    return this.#finish(`/projects/${started.project_id}/exports/${started.id}`, exportSchema, as);
  }

  #finish<T extends Task | Export>(
    path: string,
    schema: { parse(body: unknown): T },
    as?: string,
  ): Promise<T> {
    return finished(path, async () => {
      const options = { ...(as !== undefined && { as }), headers: { Prefer: 'wait=25' } };
      const answer = await this.get(path, options);
      assert.equal(answer.status, 200);
      return schema.parse(answer.body);
    });
  }

  async #make(path: string, body: Record<string, unknown>, as?: string): Promise<MadeTask> {
    const created = await this.post(path, body, as === undefined ? {} : { as });
    assert.equal(created.status, 201, JSON.stringify(created.body));
    const task = await this.finishTask(created.body.id, as);
    assert.equal(task.status, 'ready', JSON.stringify(task.failure));
    return { created, task };
  }

  async #clipsOf({ task }: MadeTask, as?: string): Promise<Project[]> {
    const list = await this.get(`/projects/${task.output_id}`, as === undefined ? {} : { as });
    return list.body.map((item: unknown) => projectSchema.parse(item));
  }

  async #projectOf({ task }: MadeTask, as?: string): Promise<Project> {
    const one = await this.get(`/projects/${task.output_id}`, as === undefined ? {} : { as });
    return projectSchema.parse(one.body);
  }

  /** The shorts of a ready task of the user, best first. */
  async makeShorts(as?: string, more: Record<string, unknown> = {}): Promise<Project[]> {
    return this.#clipsOf(await this.#make('/tasks/video-to-shorts', this.shorts(more), as), as);
  }

  /** The project of a ready video-to-video task of the user. */
  async makeWhole(as?: string, more: Record<string, unknown> = {}): Promise<Project> {
    return this.#projectOf(await this.#make('/tasks/video-to-video', this.whole(more), as), as);
  }

  #library: Promise<Library> | undefined;

  /** A user with a task of each type; the same for all who ask. */
  library(): Promise<Library> {
    return (this.#library ??= this.#makeLibrary());
  }

  /** A clip of the library's user that a test may change: a copy of the best of the shorts. */
  async copy(): Promise<{ as: string; clip: Project }> {
    const { as, clip } = await this.library();
    const { status, body } = await this.post(`/projects/${clip.id}/copy`, {}, { as });
    assert.equal(status, 201, JSON.stringify(body));
    return { as, clip: projectSchema.parse(body) };
  }

  async #makeLibrary(): Promise<Library> {
    const as = await this.user();
    const shortsTask = await this.#make('/tasks/video-to-shorts', this.shorts(), as);
    const dimensions = { width: 108, height: 192 };
    const wholeTask = await this.#make('/tasks/video-to-video', this.whole({ dimensions }), as);
    const clips = await this.#clipsOf(shortsTask, as);
    const [clip] = clips;
    assert.ok(clip);
    return { as, shortsTask, clips, clip, wholeTask, whole: await this.#projectOf(wholeTask, as) };
  }

  /**
   * Everything that is kept under a directory of the data directory, such as `files/sources` or
   * `work`.
   */
  async kept(path: string): Promise<string[]> {
    return (await readdir(join(this.directory, 'data', path)).catch(() => [])).sort();
  }
}

/** Waits until the check passes. */
export async function eventually(check: () => Promise<void> | void): Promise<void> {
  let failure: unknown;
  const passes = async (): Promise<boolean> => {
    try {
      await check();
      return true;
    } catch (error) {
      failure = error;
      return false;
    }
  };
  await waitFor('the check', passes, () => String(failure));
}

/**
 * Asserts an error's shape: problem+json with the code, a sentence in `detail` and `error`, nothing
 * secret.
 */
export function assertProblem(answer: Answer, status: number, code: string): void {
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  assert.equal(answer.headers.get('content-type'), 'application/problem+json');
  assert.equal(answer.body.status, status);
  assert.equal(answer.body.code, code);
  assert.ok(answer.body.title.length > 0);
  assert.match(answer.body.detail, /\S/);
  assert.equal(answer.body.error, answer.body.detail);
}

/** The paths of the fields that a problem lists. */
export const fieldsOf = (answer: Answer): string[] =>
  (answer.body.errors ?? []).map((error: { path: string }) => error.path).sort();
