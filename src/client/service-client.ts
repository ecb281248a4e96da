import type * as z from 'zod/mini';
import { type ClipLinks, clipLinksSchema, type NewLinks } from '../contract/links.ts';
import {
  editDocumentSchema,
  editRevisionsSchema,
  type EditDocument,
  type EditRevisions,
  type NewClip,
} from '../contract/edit.ts';
import {
  allowanceSchema,
  exportListSchema,
  exportSchema,
  safeParseStartedExport,
  type Allowance,
  type Export,
  type ExportFilter,
  type StartedExport,
  type StartExportBodyInput,
} from '../contract/export.ts';
import { listFieldErrors, problemSchema } from '../contract/problem.ts';
import { projectListSchema, projectSchema, type Project } from '../contract/project.ts';
import {
  shareListSchema,
  shareWithUrlSchema,
  type NewShare,
  type Share,
  type ShareWithUrl,
} from '../contract/share.ts';
import { type Bumper, bumperListSchema, type Music, musicListSchema } from '../contract/media.ts';
import { type MutedWordList, mutedWordsSchema } from '../contract/muted-words.ts';
import {
  taskListSchema,
  taskSchema,
  type Metadata,
  type Task,
  type TaskMore,
  type TaskWords,
  type VideoToShortsInput,
  type VideoToVideoInput,
} from '../contract/task.ts';
import {
  accessTokenSchema,
  userSchema,
  type AccessToken,
  type NewToken,
  type User,
} from '../contract/user.ts';
import { uploadSchema, type NewUpload, type Upload } from '../contract/upload.ts';
import { viewReportSchema, type ViewBatch, type ViewReport } from '../contract/views.ts';
import {
  deliveryListSchema,
  deliverySchema,
  webhookListSchema,
  webhookSchema,
  webhookSecretSchema,
  webhookWithSecretSchema,
  type Delivery,
  type DeliveryFilter,
  type NewSecret,
  type NewWebhookInput,
  type Webhook,
  type WebhookChanges,
  type WebhookSecret,
  type WebhookWithSecret,
} from '../contract/webhook.ts';
import { idSchema } from '../contract/primitive.ts';
import { HttpError, SchemaError, TransportError, type CallName } from './errors.ts';
import { maxRedirects, redirectTarget, makeSingleUseBody } from './safe-fetch.ts';
import { parseJson, nextCursor, parseRetryAfter } from './host-answers.ts';

export interface ServiceClientOptions {
  /** The service's base URL with its version segment, such as `https://clips.example/v2`. */
  readonly baseUrl: string;
  /** The organization's API key, in visible ASCII. Never logged, and never part of an error. */
  readonly apiKey: string;
  /**
   * The platform's by default. Node's own gives up if the first byte of a download takes more than
   * 5 minutes, whatever `timeout` says.
   */
  readonly fetch?: typeof fetch;
  /**
   * Milliseconds that a call may take, or a download until its first byte. By default 30 000, and
   * 11 minutes for a download.
   */
  readonly timeout?: number;
}

export interface ServiceCallOptions {
  /** The managed user on whose behalf the call is made (`X-On-Behalf-Of`, section 5). */
  readonly onBehalfOf?: string;
  /**
   * Sent as `Idempotency-Key`: 8 to 128 characters of A-Z a-z 0-9 . _ -, new for each request. This
   * project's service makes nothing twice for a key; others may ignore it.
   */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

export interface ServiceFileOptions {
  /** Sent along, such as `Range` and `If-Range`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Which clip: the id of its project, and of its folder for paths that contain one. */
export interface ServiceClip {
  readonly projectId: string;
  readonly folderId?: string | null;
}

interface Sent {
  /** Path segments below the base URL; each is percent-encoded. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** By default a POST with a body, otherwise a GET. */
  readonly method?: 'DELETE' | 'PATCH' | 'PUT';
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Schema<T> {
  safeParse(answer: unknown): z.core.util.SafeParseResult<T>;
}

const defaultTimeoutMs = 30_000;
const downloadTimeoutMs = 11 * 60 * 1000;

/** A file is sent as it is: a length or a range of encoded bytes does not fit the decoded ones. */
const unencoded = { 'Accept-Encoding': 'identity' };

/**
 * The typed client of the service: every call of sections 4.1 to 4.12.
 *
 * Each method rejects with a `TransportError` (no answer), `HttpError` (not 2xx), `SchemaError`
 * (an unexpected body), `TypeError` (an id that cannot be part of a path), or the reason of the
 * caller's signal. The client never repeats a call: a start costs money.
 */
export class ServiceClient {
  readonly #base: string;
  readonly #apiKey: string;
  readonly #fetch: typeof fetch;
  readonly #timeoutMs: number | undefined;

  /** Throws a `TypeError` if the base URL is not http(s), or the key cannot be sent in a header. */
  constructor(options: ServiceClientOptions) {
    const base = new URL(options.baseUrl);
    if (!/^https?:$/.test(base.protocol)) throw new TypeError('baseUrl must be http or https');
    if (!options.apiKey) throw new TypeError('apiKey must not be empty');
    // Checked here, because the platform's error would contain the key.
    if (!/^[\x21-\x7e]+$/.test(options.apiKey)) {
      throw new TypeError('apiKey must be visible ASCII characters, without blanks or line ends');
    }
    this.#base = base.origin + base.pathname.replace(/(?<!\/)\/+$/, '');
    this.#apiKey = options.apiKey;
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init));
    this.#timeoutMs = options.timeout;
  }

  /** 4.1 `POST /tasks/video-to-shorts` */
  createVideoToShorts(body: VideoToShortsInput, options?: ServiceCallOptions): Promise<Task> {
    return this.#json({ path: ['tasks', 'video-to-shorts'], body }, taskSchema, options);
  }

  /** 4.2 `POST /tasks/video-to-video` */
  createVideoToVideo(body: VideoToVideoInput, options?: ServiceCallOptions): Promise<Task> {
    return this.#json({ path: ['tasks', 'video-to-video'], body }, taskSchema, options);
  }

  /**
   * `POST /tasks/{task_id}/words` (this project's service): makes the clips of a task again, with
   * the words of a subtitle file or of recognised speech. The source is not sent again, and clips
   * that a person has edited, exported or published stay.
   */
  addWords(taskId: string, body: TaskWords = {}, options?: ServiceCallOptions): Promise<Task> {
    return this.#json({ path: ['tasks', taskId, 'words'], body }, taskSchema, options);
  }

  /**
   * `POST /tasks/{task_id}/more` (this project's service): makes further clips of the source of a
   * task, as a new task: none overlaps a clip that there is. The source is neither sent nor scanned
   * again.
   */
  createMore(taskId: string, body: TaskMore = {}, options: ServiceCallOptions = {}): Promise<Task> {
    return this.#json({ path: ['tasks', taskId, 'more'], body }, taskSchema, options);
  }

  /** 4.3 `GET /tasks/{task_id}` */
  getTask(taskId: string, options?: ServiceCallOptions): Promise<Task> {
    return this.#json({ path: ['tasks', taskId] }, taskSchema, options);
  }

  /**
   * `GET /tasks` (this project's service): the user's tasks, newest first. `limit`: 1 to 100,
   * default 20. `metadata`: only tasks that have all of these pairs. `next` is the cursor of the
   * next page, null on the last one.
   */
  async listTasks(
    page: { limit?: number; cursor?: string; metadata?: Metadata } = {},
    options?: ServiceCallOptions,
  ): Promise<{ tasks: Task[]; next: string | null }> {
    const { limit, cursor, metadata = {} } = page;
    const pairs = Object.entries(metadata).map(([key, value]) => [`metadata[${key}]`, value]);
    const query = { limit: limit?.toString(), cursor, ...Object.fromEntries(pairs) };
    const sent = { path: ['tasks'], query };
    const { data, headers } = await this.#read(sent, taskListSchema, options);
    return { tasks: data, next: nextCursor(headers.get('Link')) };
  }

  /** `DELETE /tasks/{task_id}` (this project's service): removes the task, its clips and files. */
  async deleteTask(taskId: string, options?: ServiceCallOptions): Promise<void> {
    await this.#done({ method: 'DELETE', path: ['tasks', taskId] }, options);
  }

  /** `POST /uploads` (this project's service): an address that takes the bytes of a file. */
  createUpload(body: NewUpload, options?: ServiceCallOptions): Promise<Upload> {
    return this.#json({ path: ['uploads'], body }, uploadSchema, options);
  }

  /** `GET /uploads/{upload_id}`: how many bytes have arrived. */
  getUpload(uploadId: string, options?: ServiceCallOptions): Promise<Upload> {
    return this.#json({ path: ['uploads', uploadId] }, uploadSchema, options);
  }

  /** `DELETE /uploads/{upload_id}`: removes what has arrived. */
  async deleteUpload(uploadId: string, options?: ServiceCallOptions): Promise<void> {
    await this.#done({ method: 'DELETE', path: ['uploads', uploadId] }, options);
  }

  /** 4.4 `GET /projects/{folder_id}` */
  listProjects(folderId: string, options?: ServiceCallOptions): Promise<Project[]> {
    return this.#json({ path: ['projects', folderId] }, projectListSchema, options);
  }

  /** 4.5 `GET /projects/{folder_id}/{project_id}` or `GET /projects/{project_id}` */
  getProject(clip: ServiceClip, options?: ServiceCallOptions): Promise<Project> {
    return this.#json({ path: makeClipPath(clip) }, projectSchema, options);
  }

  /** `POST /projects/views` (this project's service): what visitors have watched of its clips. */
  async sendViews(batch: ViewBatch, options?: ServiceCallOptions): Promise<void> {
    await this.#done({ path: ['projects', 'views'], body: batch }, options);
  }

  /** `GET /projects/{id}/views` (this project's service): how often a clip was watched, how far. */
  getViews(projectId: string, options?: ServiceCallOptions): Promise<ViewReport> {
    return this.#json({ path: ['projects', projectId, 'views'] }, viewReportSchema, options);
  }

  /** `GET /projects/{id}/edit` (this project's service): a clip's edit and its changes. */
  getEdit(projectId: string, options?: ServiceCallOptions): Promise<EditDocument> {
    return this.#json({ path: editPath(projectId) }, editDocumentSchema, options);
  }

  /**
   * `PATCH /projects/{id}/edit`: changes a clip. `changes` is a JSON merge patch of its `changes`:
   * null takes a change back. The answer is a 412 if the clip is not at `revision` any more.
   */
  changeEdit(
    projectId: string,
    revision: number,
    changes: Readonly<Record<string, unknown>>,
    options?: ServiceCallOptions,
  ): Promise<EditDocument> {
    const path = editPath(projectId);
    const sent: Sent = { method: 'PATCH', path, body: { changes }, headers: makeIfMatch(revision) };
    return this.#json(sent, editDocumentSchema, options);
  }

  /** `GET /projects/{id}/edit/revisions`: the last 50, newest first. */
  listEditRevisions(projectId: string, options?: ServiceCallOptions): Promise<EditRevisions> {
    const path = [...editPath(projectId), 'revisions'];
    return this.#json({ path }, editRevisionsSchema, options);
  }

  /** `POST /projects/{id}/edit/revert`: goes back to the changes of revision `to`, as a new one. */
  revertEdit(
    projectId: string,
    revision: number,
    to: number,
    options?: ServiceCallOptions,
  ): Promise<EditDocument> {
    const path = [...editPath(projectId), 'revert'];
    const sent: Sent = { path, body: { revision: to }, headers: makeIfMatch(revision) };
    return this.#json(sent, editDocumentSchema, options);
  }

  /** `GET /projects/{id}/allowance` (this project's service): what an export would cost now. */
  getAllowance(projectId: string, options?: ServiceCallOptions): Promise<Allowance> {
    return this.#json({ path: ['projects', projectId, 'allowance'] }, allowanceSchema, options);
  }

  /**
   * `POST /projects/{id}/links` (this project's service): the addresses with which a clip can be
   * watched, signed where clips are private. Without `onBehalfOf`, of any clip of the organization.
   */
  createLinks(projectId: string, options?: ServiceCallOptions & NewLinks): Promise<ClipLinks> {
    const { expires_in, ...call } = options ?? {};
    const sent = { path: ['projects', projectId, 'links'], body: { expires_in } };
    return this.#json(sent, clipLinksSchema, call);
  }

  /**
   * `POST /projects/{id}/shares` (this project's service): a link with which anyone may watch a
   * clip, or all clips of a folder. Its `url` is in no other answer.
   */
  createShare(id: string, options?: ServiceCallOptions & NewShare): Promise<ShareWithUrl> {
    const { expires_at, download, ...call } = options ?? {};
    const sent = { path: ['projects', id, 'shares'], body: { expires_at, download } };
    return this.#json(sent, shareWithUrlSchema, call);
  }

  /** `GET /projects/{id}/shares`: the links of a clip or folder, the newest first. */
  listShares(id: string, options?: ServiceCallOptions): Promise<Share[]> {
    return this.#json({ path: ['projects', id, 'shares'] }, shareListSchema, options);
  }

  /** `DELETE /projects/{id}/shares/{share_id}`: the link opens nothing any more. */
  async revokeShare(id: string, shareId: string, options?: ServiceCallOptions): Promise<void> {
    await this.#done({ method: 'DELETE', path: ['projects', id, 'shares', shareId] }, options);
  }

  /** `GET /muted-words` (this project's service): the words that are not heard in clips. */
  readMutedWords(options?: ServiceCallOptions): Promise<MutedWordList> {
    return this.#json({ path: ['muted-words'] }, mutedWordsSchema, options);
  }

  /** `PUT /muted-words`: replaces the list. Clips follow when they are made or changed. */
  writeMutedWords(list: MutedWordList, options?: ServiceCallOptions): Promise<MutedWordList> {
    const sent: Sent = { method: 'PUT', path: ['muted-words'], body: list };
    return this.#json(sent, mutedWordsSchema, options);
  }

  /** `GET /bumpers` (this project's service): for `changes.intro` and `changes.outro`. */
  listBumpers(options?: ServiceCallOptions): Promise<Bumper[]> {
    return this.#json({ path: ['bumpers'] }, bumperListSchema, options);
  }

  /** `GET /music` (this project's service): the organization's music, for `changes.music`. */
  listMusic(options?: ServiceCallOptions): Promise<Music[]> {
    return this.#json({ path: ['music'] }, musicListSchema, options);
  }

  /**
   * 4.6 and 4.7: starts an export. It costs money and is not idempotent: if no answer comes, the
   * export may have been started.
   */
  startExport(
    clip: ServiceClip,
    body: StartExportBodyInput = {},
    options?: ServiceCallOptions,
  ): Promise<StartedExport> {
    const sent = { path: [...makeClipPath(clip), 'exports'], body };
    return this.#json(sent, { safeParse: safeParseStartedExport }, options);
  }

  /** 4.8 `GET .../exports/{export_id}` */
  getExport(clip: ServiceClip, exportId: string, options?: ServiceCallOptions): Promise<Export> {
    const path = [...makeClipPath(clip), 'exports', exportId];
    return this.#json({ path }, exportSchema, options);
  }

  /** 4.9 `GET /exports` */
  listExports(filter: ExportFilter = {}, options?: ServiceCallOptions): Promise<Export[]> {
    return this.#json({ path: ['exports'], query: { ...filter } }, exportListSchema, options);
  }

  /**
   * 4.9 `GET /exports`, at most `limit` of them (1 to 1000), the newest. `complete` is false if the
   * service has more. One that has no pages gives all.
   */
  async listNewestExports(
    limit: number,
    options?: ServiceCallOptions,
  ): Promise<{ exports: Export[]; complete: boolean }> {
    const sent = { path: ['exports'], query: { limit: String(limit) } };
    const { data, headers } = await this.#read(sent, exportListSchema, options);
    return { exports: data, complete: isComplete(headers) };
  }

  /**
   * 4.9 `GET /exports` with an `Idempotency-Key`. A service that keeps keys gives the export that a
   * start with the key has made, or none, and names the key in its answer (`keepsKeys`). Any other
   * gives the list. Services forget a key after a day: null asks for the list.
   */
  async findExports(
    key: string | null,
    filter: ExportFilter,
    options: ServiceCallOptions = {},
  ): Promise<{ exports: Export[]; keepsKeys: boolean }> {
    const sent = { path: ['exports'], query: { ...filter } };
    const { data, headers } = await this.#read(sent, exportListSchema, {
      ...options,
      ...(key !== null && { idempotencyKey: key }),
    });
    return { exports: data, keepsKeys: key !== null && headers.get('Idempotency-Key') === key };
  }

  /**
   * 4.10 `GET /projects/{clip_id}/download`: the response, with the MP4 as its unread body. It may
   * take 10 minutes to begin. Without `exportId` it may start a render that costs money. For a
   * `Range` that the file does not have, the response is a 416.
   */
  async download(
    clipId: string,
    exportId: string | null,
    options: ServiceCallOptions & ServiceFileOptions = {},
  ): Promise<Response> {
    const sent: Sent = {
      path: ['projects', clipId, 'download'],
      query: { export_id: exportId ?? undefined },
      headers: { ...unencoded, ...options.headers },
    };
    const { response, timeout } = await this.#send(sent, downloadTimeoutMs, options);
    timeout.stop();
    return response;
  }

  /**
   * The file at an export's `src_url`, without the key: the response with its unread body, whatever
   * its status. Follows 5 redirects, but none from a public host name into a network.
   */
  async file(
    method: 'GET' | 'HEAD',
    url: string,
    { headers = {}, signal }: ServiceFileOptions = {},
  ): Promise<Response> {
    let at = new URL(url);
    for (let redirects = 0; ; redirects++) {
      const name: CallName = { method, path: at.pathname };
      const { response, timeout } = await this.#exchange(
        at.href,
        name,
        { headers: { ...unencoded, ...headers } },
        defaultTimeoutMs,
        signal,
      );
      timeout.stop();
      if (![301, 302, 303, 307, 308].includes(response.status)) return response;
      await response.body?.cancel();
      timeout.end();
      const next = redirectTarget(at, response.headers.get('Location'));
      if (!next || redirects === maxRedirects) {
        throw new TransportError(name, false, {
          cause: new Error('The redirect is not followed.'),
        });
      }
      at = next;
    }
  }

  /** 4.11 `POST /users` */
  createUser(options?: ServiceCallOptions): Promise<User> {
    return this.#json({ path: ['users'], body: {} }, userSchema, options);
  }

  /** 4.12 `POST /users/{user_id}/tokens` */
  createToken(userId: string, options?: ServiceCallOptions & NewToken): Promise<AccessToken> {
    const { permissions, editor, ...call } = options ?? {};
    const sent = { path: ['users', userId, 'tokens'], body: { permissions, editor } };
    return this.#json(sent, accessTokenSchema, call);
  }

  /**
   * `POST /projects/{folder_id}` (this project's service): a clip of any segment of the folder's
   * source. It costs no export.
   */
  createClip(folderId: string, clip: NewClip, options?: ServiceCallOptions): Promise<Project> {
    return this.#json({ path: ['projects', folderId], body: clip }, projectSchema, options);
  }

  /** `POST /projects/{id}/copy`: one more clip with the same edit. It costs no export. */
  copyClip(projectId: string, options?: ServiceCallOptions): Promise<Project> {
    return this.#json({ path: ['projects', projectId, 'copy'], body: {} }, projectSchema, options);
  }

  /** `GET /webhooks` (this project's service): the organization's webhooks, the oldest first. */
  listWebhooks(options?: ServiceCallOptions): Promise<Webhook[]> {
    return this.#json({ path: ['webhooks'] }, webhookListSchema, options);
  }

  /** `POST /webhooks`: adds one. Keep its `secret`: no other call shows it. */
  createWebhook(body: NewWebhookInput, options?: ServiceCallOptions): Promise<WebhookWithSecret> {
    return this.#json({ path: ['webhooks'], body }, webhookWithSecretSchema, options);
  }

  /** `PATCH /webhooks/{webhook_id}`: what is omitted stays. */
  changeWebhook(
    webhookId: string,
    body: WebhookChanges,
    options?: ServiceCallOptions,
  ): Promise<Webhook> {
    const sent: Sent = { method: 'PATCH', path: ['webhooks', webhookId], body };
    return this.#json(sent, webhookSchema, options);
  }

  /** `DELETE /webhooks/{webhook_id}` */
  async deleteWebhook(webhookId: string, options?: ServiceCallOptions): Promise<void> {
    await this.#done({ method: 'DELETE', path: ['webhooks', webhookId] }, options);
  }

  /**
   * `POST /webhooks/{webhook_id}/secret`: a new secret. For `overlap_seconds` (default a day), the
   * one before signs too. The id `tasks` stands for the `webhook_url` of tasks.
   */
  replaceWebhookSecret(
    webhookId: string,
    options?: ServiceCallOptions & NewSecret,
  ): Promise<WebhookSecret> {
    const { overlap_seconds, ...call } = options ?? {};
    const sent = { path: ['webhooks', webhookId, 'secret'], body: { overlap_seconds } };
    return this.#json(sent, webhookSecretSchema, call);
  }

  /** `POST /webhooks/{webhook_id}/test`: sends a ping once; the delivery says what came of it. */
  testWebhook(webhookId: string, options?: ServiceCallOptions): Promise<Delivery> {
    return this.#json({ path: ['webhooks', webhookId, 'test'], body: {} }, deliverySchema, options);
  }

  /** `GET /webhooks/{webhook_id}/deliveries`: those of the last 30 days, the newest first. */
  listDeliveries(
    webhookId: string,
    { limit, status }: DeliveryFilter = {},
    options?: ServiceCallOptions,
  ): Promise<Delivery[]> {
    const query = { limit: limit?.toString(), status };
    const sent = { path: ['webhooks', webhookId, 'deliveries'], query };
    return this.#json(sent, deliveryListSchema, options);
  }

  /** `POST /webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver`: sends it again. */
  redeliver(
    webhookId: string,
    deliveryId: string,
    options?: ServiceCallOptions,
  ): Promise<Delivery> {
    const path = ['webhooks', webhookId, 'deliveries', deliveryId, 'redeliver'];
    return this.#json({ path, body: {} }, deliverySchema, options);
  }

  /** Sends what has no answer but that it is done. */
  async #done(sent: Sent, options?: ServiceCallOptions): Promise<void> {
    const { response, timeout } = await this.#send(sent, defaultTimeoutMs, options);
    await response.body?.cancel();
    timeout.end();
  }

  async #json<T>(sent: Sent, schema: Schema<T>, options?: ServiceCallOptions): Promise<T> {
    return (await this.#read(sent, schema, options)).data;
  }

  async #read<T>(
    sent: Sent,
    schema: Schema<T>,
    options: ServiceCallOptions = {},
  ): Promise<{ data: T; headers: Headers }> {
    const { response, name, lost, timeout } = await this.#send(sent, defaultTimeoutMs, options);
    let text: string;
    try {
      text = await response.text();
    } catch (cause) {
      throw lost(cause);
    } finally {
      timeout.end();
    }
    const parsed = schema.safeParse(parseJson(text));
    if (!parsed.success) throw new SchemaError(name, listFieldErrors(parsed.error));
    return { data: parsed.data, headers: response.headers };
  }

  async #send(sent: Sent, timeoutMs: number, options: ServiceCallOptions = {}): Promise<Answered> {
    for (const id of sent.path) {
      if (!idSchema.safeParse(id).success)
        throw new TypeError(`${JSON.stringify(id)} is not an id`);
    }
    const path = `/${sent.path.map(encodeURIComponent).join('/')}`;
    const method = sent.method ?? (sent.body === undefined ? 'GET' : 'POST');
    const name: CallName = { method, path };
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(sent.query ?? {})) {
      if (value !== undefined) query.set(key, value);
    }
    const url = this.#base + path + (query.size ? `?${query}` : '');
    const headers: Record<string, string> = {
      Accept: 'application/json',
      ...sent.headers,
      Authorization: `Bearer ${this.#apiKey}`,
    };
    if (options.onBehalfOf !== undefined) headers['X-On-Behalf-Of'] = options.onBehalfOf;
    if (options.idempotencyKey !== undefined) headers['Idempotency-Key'] = options.idempotencyKey;
    if (sent.body !== undefined) headers['Content-Type'] = 'application/json';
    const body = sent.body === undefined ? {} : makeSingleUseBody(JSON.stringify(sent.body));
    const init = { headers, ...body };
    const answered = await this.#exchange(url, name, init, timeoutMs, options.signal);
    const { response, timeout } = answered;
    if (response.ok || (response.status === 416 && headers['Range'])) return answered;
    const text = await response.text().catch(() => '');
    timeout.end();
    // Keeps the key out of the error if the answer repeats it.
    const problem = problemSchema.safeParse(parseJson(text.replaceAll(this.#apiKey, '***')));
    throw new HttpError(
      name,
      response.status,
      problem.success ? problem.data : null,
      parseRetryAfter(response.headers.get('Retry-After'), Date.now()),
    );
  }

  async #exchange(
    url: string,
    name: CallName,
    init: RequestInit,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<Answered> {
    const timeout = startTimeout(this.#timeoutMs ?? timeoutMs, signal);
    const lost = (cause: unknown): unknown =>
      signal?.aborted ? signal.reason : new TransportError(name, timeout.ranOut, { cause });
    try {
      const response = await this.#fetch(url, {
        ...init,
        method: name.method,
        // A redirect would carry the key elsewhere, or turn a POST into a GET.
        redirect: 'manual',
        signal: timeout.signal,
      });
      return { response, name, lost, timeout };
    } catch (cause) {
      timeout.end();
      throw lost(cause);
    }
  }
}

/** Whether a list has no further page, however a service addresses it. */
const isComplete = (headers: Headers): boolean => !/rel="?next"?/.test(headers.get('Link') ?? '');

interface Answered {
  readonly response: Response;
  readonly name: CallName;
  readonly timeout: Timeout;
  /** The error to throw if the body cannot be read. */
  readonly lost: (cause: unknown) => unknown;
}

interface Timeout {
  readonly signal: AbortSignal;
  readonly ranOut: boolean;
  /** From now on only the caller can end the call. */
  stop(): void;
  /** The call is over. */
  end(): void;
}

/**
 * Like `AbortSignal.timeout` combined with the caller's signal, but it can be stopped after the
 * first byte of a download. `AbortSignal.any` costs several times as much.
 */
function startTimeout(timeoutMs: number, caller: AbortSignal | undefined): Timeout {
  const controller = new AbortController();
  let ranOut = false;
  const timer = setTimeout(() => {
    ranOut = true;
    controller.abort(new DOMException('The time given ran out.', 'TimeoutError'));
  }, timeoutMs);
  const leave = (): void => controller.abort(caller?.reason);
  if (caller?.aborted) leave();
  else caller?.addEventListener('abort', leave);
  return {
    signal: controller.signal,
    get ranOut() {
      return ranOut;
    },
    stop: () => clearTimeout(timer),
    end() {
      clearTimeout(timer);
      caller?.removeEventListener('abort', leave);
    },
  };
}

const editPath = (projectId: string): string[] => ['projects', projectId, 'edit'];

const makeIfMatch = (revision: number) => ({ 'If-Match': `"${revision}"` });

const makeClipPath = ({ projectId, folderId }: ServiceClip): string[] =>
  folderId ? ['projects', folderId, projectId] : ['projects', projectId];
